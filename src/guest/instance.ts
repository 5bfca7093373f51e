import { createGuest } from "./guest.ts"

/** One per process: the broker's token admits one connection. */
export const guest = createGuest(process.env)
