/** `pnpm diff s02 s03`: what a chapter adds, read from the two live agents as onions; then its code. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { repositoryRoot } from "../settings.ts";
import { type Chapter, countLines, findChapter, findChapters, partsOf, titleOf } from "./chapters.ts";
import { colours } from "./colours.ts";
import { complain, runCommand } from "./command.ts";
import { dissect } from "./live-agent.ts";

const USAGE = `Usage: pnpm diff s02 s03          what s03 adds to s02, then its code
       pnpm diff s03              the same: a chapter and the one before it
       pnpm diff s02 s03 --lines  the two code.ts line by line`;

const { bold, cyan, dim, green, red } = colours(process.stdout);

/** All that there is to show of two chapters, as the words of a command line name them. */
export async function showDiff(words: string[]): Promise<string> {
  const { before, after, lines } = readArguments(words);
  const [old, now] = await Promise.all([dissect(before), dissect(after)]);
  return [
    bold(`${before.name} → ${after.name} · ${titleOf(after)}\n`),
    ...(["model", "tool", "turn"] as const).map(
      (step) => `  ${step.padEnd(6)}  ${marked(old[step], now[step], " ▸ ")}`,
    ),
    `  tools   ${marked(old.tools, now.tools, "  ") || dim("none")}`,
    `  prompt  ${marked(old.prompt, now.prompt, "  ") || dim("none")}`,
    "",
    lines ? lineDiff(before, after) : newCode(after),
  ].join("\n");
}

/** The two chapters; one alone is compared with the chapter before it. */
function readArguments(words: string[]): { before: Chapter; after: Chapter; lines: boolean } {
  const { lines, positionals } = parse(words);
  const [first, second, ...more] = positionals.map(findChapter);
  if (!first || more.length > 0) return complain(USAGE);
  if (second) {
    return first.name === second.name
      ? complain(`${first.name} and ${first.name} are one chapter.`)
      : { before: first, after: second, lines };
  }
  const chapters = findChapters();
  const before = chapters[chapters.findIndex(({ name }) => name === first.name) - 1];
  return before
    ? { before, after: first, lines }
    : complain(`${first.name} is the first chapter: there is none before it.`);
}

function parse(words: string[]): { lines: boolean; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { lines: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    return { lines: values.lines, positionals };
  } catch {
    return complain(USAGE);
  }
}

/** The items of both lists in their order, with a mark at those that came and those that went. */
function marked(old: string[], now: string[], separator: string): string {
  const items = diffArrays(old, now).flatMap(({ value, added, removed }) =>
    value.map((item) => (added ? green(`+${item}`) : removed ? red(`−${item}`) : item)),
  );
  return items.join(separator);
}

const IMPORT = /^import ([^;]*?) from "([^"]+)";\n/gm;

/** A chapter's code with a summary in place of its imports: what it takes from chapters before it comes first. */
function newCode(chapter: Chapter): string {
  const code = readFileSync(chapter.code, "utf8");
  const parts = partsOf(chapter).map(({ name, lines }) => `${name} (${lines})`);
  const imports = [...code.matchAll(IMPORT)].map(([, names = "", from = ""]) => ({
    from,
    names: importedNames(names),
  }));
  const fromChapters = imports.filter(({ from }) => /^s\d\d-/.test(from));
  const others = imports.filter((one) => !fromChapters.includes(one)).map(({ from }) => from);
  return [
    `${bold(relative(repositoryRoot, chapter.code))}, ${countLines(code)} lines`,
    ...(parts.length > 0 ? [`  beside it   ${parts.join(", ")}`] : []),
    ...fromChapters.map(({ from, names }) => `  ${`from ${from.slice(0, 3)}`.padEnd(10)}  ${names}`),
    `  also from   ${others.join(", ")}`,
    "",
    code.replaceAll(IMPORT, "").trim(),
  ].join("\n");
}

const importedNames = (clause: string): string =>
  clause
    .replaceAll(/[{}]|\btype\b/g, " ")
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/ as \w+$/, "")
        .replace(/^\* as /, ""),
    )
    .filter(Boolean)
    .join(", ");

/** How long two programs may be compared, in ms: the time grows with the square of their difference. */
const DIFF_TIMEOUT = 5000;

function lineDiff(before: Chapter, after: Chapter): string {
  const [oldName, newName] = [before, after].map(({ code }) => relative(repositoryRoot, code));
  const [oldText, newText] = [before, after].map(({ code }) => readFileSync(code, "utf8"));
  const options = { timeout: DIFF_TIMEOUT };
  const patch = structuredPatch(
    oldName ?? "",
    newName ?? "",
    oldText ?? "",
    newText ?? "",
    undefined,
    undefined,
    options,
  );
  if (!patch) return `${oldName} and ${newName} differ too much to be compared.`;
  return formatPatch(patch, FILE_HEADERS_ONLY).trimEnd().split("\n").map(coloured).join("\n");
}

function coloured(line: string): string {
  if (line.startsWith("---") || line.startsWith("+++")) return bold(line);
  if (line.startsWith("+")) return green(line);
  if (line.startsWith("-")) return red(line);
  return line.startsWith("@@") ? cyan(line) : line;
}

await runCommand(import.meta, async (words) => console.log(await showDiff(words)));
