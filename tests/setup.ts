// Tests start real servers and processes on machines that may be busy; where time is the subject,
// a test sets its own limit.
import { setDefaultTimeout } from "bun:test"

setDefaultTimeout(30_000)
