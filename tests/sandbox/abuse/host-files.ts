// Looks for files of the host, and tries to write where it must not. Its arguments are files of the host.
import { chmodSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { attempt } from "./attempt.ts"

const [secret = "", project = ""] = process.argv.slice(2)
await attempt("read a file of the host", () => readFileSync(secret, "utf8"))
for (const name of ["mcp_config.json", ".env", "notes.txt"]) {
  await attempt(`read ${name}`, () => readFileSync(`${project}/${name}`, "utf8"))
}
for (const path of ["/etc/shadow", "/root/.ssh/id_rsa", "/proc/1/root/etc/passwd", "/proc/1/cwd/etc/passwd"]) {
  await attempt(`read ${path}`, () => readFileSync(path, "utf8"))
}
for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)) {
  await attempt(`read the environment of process ${name}`, () => readFileSync(`/proc/${name}/environ`, "utf8"))
}
await attempt("follow a link out", () => {
  symlinkSync(secret, "/tmp/link")
  return readFileSync("/tmp/link", "utf8")
})
await attempt("link a file of the host", () => linkSync(secret, "/tmp/hard"))
for (const path of [
  "/bin/mcp-exec",
  "/etc/passwd",
  "/x",
  "/var/tmp/x",
  "/dev/shm/x",
  "/run/mcp-exec/x",
  "/sys/x",
  "skills/x",
]) {
  await attempt(`write ${path}`, () => writeFileSync(path, "x"))
}
for (const path of ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/1/mem", "/proc/1/oom_score_adj"]) {
  await attempt(`write ${path}`, () => writeFileSync(path, "x"))
}
await attempt(
  "use a socket of an engine",
  () => readFileSync("/var/run/docker.sock") || readFileSync("/run/podman/podman.sock"),
)
await attempt("run a program of its own", () => {
  writeFileSync("/tmp/program", readFileSync("/bin/mcp-exec").subarray(0, 1 << 20))
  chmodSync("/tmp/program", 0o4755)
  return Bun.spawnSync(["/tmp/program"]).exitCode
})
console.log("done")
