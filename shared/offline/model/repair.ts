/**
 * Fail, fix, pass: runs the tests and, where they fail, tries changes of one token one at a time until they pass. What
 * did not help is put back. A search and no intelligence, and really a fix.
 */
import { findCommand, quote, type ToolCall } from "./hands.ts";
import { DEFINITION, mutationsOf, type Mutation } from "./mutations.ts";
import { cut, excerpt, isNothing, linesOf } from "./results.ts";
import { isRecord } from "./schema.ts";
import type { Outcome } from "./turn.ts";
import { attempt, Failed, Stopped, type Means, type Step, type Work } from "./work.ts";
import { fenced } from "./words.ts";

const MOST_ATTEMPTS = 40;
const MOST_FILES = 25;
const IS_TEST =
  /(?:^|\/)(?:test_[^/]*\.py|[^/]*_test\.py|(?:[^/]*\.)?(?:tests?|spec)\.(?:[cm]?[jt]sx?|py))$|(?:^|\/)(?:tests?|__tests__)\//;
const IS_CODE = /(?<!\.config|\.d)\.(?:[cm]?[jt]s|py)$/;

interface Project {
  /** The command that runs the tests. */
  command: string;
  /** The same with an end to it, where the system can give it one. */
  limited: string;
  files: string[];
}

export const runTests = ({ hands, tell }: Means): Step => ({
  verb: "run",
  object: tell("theTests"),
  *work() {
    const { command } = yield* survey({ hands, tell });
    const [outcome] = yield* attempt([hands.run(command)]);
    if (outcome && passes(outcome)) return `${tell("testsPass", command)}${fenced(excerpt(outcome.output))}`;
    throw new Stopped(tell("testsFail", command, fenced(excerpt(outcome?.output ?? ""))));
  },
});

export const whyTestsFail = ({ hands, tell }: Means): Step => ({
  verb: "check",
  object: tell("theTests"),
  *work() {
    const { command } = yield* survey({ hands, tell });
    const [outcome] = yield* attempt([hands.run(command)]);
    return outcome && passes(outcome)
      ? tell("testsPass", command)
      : tell("testsFail", command, fenced(complaintIn(outcome?.output ?? "")));
  },
});

export const fixTests = (means: Means): Step => ({
  verb: "fix",
  object: means.tell("theTests"),
  work: () => fix(means),
});

function* fix({ hands, tell }: Means): Work<string> {
  const { command, limited, files } = yield* survey({ hands, tell });
  // Every file with the number of each line, so that one answer tells which is which.
  const see = `grep -n '' -- ${[...files.map(quote), "/dev/null"].join(" ")}`;
  let looks: ToolCall[] = [hands.run(limited), hands.run(see)];
  let seen = yield* attempt(looks);
  if (seen[0] && passes(seen[0])) return tell("nothingToFix", command);
  if (/No module named|: (?:command )?not found|Cannot find module '(?!\.)|Missing script/.test(seen[0]?.output ?? ""))
    throw new Failed(seen.slice(0, 1));

  const tried = new Set<string>();
  let undone: (file: SourceFile) => string = ({ text }) => text;
  while (tried.size < MOST_ATTEMPTS) {
    // What was seen long ago may be gone from the conversation: each look is of its own, and tells what comes next.
    looks = seen.map(({ name, input }) => ({ name, input }));
    const sources = filesIn(seen[1]?.output ?? "").map((file) => ({ path: file.path, text: undone(file) }));
    const next = candidates(sources, seen[0]?.output ?? "")
      .map((one) => Object.assign(one, uniquely(one, sources.find(({ path }) => path === one.path)?.text ?? "")))
      .find(({ path, old, to }) => !tried.has(JSON.stringify(hands.edit(path, old, to).input)));
    const isGone = sources.length === 0 && !isNothing(seen[1]?.output ?? "");
    if (!next && !isGone) break;
    const { path = "", old = "", to = "", line = 0, before = "", after = "" } = next ?? {};
    const what = cut(`${before.trim()} → ${after.trim()}`, 160);
    const text = tell("attempt", tried.size + 1, path, line + 1, what);
    if (next) for (const call of tried.size === 0 ? hands.readsFirst(path) : []) yield* attempt([call]);
    const [edited] = yield* attempt([hands.edit(path, old, to)], text);
    tried.add(JSON.stringify(edited?.input));
    if (edited?.failed) throw new Failed([edited]);
    seen = yield* attempt(looks);
    const call = { name: edited?.name ?? "", input: edited?.input ?? {} };
    const change = hands.edited(call) ?? { path, old, to };
    if (seen[0] && passes(seen[0]))
      return tell("fixed", ...placeOf(change, seen[1]?.output ?? ""), command, tried.size);
    yield* attempt([hands.undo(call)]);
    undone = (file) => (isSame(file.path, change.path) ? file.text.replace(change.to, () => change.old) : file.text);
  }
  throw new Stopped(tell("notFixed", tried.size, fenced(complaintIn(seen[0]?.output ?? ""))));
}

interface SourceFile {
  path: string;
  text: string;
}

/** Tests are never changed; a file that asserts at its top level is one, whatever its name. */
const isTest = ({ path, text }: SourceFile): boolean =>
  IS_TEST.test(path) ||
  /["'](?:node:test|vitest)["']|^(?:import|from) (?:unittest|pytest)\b|^(?:await )?assert\b/m.test(text);

const isSame = (path: string, given: string): boolean => path === given || given.endsWith(`/${path}`);

/** File, line, and the line before and after a change, as a look behind it shows them. */
function placeOf(
  { path, old, to }: { path: string; old: string; to: string },
  output: string,
): [string, number, string, string] {
  const file = filesIn(output).find((one) => isSame(one.path, path));
  const [before, after] = [old.split("\n"), to.split("\n")];
  const at = after.findIndex((line, i) => line !== before[i]);
  const start = file?.text.slice(0, Math.max(0, file.text.indexOf(to))).split("\n").length ?? 1;
  return [file?.path ?? path, start + at, before[at]?.trim() ?? "", after[at]?.trim() ?? ""];
}

const passes = ({ failed, output }: Outcome): boolean =>
  !failed && !/^(?:# fail [1-9]|FAILED \(|not ok \d)|\b[1-9]\d* failed\b|^\s*Tests:\s+[1-9]\d* failed/m.test(output);

/** How the tests of this project are run, and what code there is. */
function* survey({ hands, tell }: Pick<Means, "hands" | "tell">): Work<Project> {
  const [list, manifest, limit] = yield* attempt([
    hands.run(`${findCommand(".")} | head -n 500`),
    hands.run("cat package.json 2>/dev/null || true"),
    hands.run("command -v timeout || true"),
  ]);
  const files = linesOf([{ output: list?.output ?? "" }])
    .filter((file) => IS_CODE.test(file) && !/(?:^|\/)(?:dist|build|coverage|\.venv|venv|__pycache__)\//.test(file))
    .toSorted()
    .slice(0, MOST_FILES);
  const command = testCommand(
    manifest?.output ?? "",
    files.filter((file) => IS_TEST.test(file)),
    list?.output ?? "",
  );
  if (command === undefined) throw new Stopped(tell("noTests"));
  // A change may make a loop endless: where there is a program that ends it, no run takes long.
  return { command, files, limited: limit?.output.includes("timeout") ? `timeout 20 ${command}` : command };
}

function testCommand(manifest: string, tests: string[], listing: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(manifest);
  } catch {
    parsed = undefined; // no package.json, or one that npm cannot read either
  }
  const { scripts, dependencies, devDependencies } = isRecord(parsed) ? parsed : {};
  const script = isRecord(scripts) ? scripts.test : undefined;
  if (typeof script === "string" && !script.includes("no test specified")) return "npm test";
  const packages = { ...(isRecord(dependencies) && dependencies), ...(isRecord(devDependencies) && devDependencies) };
  if ("vitest" in packages) return "npx vitest run";
  if ("jest" in packages) return "npx jest";
  const [first] = tests;
  if (first === undefined) return undefined;
  if (first.endsWith(".py")) {
    if (/(?:^|\/)(?:pytest\.ini|conftest\.py)$/m.test(listing)) return "python3 -m pytest -q";
    const folder = /^(.*)\//.exec(first)?.[1];
    return folder === undefined ? "python3 -m unittest" : `python3 -m unittest discover -s ${quote(folder)}`;
  }
  return tests.some((file) => /\.[cm]?tsx?$/.test(file))
    ? `npx tsx --test ${tests.map(quote).join(" ")}`
    : `node --test`;
}

/** The files in the answer of `grep -n ''`. */
function filesIn(output: string): SourceFile[] {
  const files = new Map<string, string[]>();
  for (const [, path = "", text = ""] of output.matchAll(/^(.+?):\d+:(.*)$/gm))
    files.set(path, [...(files.get(path) ?? []), text]);
  return [...files].map(([path, lines]) => ({ path, text: lines.join("\n") }));
}

/** The changes worth trying, those first that the failing tests point at. */
function candidates(files: SourceFile[], output: string): (Mutation & { path: string })[] {
  const places = [...output.matchAll(/([\w./-]+\.(?:[cm]?[jt]s|py))(?::|", line )(\d+)/g)].map(
    ([, path = "", line]) => ({ path, line: Number(line) }),
  );
  const pointedAt = (path: string): number[] =>
    places.filter((place) => `/${place.path}`.endsWith(`/${path}`)).map(({ line }) => line);
  const called = new Set<string>();
  for (const { path, text } of files.filter(isTest)) {
    const lines = text.split("\n");
    const spots = pointedAt(path);
    const near = spots.length > 0 ? spots.flatMap((line) => lines.slice(Math.max(0, line - 3), line + 6)) : lines;
    for (const [, name = ""] of near.join("\n").matchAll(/\b(\w+)\(/g)) called.add(name);
  }
  return files
    .filter((file) => !isTest(file))
    .flatMap(({ path, text }) => {
      const lines = text.split("\n");
      const owners: string[] = [];
      for (const line of lines) {
        const found = DEFINITION.exec(line)?.slice(1).find(Boolean);
        owners.push(
          found !== undefined && !/^(?:if|for|while|switch|catch)$/.test(found) ? found : (owners.at(-1) ?? ""),
        );
      }
      const bodies = lines.filter((_, i) => called.has(owners[i] ?? "")).join("\n");
      const inner = new Set([...bodies.matchAll(/\b(\w+)\(/g)].map(([, name = ""]) => name));
      const spots = new Set(pointedAt(path).map((line) => owners[line - 1] ?? ""));
      const far = (line: number): number => {
        const owner = owners[line] ?? "";
        if (spots.has(owner) || called.has(owner)) return 0;
        return inner.has(owner) || owner === "" ? 5 : 10;
      };
      return mutationsOf(text, path.endsWith(".py"), output).map((one) =>
        Object.assign(one, { path, weight: one.weight + far(one.line) }),
      );
    })
    .toSorted((a, b) => a.weight - b.weight);
}

/** A change with as many lines around it as make it the only such place. */
function uniquely({ line, before, after }: Mutation, text: string): { old: string; to: string } {
  const lines = text.split("\n");
  let [start, end] = [line, line + 1];
  const part = (middle: string): string =>
    [...lines.slice(start, line), middle, ...lines.slice(line + 1, end)].join("\n");
  while (text.split(part(before)).length > 2 && (start > 0 || end < lines.length)) {
    start = Math.max(0, start - 1);
    end = Math.min(lines.length, end + 1);
  }
  return { old: part(before), to: part(after) };
}

/** What of a test run tells why. */
function complaintIn(output: string): string {
  const lines = output.split("\n");
  const at = lines.findIndex((line) => /AssertionError|\b\w*Error\b|^not ok|✖|FAIL|expected/i.test(line));
  return excerpt(lines.slice(Math.max(0, at - 2), at < 0 ? undefined : at + 16).join("\n"));
}
