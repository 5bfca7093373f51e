// Tries to reach anything. Its arguments are ports on which the test listens.
import { createSocket } from "node:dgram"
import { lookup, resolve4 } from "node:dns/promises"
import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { attempt, attemptFor, beLookedAt } from "./attempt.ts"

const port = Number(process.argv[2])
const addresses = ["127.0.0.1", "::1", "169.254.169.254", "10.0.0.1", "172.17.0.1", "1.1.1.1", "0.0.0.0"]
for (const host of addresses) {
  await attemptFor(2000, `TCP to ${host}`, () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    connect({ host, port: host === "1.1.1.1" ? 443 : port }, () => resolve("connected")).on("error", reject)
    return promise
  })
}
for (const host of ["127.0.0.1", "8.8.8.8"]) {
  await attemptFor(2000, `UDP to ${host}`, () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = createSocket("udp4").on("error", reject)
    socket.send("x", port, host, (error) => (error ? reject(error) : resolve("sent")))
    return promise
  })
}
await attemptFor(2000, "an abstract socket of the host", () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = {
    data() {},
    open: () => resolve("connected"),
    connectError: (_: unknown, error: Error) => reject(error),
  }
  Bun.connect({ unix: `\0${process.argv[3]}`, socket }).catch(reject)
  return promise
})
await attemptFor(3000, "DNS", () => resolve4("example.com"))
await attemptFor(3000, "a lookup", () => lookup("example.com"))
await attemptFor(3000, "fetch", () => fetch("http://169.254.169.254/latest/meta-data"))
await attempt("listen", () => Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } }).port)
await attempt("see an interface", () => {
  const names = Object.keys(networkInterfaces()).filter((name) => name !== "lo")
  if (names.length === 0) throw new Error("there is none")
  return names.join()
})
await beLookedAt()
console.log("done")
