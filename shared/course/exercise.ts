/** `pnpm exercise s05`: write a chapter's functions again, with its tests to tell you how far you are. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { repositoryRoot } from "../settings.ts";
import { type Chapter, findChapter, findChapters } from "./chapters.ts";
import { complain, runCommand } from "./command.ts";
import type { ExerciseFunction } from "./exercise-functions.ts";

const USAGE = `Usage: pnpm exercise s05             make chapters/s05/exercise.ts, and run the chapter's tests on it
       pnpm exercise s05 --reset     begin again: replace your exercise.ts by an empty one
       pnpm exercise s05 --solution  show the functions as the chapter has them
       pnpm exercise --all           run the tests of all your exercises once`;

export async function exercise(words: string[]): Promise<void> {
  const { name, reset, solution, all } = readArguments(words);
  if (all) return runAll();
  const chapter = findChapter(name);
  if (solution) return showSolution(chapter);
  if (reset) await confirmReset(chapter);
  if (reset || !existsSync(chapter.exercise)) await writeExercise(chapter);
  runTests([chapter], ["--bail", "1"]);
}

function readArguments(words: string[]) {
  try {
    const options = { reset: { type: "boolean" }, solution: { type: "boolean" }, all: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [name = "", ...others] = positionals;
    const wishes = Object.keys(values).length;
    if (wishes <= 1 && others.length === 0 && (name === "") === (values.all === true)) return { name, ...values };
  } catch {
    // an option that there is not
  }
  return complain(USAGE);
}

async function writeExercise(chapter: Chapter): Promise<void> {
  const { emptied } = await compiler();
  const functions = await markedFunctions(chapter);
  writeFileSync(chapter.exercise, emptied(readFileSync(chapter.code, "utf8"), functions));
  const names = functions.map(({ name }) => name).join(", ");
  console.log(`${relative(repositoryRoot, chapter.exercise)} is yours. To write: ${names}.`);
}

/** Loads the TypeScript compiler, which takes longer than all the rest: not each time the tests are started. */
const compiler = () => import("./exercise-functions.ts");

async function markedFunctions({ name, code }: Chapter): Promise<ExerciseFunction[]> {
  const { exerciseFunctions } = await compiler();
  const functions = exerciseFunctions(readFileSync(code, "utf8"));
  return functions.length > 0 ? functions : complain(`${name} has no exercise: no function is marked @exercise.`);
}

/** Nothing of the reader's is lost without a yes; where nobody can be asked, nothing is lost at all. */
async function confirmReset({ name, exercise: path }: Chapter): Promise<void> {
  if (!existsSync(path)) return;
  const file = relative(repositoryRoot, path);
  if (!process.stdin.isTTY) complain(`${file} has your work in it: --reset asks on a terminal. Or delete it yourself.`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`Throw away your ${file} and begin ${name} again? [y/N] `);
  lines.close();
  if (!["y", "yes"].includes(answer.trim().toLowerCase())) complain("Nothing was changed.");
}

async function showSolution(chapter: Chapter): Promise<void> {
  console.log((await markedFunctions(chapter)).map(({ text }) => text).join("\n\n"));
}

function runAll(): void {
  const chapters = findChapters().filter((chapter) => existsSync(chapter.exercise));
  if (chapters.length === 0) complain("There is no exercise yet: pnpm exercise s01 makes the first.");
  runTests(chapters, ["--run"]);
}

/** Runs the tests of chapters on their exercises; on a terminal Vitest watches, unless told to run once. */
function runTests(chapters: Chapter[], options: string[]): void {
  const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
  const reporter = join(import.meta.dirname, "exercise-reporter.ts");
  // A loop that never ends may fill the memory before the watchdog sees it: then it ends by that, not with the machine.
  const general = ["--reporter", reporter, "--execArgv=--max-old-space-size=800"];
  const tests = chapters.map(({ test }) => test);
  const stuck = join(tmpdir(), `exercise-${process.pid}.json`);
  const { status } = spawnSync(process.execPath, [vitest, ...general, ...options, ...tests], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      EXERCISE: chapters.map(({ name }) => name).join(","),
      EXERCISE_STUCK: stuck,
      ...(!process.stdout.isTTY && { NO_COLOR: "1" }),
    },
    stdio: "inherit",
  });
  rmSync(stuck, { force: true });
  process.exitCode = process.stdout.isTTY ? 0 : (status ?? 1); // to leave the watching is no failure
}

await runCommand(import.meta, exercise);
