/** What the watchdog of an exercise and the reporter of its tests tell each other, in a file. */
import { readFileSync, rmSync } from "node:fs";
import { z } from "zod";

/** Where a process was stuck: in which test, and in which function of the exercise, where one has a name. */
const stuckAt = z.object({ test: z.string().optional(), functionName: z.string().optional() });

/** ms without a sign of life. A process that does what it should gives one every few ms. */
export const STUCK_MS = 3000;

/** What the watchdog noted, if it had to end the tests. It counts for one run. */
export function takeStuck(): z.infer<typeof stuckAt> | undefined {
  const file = process.env.EXERCISE_STUCK ?? "";
  try {
    return stuckAt.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined; // there is no such file
  } finally {
    rmSync(file, { force: true });
  }
}
