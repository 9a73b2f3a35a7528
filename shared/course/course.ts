/** `pnpm course`: the chapters, how long they are, what is new in each, and how far your exercise is. */
import { existsSync, readFileSync } from "node:fs";
import { diffLines } from "diff";
import { type Chapter, complain, countLines, DIFF_TIMEOUT, findChapters, partsOf, titleOf } from "./chapters.ts";
import { colours } from "./colours.ts";
import { exerciseProgress } from "./unwritten.ts";

const HEADINGS = ["", "mechanism", "lines", "parts", "new", "exercise"];
const RIGHT = new Set([2, 3, 4]); // the columns of numbers
const HINTS = `
lines: of code.ts; parts: of the files beside it; new: lines of code.ts that the chapter before has not
pnpm tsx chapters/s01/code.ts  run a chapter       pnpm exercise s01  write its functions yourself
pnpm diff s01 s02              what a chapter adds`;

function main(): void {
  if (process.argv.length > 2) complain("Usage: pnpm course, which takes nothing");
  const { bold, dim } = colours(process.stdout);
  const chapters = findChapters();
  const rows = chapters.map((chapter, i) => rowOf(chapter, chapters[i - 1]));
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (RIGHT.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  console.log([bold(line(HEADINGS)), ...rows.map(line), dim(HINTS)].join("\n"));
}

function rowOf(chapter: Chapter, before: Chapter | undefined): string[] {
  const code = readFileSync(chapter.code, "utf8");
  const parts = partsOf(chapter).reduce((sum, { lines }) => sum + lines, 0);
  const changes = diffLines(before ? readFileSync(before.code, "utf8") : "", code, { timeout: DIFF_TIMEOUT });
  const added = changes?.filter((change) => change.added).reduce((sum, { count }) => sum + count, 0);
  return [
    chapter.name,
    titleOf(chapter),
    String(countLines(code)),
    parts > 0 ? `+${parts}` : "",
    String(added ?? "?"),
    exerciseState(chapter, code),
  ];
}

function exerciseState({ exercise }: Chapter, code: string): string {
  if (!existsSync(exercise)) return "–";
  const { functions, written } = exerciseProgress(code, readFileSync(exercise, "utf8"));
  return `${written} of ${functions} written`;
}

main();
