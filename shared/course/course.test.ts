/** The course's commands as a reader types them, in a copy of the repository: nobody's exercise is touched. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { repositoryRoot } from "../settings.ts";
import { findChapter } from "./chapters.ts";
import { showDiff } from "./diff.ts";
import { exercise as runExercise } from "./exercise.ts";

vi.setConfig({ testTimeout: 60_000 }); // starts of programs, on a machine that may be busy

let copy: string;
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), "course-")));
  for (const name of ["chapters/s01", "chapters/s02", "shared", "package.json", "vitest.config.ts"]) {
    cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  rmSync(join(copy, "chapters/s01/exercise.ts"), { force: true });
  rmSync(join(copy, "chapters/s02/exercise.ts"), { force: true });
  symlinkSync(join(repositoryRoot, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Runs a program of the copy, without a terminal. */
function run(file: string, ...words: string[]) {
  const tsx = join(copy, "node_modules/.bin/tsx");
  const { status, stdout, stderr } = spawnSync(tsx, [join(copy, file), ...words], { encoding: "utf8", input: "" });
  return { code: status, stdout, stderr };
}
const course = () => run("shared/course/course.ts");
const exercise = (...words: string[]) => run("shared/course/exercise.ts", ...words);

const inCopy = (name: string) => join(copy, "chapters/s01", name);
const read = (name: string) => readFileSync(inCopy(name), "utf8");

describe("pnpm diff", () => {
  test("shows what is new as onions, the outermost first, then the code and what it imports", async () => {
    const shown = await showDiff(["s02", "s03"]);
    expect(shown).toMatch(/^s02 → s03 · Permission$/m);
    expect(shown).toMatch(/^ {2}tool +\+permission ▸ dispatch$/m);
    expect(shown).toMatch(/^ {2}turn +loop$/m);
    expect(shown).toMatch(/^ {2}tools +bash {2}read_file/m);
    expect(shown).toMatch(/^chapters\/s03\/code\.ts, \d+ lines$/m);
    expect(shown).toMatch(/^ {2}from s02 +createAgent, .*wrap/m);
    expect(shown).toContain("export function gate(");
    expect(shown).not.toMatch(/^import /m);
    expect(shown).not.toContain("\u001b");
  });

  test("marks what came and what went", async () => {
    const shown = await showDiff(["4", "2"]);
    expect(shown).toMatch(/^ {2}tool +−hooks ▸ dispatch$/m);
    expect(await showDiff(["s05"])).toMatch(/^ {2}tools .* \+todo_write$/m);
  });

  test("compares line by line when asked to", async () => {
    const shown = await showDiff(["s01", "s02", "--lines"]);
    expect(shown).toContain("+++ chapters/s02/code.ts");
    expect(shown).toMatch(/^-export async function agentLoop/m);
  });

  test("is silent when its reader leaves", () => {
    const command = `node_modules/.bin/tsx shared/course/diff.ts s01 s02 | head -1`;
    const { stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: copy, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "s01 → s02 · Tool use\n", stderr: "" });
  });

  test.each(["s02", "2", "02", "S2", "chapters/s02", "chapters/s02/code.ts"])("knows a chapter by %s", (words) => {
    expect(findChapter(words).name).toBe("s02");
  });

  test.each([
    ["nothing", [], "Usage"],
    ["too much", ["s01", "s02", "s03"], "Usage"],
    ["an option", ["--help"], "Usage"],
    ["one chapter twice", ["s02", "2"], "s02 and s02 are one chapter"],
    ["a chapter that is not there", ["s01", "s99"], "There is no chapter s99; there are s01, s02"],
    ["the first chapter alone", ["s01"], "none before it"],
  ])("answers %s with a line", async (_what, words, line) => {
    await expect(showDiff(words)).rejects.toThrow(line);
  });
});

describe("pnpm exercise", () => {
  test("a complaint is a line, without a trace", () => {
    expect(exercise("s99")).toEqual({ code: 1, stdout: "", stderr: "There is no chapter s99; there are s01, s02.\n" });
  });

  test("makes an exercise and shows the first test that fails; the list of chapters knows of it", () => {
    const { code, stdout } = exercise("s01");
    expect(code).toBe(1);
    expect(stdout).toContain("To write: agentLoop.");
    expect(stdout).toMatch(/s01 · 0 of \d+ tests pass/);
    expect(stdout).toContain("agentLoop is not written yet. Its docstring says what to write.");
    expect(stdout).toMatch(/at chapters\/s01\/exercise\.ts:\d+/);
    expect(stdout).not.toContain("\u001b");
    expect(course().stdout).toMatch(/^s01 .* 0 of 1 written, 0 of \d+ tests$/m);
  });

  test("tells a loop that never ends, in which test and in which function", () => {
    const untouched = read("exercise.ts");
    const endless = 'while (true) appendReply([], { content: [], stop_reason: "end_turn" } as never);';
    writeFileSync(inCopy("exercise.ts"), untouched.replace(/throw new Error\(.*\);/, endless));
    const { code, stdout } = exercise("s01");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/ends when a reply asks for no tool\n.*never ends: .* agentLoop is still running/),
    });
  });

  test("shows what was expected and what was there", () => {
    const wrong = read("code.ts").replace(
      "for (const call of calls) results",
      "for (const call of calls.slice(0, 1)) results",
    );
    writeFileSync(inCopy("exercise.ts"), wrong);
    expect(exercise("s01").stdout).toMatch(/the loop > runs the calls of a reply in order[^]*- Expected[^]*"two",/);
  });

  test("goes on with what is written, says what passes, and what comes next", () => {
    writeFileSync(inCopy("exercise.ts"), `${read("code.ts")}// mine\n`);
    expect(exercise("s01")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /s01 is solved: all \d+ tests pass\.[^]*pnpm tsx chapters\/s01\/exercise\.ts[^]*pnpm exercise s02/,
      ),
    });
    expect(read("exercise.ts")).toContain("// mine");
    expect(course().stdout).toMatch(/^s01 .* ✓ solved$/m);
    expect(course().stdout).toMatch(/^s02 .* –$/m);
  });

  test("--all runs all of them once, each up to its first failure", () => {
    writeFileSync(inCopy("../s02/exercise.ts"), "this is no program");
    const { code, stdout } = exercise("--all");
    expect(code).toBe(1);
    expect(stdout).toMatch(/s01 is solved[^]*s02: the exercise does not run/);
  });

  test("--reset throws nothing away when nobody can be asked", () => {
    expect(exercise("s01", "--reset")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("asks on a terminal"),
    });
    expect(read("exercise.ts")).toContain("// mine");
  });

  test.skipIf(!hasScript())("--reset asks on a terminal, and begins again after a yes alone", () => {
    const reset = (answer: string) => {
      const command = `node_modules/.bin/tsx shared/course/exercise.ts s01 --reset`;
      const options = { cwd: copy, input: answer, encoding: "utf8", env: { ...process.env, CI: "1" } } as const;
      return spawnSync("script", ["-qefc", command, "/dev/null"], options).stdout;
    };
    expect(reset("n\r")).toContain("Nothing was changed.");
    expect(read("exercise.ts")).toContain("// mine");
    expect(reset("y\r")).toContain("0 of");
    expect(read("exercise.ts")).toContain("agentLoop is not written yet");
    expect(course().stdout).toMatch(/^s01 .* ✓ solved$/m); // done is done
  });

  test("--solution prints the functions and writes nothing", () => {
    rmSync(inCopy("exercise.ts"), { force: true });
    const { code, stdout } = exercise("s01", "--solution");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/\*\*[^]*export async function agentLoop[^]*\}\n$/);
    expect(existsSync(inCopy("exercise.ts"))).toBe(false);
  });

  test("an exercise is a program too", () => {
    writeFileSync(inCopy("exercise.ts"), read("code.ts"));
    const tsx = join(copy, "node_modules/.bin/tsx");
    const env = { ...process.env, ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "any" };
    expect(spawnSync(tsx, [inCopy("exercise.ts")], { input: "q\n", env, encoding: "utf8" })).toMatchObject({
      status: 0,
    });
  });

  test.each([
    ["nothing", []],
    ["an unknown option", ["s01", "--hint"]],
    ["two wishes at once", ["s01", "--reset", "--solution"]],
  ])("answers %s with what there is", async (_what, words) => {
    await expect(runExercise(words)).rejects.toThrow("Usage");
  });
});

function hasScript(): boolean {
  return spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;
}
