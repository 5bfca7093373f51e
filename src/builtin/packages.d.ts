// These packages are programs: imported for what they do, they export nothing we use and ship no types.
declare module "@modelcontextprotocol/server-filesystem/dist/index.js"
declare module "@modelcontextprotocol/server-memory/dist/index.js"
