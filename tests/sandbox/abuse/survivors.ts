// Starts what should outlive it: detached, in sessions of their own, ignoring signals. They must not.
const code =
  'for (const name of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(name, () => {}); setInterval(() => {}, 1000)'
require("node:fs").writeFileSync("/tmp/survivor.ts", code)
for (let count = 0; count < 5; count++) {
  Bun.spawn([process.execPath, "__run", "/tmp/survivor.ts", process.argv[2] ?? ""], {
    stdio: ["ignore", count % 2 === 0 ? "inherit" : "ignore", "ignore"],
    detached: true,
  }).unref()
}
// Long enough for whoever looks from outside to have seen them.
await Bun.sleep(2000)
console.log("done")
