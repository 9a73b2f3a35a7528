/** What the reader has done so far, kept between the runs: git ignores the file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { repositoryRoot } from "../settings.ts";

const progress = z.record(
  z.string(),
  z.object({
    /** Of its tests, in the last run. */
    passed: z.number(),
    tests: z.number(),
    /** All have passed once. What comes later, a reset too, takes nothing away from that. */
    solved: z.boolean(),
  }),
);
type Progress = z.infer<typeof progress>;

const file = join(repositoryRoot, ".progress.json");

/** By chapter. A file that is not there or that cannot be read is a new beginning: it holds nothing but marks. */
export function readProgress(): Progress {
  try {
    return progress.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

export function noteRun(chapter: string, { passed, tests }: { passed: number; tests: number }): void {
  const all = readProgress();
  const solved = all[chapter]?.solved === true || (tests > 0 && passed === tests);
  writeFileSync(file, `${JSON.stringify({ ...all, [chapter]: { passed, tests, solved } }, null, 2)}\n`);
}
