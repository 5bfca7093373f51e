// Nothing may outlive us, even when we are killed with SIGKILL and can clean up nothing. A shell of
// a few hundred kilobytes holds a pipe from us and the list of process groups we have started; when
// the pipe closes, whatever is still on the list is ended. Process groups do not exist on Windows.
import { type SpawnedProcess, spawnGroup } from "./spawn.ts"

const script = `
trap '' INT TERM HUP
groups=
while read -r operation group; do
  case $operation in
    +) groups="$groups $group" ;;
    -) rest=; for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done; groups=$rest ;;
  esac
done
[ -n "$groups" ] || exit 0
for each in $groups; do kill -s TERM -- "-$each" 2>/dev/null; done
sleep 1
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`

export class Guard {
  #shell: Promise<SpawnedProcess> | undefined

  /** From now on this process group dies with us. */
  watch(pid: number): void {
    if (process.platform === "win32") return
    this.#shell ??= spawnGroup({
      command: ["/bin/sh", "-c", script],
      env: { PATH: "/usr/bin:/bin" },
      stdin: "pipe",
      stdout: "ignore",
      stderr: "ignore",
    })
    this.#tell(`+ ${pid}\n`)
  }

  /** The group has ended: its number may soon be somebody else's. */
  release(pid: number): void {
    this.#tell(`- ${pid}\n`)
  }

  /** Lets the shell go once every group has been released. */
  async close(): Promise<void> {
    const shell = await this.#shell?.catch(() => undefined)
    this.#shell = undefined
    shell?.closeInput()
  }

  #tell(line: string): void {
    // Without a shell there is no guard; the ordinary cleanup still runs.
    this.#shell?.then((shell) => shell.write(line)).catch(() => {})
  }
}
