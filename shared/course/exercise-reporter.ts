/** Vitest's results as somebody reads them who writes a chapter's functions: how far it is, and the next test to make pass. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { repositoryRoot } from "../settings.ts";
import { findChapters } from "./chapters.ts";
import { colours } from "./colours.ts";
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
    if (reason === "interrupted" && !failed) console.log("The run was stopped.");
    else
      console.log(
        modules
          .toSorted(byChapter)
          .map((module) => report(module, this.#begun))
          .join("\n"),
      );
    for (const error of errors) console.log(describe(error));
    if (this.#watching) console.log(dim("\nSave exercise.ts to run the tests again; q leaves."));
  }
}

const byChapter = (a: TestModule, b: TestModule) => a.moduleId.localeCompare(b.moduleId);

/** One chapter: how many tests pass, and the first that does not. `begun`: the test that began last. */
function report(module: TestModule, begun: string): string {
  const chapters = findChapters();
  const index = chapters.findIndex(({ test }) => test === module.moduleId);
  const chapter = chapters[index];
  const next = chapters[index + 1];
  if (!chapter) return "";
  const [loading] = module.errors();
  if (loading) return `${red("✗")} ${chapter.name}: the exercise does not run\n${describe(loading)}`;

  const tests = [...module.children.allTests()];
  const passed = tests.filter((test) => test.result().state === "passed");
  const failed = tests.find((test) => test.result().state === "failed");
  if (!failed && passed.length < Math.max(tests.length, 1)) {
    return `${red("✗")} ${chapter.name}: the tests broke off in "${begun}". Is there a loop that never ends?`;
  }
  if (!failed) {
    const goOn = next
      ? `Go on with: pnpm exercise ${next.name}`
      : `It is the newest one. Compare with ours: pnpm exercise ${chapter.name} --solution`;
    return `${green("✓")} ${bold(`${chapter.name} is solved`)}: all ${passed.length} tests pass. ${goOn}`;
  }
  const missing = unwrittenNames(readFileSync(chapter.exercise, "utf8"));
  return [
    `${bold(chapter.name)} · ${passed.length} of ${tests.length} tests pass, up to this one:\n`,
    `${red("✗")} ${failed.fullName} ${dim(`(${placeOf(failed)})`)}`,
    ...(missing.length > 0 ? [`    Still to be written: ${missing.join(", ")}`] : []),
    ...(failed.result().errors ?? []).map(describe),
  ].join("\n");
}

/** What went wrong and where, nearest to the reader's code. */
function describe({ message, diff, stacks = [] }: Failure): string {
  const own = stacks.filter(({ file }) => !file.includes("node_modules"));
  const place = own.find(({ file }) => file.endsWith("exercise.ts")) ?? own[0];
  const where = place && dim(`at ${relative(repositoryRoot, place.file)}:${place.line}`);
  return indent([message, where, diff && `\n${diff}`].filter(Boolean).join("\n"));
}

const placeOf = ({ module, location }: TestCase) =>
  [relative(repositoryRoot, module.moduleId), location?.line].filter(Boolean).join(":");
const indent = (text: string) => text.replaceAll(/^(?=.)/gm, "    ");
