/** `pnpm course`: the chapters, how long they are, and how far your exercise is. */
import { existsSync, readFileSync } from "node:fs";
import { type Chapter, countLines, findChapters, partsOf, titleOf } from "./chapters.ts";
import { colours } from "./colours.ts";
import { complain, runCommand } from "./command.ts";
import { readProgress } from "./progress.ts";
import { exerciseProgress } from "./unwritten.ts";

const HEADINGS = ["", "mechanism", "lines", "parts", "your exercise"];
const RIGHT = new Set([2, 3]); // the columns of numbers
const HINTS = `
lines: of code.ts; parts: of the files beside it
pnpm tsx chapters/s01/code.ts  run a chapter       pnpm exercise s01  write its functions yourself
pnpm diff s01 s02              what a chapter adds`;

/** The table, a line a chapter. */
function courseTable(): string {
  const { bold, dim, green } = colours(process.stdout);
  const progress = readProgress();
  const rows = findChapters().map((chapter) => {
    const parts = partsOf(chapter).reduce((sum, { lines }) => sum + lines, 0);
    const code = readFileSync(chapter.code, "utf8");
    const state = exerciseState(chapter, code, progress[chapter.name]);
    return [chapter.name, titleOf(chapter), String(countLines(code)), parts > 0 ? `+${parts}` : "", state];
  });
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (RIGHT.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd()
      .replace(SOLVED, green);
  return [bold(line(HEADINGS)), ...rows.map(line), dim(HINTS)].join("\n");
}

const SOLVED = "✓ solved";

function exerciseState(
  { exercise }: Chapter,
  code: string,
  run: ReturnType<typeof readProgress>[string] | undefined,
): string {
  if (run?.solved) return SOLVED;
  if (!existsSync(exercise)) return "–";
  const { functions, written } = exerciseProgress(code, readFileSync(exercise, "utf8"));
  return `${written} of ${functions} written${run ? `, ${run.passed} of ${run.tests} tests` : ""}`;
}

await runCommand(import.meta, (words) => {
  if (words.length > 0) complain("Usage: pnpm course, which takes nothing");
  console.log(courseTable());
});
