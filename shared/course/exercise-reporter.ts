/** Vitest's results as somebody reads them who writes a chapter's functions: how far it is, and the next test to make pass. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { repositoryRoot } from "../settings.ts";
import { type Chapter, findChapters } from "./chapters.ts";
import { colours } from "./colours.ts";
import { noteRun } from "./progress.ts";
import { STUCK_MS, takeStuck } from "./stuck.ts";
import { unwrittenNames } from "./unwritten.ts";

type Failure = Pick<SerializedError, "message" | "stacks"> & { diff?: string };

const { bold, dim, green, red } = colours(process.stdout);

export default class ExerciseReporter implements Reporter {
  #watching = false;
  #begun = "";

  onInit(vitest: Vitest): void {
    this.#watching = vitest.config.watch;
  }

  onWatcherRerun(): void {
    console.clear();
  }

  onTestCaseReady(test: TestCase): void {
    this.#begun = test.fullName;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    const failed = modules.some((module) => module.state() === "failed"); // the first failure interrupts the run, too
    const stuck = takeStuck();
    if (stuck) console.log(reportStuck(stuck));
    else if (reason === "interrupted" && !failed) console.log("The run was stopped.");
    else {
      const reports = modules.toSorted(byChapter).map((module) => report(module, this.#begun));
      console.log(reports.join("\n\n"));
      for (const error of errors) console.log(describe(error));
    }
    if (this.#watching) console.log(dim("\nSave exercise.ts to run the tests again; q leaves."));
  }
}

const byChapter = (a: TestModule, b: TestModule) => a.moduleId.localeCompare(b.moduleId);

const reportStuck = ({ test, functionName }: NonNullable<ReturnType<typeof takeStuck>>): string =>
  `${red("✗")} ${test ?? "The exercise does not load"}
    This never ends: after ${STUCK_MS / 1000} s without a pause ${functionName ? `${functionName} is` : "it is"} still running. Look for a loop without a way out.`;

/** One chapter: how many tests pass, and the first that does not. `begun`: the test that began last. */
function report(module: TestModule, begun: string): string {
  const chapters = findChapters();
  const index = chapters.findIndex(({ test }) => test === module.moduleId);
  const chapter = chapters[index];
  if (!chapter) return "";
  const [loading] = module.errors();
  if (loading) return `${red("✗")} ${chapter.name}: the exercise does not run\n${describe(loading)}`;

  const tests = [...module.children.allTests()];
  const passed = tests.filter((test) => test.result().state === "passed").length;
  noteRun(chapter.name, { passed, tests: tests.length });
  const failed = tests.find((test) => test.result().state === "failed");
  if (failed) return reportFailure(chapter, failed, `${passed} of ${tests.length}`);
  return passed === tests.length && passed > 0
    ? reportSolved(chapter, passed, chapters[index + 1])
    : `${red("✗")} ${chapter.name}: the tests broke off in "${begun}". Is there a loop that never ends?`;
}

function reportFailure({ name, exercise }: Chapter, failed: TestCase, passed: string): string {
  const missing = unwrittenNames(readFileSync(exercise, "utf8"));
  return [
    `${bold(name)} · ${passed} tests pass, up to this one:\n`,
    `${red("✗")} ${failed.fullName} ${dim(`(${placeOf(failed)})`)}`,
    ...(missing.length > 0 ? [`    Still to be written: ${missing.join(", ")}`] : []),
    ...(failed.result().errors ?? []).map(describe),
  ].join("\n");
}

function reportSolved({ name }: Chapter, tests: number, next: Chapter | undefined): string {
  return [
    `${green("✓")} ${bold(`${name} is solved`)}: all ${tests} tests pass.`,
    `  Run your own agent:   pnpm tsx chapters/${name}/exercise.ts "What files are here?"`,
    `  Compare with ours:    pnpm exercise ${name} --solution`,
    ...(next ? [`  Go on with:           pnpm exercise ${next.name}`] : []),
  ].join("\n");
}

/** What went wrong and where, nearest to the reader's code. Where there is a difference, it says all. */
function describe({ message, diff, stacks = [] }: Failure): string {
  const own = stacks.filter(({ file }) => !file.includes("node_modules"));
  const place = own.find(({ file }) => file.endsWith("exercise.ts")) ?? own[0];
  const where = place && dim(`at ${relative(repositoryRoot, place.file)}:${place.line}`);
  return indent(
    [diff ? "The result is not the one expected:" : explained(message), where, diff && `\n${diff}`]
      .filter(Boolean)
      .join("\n"),
  );
}

const explained = (message: string): string =>
  message.replace(
    /^Test timed out in (\d+)ms\.[^]*/,
    (_all, ms) =>
      `This did not end within ${Number(ms) / 1000} s: it waits for what never comes, or goes round and round.`,
  );

const placeOf = ({ module, location }: TestCase) =>
  [relative(repositoryRoot, module.moduleId), location?.line].filter(Boolean).join(":");
const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
