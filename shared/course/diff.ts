/** `pnpm diff s02 s03`: what a chapter adds, read from the two live agents; then the code. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { repositoryRoot } from "../settings.ts";
import { type Chapter, complain, DIFF_TIMEOUT, findChapter, findChapters, partsOf, titleOf } from "./chapters.ts";
import { colours } from "./colours.ts";
import { dissect } from "./live-agent.ts";

const { bold, cyan, dim, green, red } = colours(process.stdout);

async function main(): Promise<void> {
  const [before, after] = readArguments(process.argv.slice(2));
  const old = await dissect(before);
  const now = await dissect(after);
  console.log(bold(`${before.name} → ${after.name} · ${titleOf(after)}\n`));
  console.log(`  tools   ${marked(old.tools, now.tools, "  ") || dim("none")}`);
  console.log(`  prompt  ${marked(old.prompt, now.prompt, "  ") || dim("none")}`);
  for (const step of ["model", "tool", "turn"] as const) {
    console.log(`  ${step.padEnd(6)}  ${marked(old[step], now[step], " ▸ ") || dim("as in s01")}`);
  }
  console.log(`\n${codeDiff(before, after)}`);
}

/** The two chapters; one alone is compared with the chapter before it. */
function readArguments([first, second, ...more]: string[]): [Chapter, Chapter] {
  if (first === undefined || first.startsWith("-") || more.length > 0)
    return complain("Usage: pnpm diff s02 s03, or pnpm diff s03");
  const one = findChapter(first);
  if (second !== undefined) {
    const other = findChapter(second);
    return one.name === other.name ? complain(`${one.name} and ${one.name} are one chapter.`) : [one, other];
  }
  const chapters = findChapters();
  const before = chapters[chapters.findIndex(({ name }) => name === one.name) - 1];
  return before ? [before, one] : complain(`${one.name} is the first chapter: there is none before it.`);
}

/** The items of both lists in their order, with a mark at those that came and those that went. */
function marked(old: string[], now: string[], separator: string): string {
  const changes = diffArrays(old, now);
  const items = changes.flatMap(({ value, added, removed }) =>
    value.map((item) => (added ? green(`+${item}`) : removed ? red(`−${item}`) : item)),
  );
  return items.join(separator);
}

/** How many lines came and went in code.ts, the parts beside it, and the unified diff of code.ts. */
function codeDiff(before: Chapter, after: Chapter): string {
  const oldName = relative(repositoryRoot, before.code);
  const newName = relative(repositoryRoot, after.code);
  const [oldCode, newCode] = [readFileSync(before.code, "utf8"), readFileSync(after.code, "utf8")];
  const options = { timeout: DIFF_TIMEOUT };
  const patch = structuredPatch(oldName, newName, oldCode, newCode, undefined, undefined, options);
  if (!patch) return `${oldName} and ${newName} differ too much to be compared.`;

  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  const parts = partsOf(after).map(({ name, lines: length }) => `${name} (${length})`);
  return [
    `code.ts: ${green(`${added} new lines`)}; ${removed} of ${before.name} are not repeated, what is needed is imported`,
    ...(parts.length > 0 ? [`beside it, with their lines: ${parts.join(", ")}`] : []),
    "",
    ...withoutLongRemovals(formatPatch(patch, FILE_HEADERS_ONLY).trimEnd().split("\n"), before.name).map(coloured),
  ].join("\n");
}

const SHOWN_REMOVALS = 4; // lines in a row

/** A chapter imports the one before it, so what it does not repeat is not gone: a long run of it is only counted. */
function withoutLongRemovals(lines: string[], from: string): string[] {
  const shown: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const rest = lines.slice(at);
    const end = rest.findIndex((line) => !line.startsWith("-") || line.startsWith("---"));
    const run = end < 0 ? rest.length : end;
    if (run <= SHOWN_REMOVALS) shown.push(lines[at] ?? "");
    else {
      shown.push(`-… ${run} lines of ${from}`);
      at += run - 1;
    }
  }
  return shown;
}

function coloured(line: string): string {
  if (line.startsWith("---") || line.startsWith("+++")) return bold(line);
  if (line.startsWith("+")) return green(line);
  if (line.startsWith("-")) return red(line);
  return line.startsWith("@@") ? cyan(line) : line;
}

await main();
