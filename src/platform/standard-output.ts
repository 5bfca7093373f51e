// Writing bytes to our own stdout and stderr. Bun's own writer where it exists: loading `process.stdout` takes
// longer than all else that a sandboxed script costs us.

export interface StandardOutput {
  /** A promise when the operating system has not taken it at once. Throws or rejects when nobody reads it. */
  write(bytes: Uint8Array): Promise<unknown> | undefined
}

export function openStandardOutput(stream: "stdout" | "stderr"): StandardOutput {
  return typeof Bun === "undefined" ? withNode(process[stream]) : withBun(Bun[stream].writer())
}

function withBun(sink: Bun.FileSink): StandardOutput {
  return {
    write(bytes) {
      const [written, flushed] = [sink.write(bytes), sink.flush()]
      if (typeof written === "number" && typeof flushed === "number") return undefined
      return Promise.all([written, flushed])
    },
  }
}

function withNode(stream: NodeJS.WriteStream): StandardOutput {
  // Each write is told of its own failure.
  stream.on("error", () => {})
  return {
    write: (bytes) =>
      new Promise<void>((resolve, reject) => stream.write(bytes, (error) => (error ? reject(error) : resolve()))),
  }
}
