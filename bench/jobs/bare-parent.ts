// The least that a program can do which runs a script in a process of its own, from the same binary.
export {}

const [, , first = "", file = ""] = process.argv
if (first === "__run") await import(file)
else {
  Bun.spawn([process.execPath, "__run", `${process.cwd()}/${first}`], {
    stdio: ["inherit", "inherit", "inherit"],
    env: { PATH: process.env.PATH },
    detached: true,
    onExit: (_, code) => process.exit(code ?? 1),
  })
}
