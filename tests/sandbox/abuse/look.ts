// Does nothing but be looked at.
import { beLookedAt } from "./attempt.ts"

await beLookedAt()
