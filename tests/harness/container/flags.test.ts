import { expect, test } from "bun:test"
import { type ContainerPlan, containerFlags } from "../../../src/harness/container/flags.ts"

const plan: ContainerPlan = {
  engine: { name: "podman", path: "/usr/bin/podman" },
  extraFlags: ["--runtime", "runc"],
  user: "65534:65534",
  name: "mcp-exec-1-2",
  labels: { "mcp-exec": "1" },
  image: "localhost/mcp-exec-sandbox:1",
  program: "/bin/mcp-exec",
  seccompFile: "/cache/seccomp.json",
  limits: { memoryBytes: 512 << 20, cpus: 1.5, pids: 128, timeoutMs: 2500 },
  mounts: [
    { source: "/p/skills", target: "/p/skills", mode: "ro" },
    { source: "/p/workspace", target: "/p/workspace", mode: "rw" },
  ],
  scratches: ["/workspace", "/p"],
  address: "/run/mcp-exec/c",
}

const common = `run --detach --rm --name mcp-exec-1-2 --label mcp-exec=1
  --network none --ipc none --cgroupns private --hostname sandbox
  --read-only --user 65534:65534 --cap-drop ALL
  --security-opt no-new-privileges --security-opt seccomp=/cache/seccomp.json
  --memory 536870912b --memory-swap 536870912b --cpus 1.5 --pids-limit 128
  --ulimit nofile=1024:1024 --ulimit core=0:0 --ulimit fsize=1073741824:1073741824
  --log-driver none --pull never --workdir / --entrypoint /bin/mcp-exec
  --tmpfs /tmp:rw,nosuid,nodev,noexec,size=67108864,mode=1777
  --tmpfs /workspace:rw,nosuid,nodev,noexec,size=67108864,mode=1777
  --tmpfs /p:rw,nosuid,nodev,noexec,size=67108864,mode=1777
  --volume /p/skills:/p/skills:ro --volume /p/workspace:/p/workspace:rw`
const podman = "--read-only-tmpfs=false --http-proxy=false --no-hosts --stop-timeout 0 --timeout 13"
const end = "--runtime runc localhost/mcp-exec-sandbox:1 __box /run/mcp-exec/c"

test("a container of podman has every lock", () => {
  expect(containerFlags(plan)).toEqual(`${common} ${podman} ${end}`.split(/\s+/))
})

test("a container of docker has every lock that docker knows", () => {
  const engine = { name: "docker", path: "/usr/bin/docker" } as const
  expect(containerFlags({ ...plan, engine })).toEqual(`${common} ${end}`.split(/\s+/))
})

test("a container that is spoken to over its streams has the same locks, and is not left alone", () => {
  const attached = containerFlags({ ...plan, channel: "stdio", address: "-" })
  const ordinary = containerFlags({ ...plan, address: "-" })
  expect(attached).toEqual(ordinary.map((flag) => (flag === "--detach" ? "--interactive" : flag)))
})

test("the engine's own clock leaves time for questions that stop ours", () => {
  const limits = { ...plan.limits, stillMs: 60_000 }
  expect(containerFlags({ ...plan, limits }).join(" ")).toContain("--timeout 73 ")
})
