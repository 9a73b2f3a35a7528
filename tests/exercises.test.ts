/** The tests of a chapter are what its exercise is measured by: they must pass on the code, and fail where it is empty. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findChapters } from "../shared/course/chapters.ts";
import { exerciseFunctions } from "../shared/course/exercise-functions.ts";
import { notWritten } from "../shared/course/unwritten.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Report } from "./exercises.config.ts";

type Run = Report["runs"][number];

const chapters = findChapters().map((chapter) => ({
  name: chapter.name,
  exercises: exerciseFunctions(readFileSync(chapter.code, "utf8")),
}));
const exercises = chapters.flatMap(({ name, exercises: all }) =>
  all.map((exercise) => ({ chapter: name, ...exercise })),
);

describe("the exercises", () => {
  test.each(chapters)("$name has one", ({ exercises: all }) => {
    expect(all).not.toEqual([]);
  });

  test.each(exercises)("$chapter $name says what to write", ({ hint }) => {
    expect(hint.length).toBeGreaterThan(60);
  });
});

describe("the chapters' tests", () => {
  let runs: Map<string, Run>;
  beforeAll(async () => {
    runs = await runAll();
  }, 300_000);

  test.each(chapters)("pass on $name", ({ name }) => {
    const run = runs.get(name);
    expect(run).toMatchObject({ errors: [], tests: expect.arrayContaining([expect.anything()]) });
    expect(run?.tests.filter(({ state }) => state === "failed")).toEqual([]);
  });

  test.each(exercises)("fail on $chapter without $name", ({ chapter, name }) => {
    const run = runs.get(`${chapter} without ${name}`);
    // That it does not load, or waits for ever, says nothing about the function.
    expect(run?.errors).toEqual([]);
    expect(run?.tests).toHaveLength(runs.get(chapter)?.tests.length ?? 0);
    const reasons = run?.tests.flatMap(({ errors }) => errors) ?? [];
    const telling = reasons.filter((error) => error.startsWith("AssertionError") || error.includes(notWritten(name)));
    expect(telling).not.toEqual([]);
  });
});

/** All runs by their project. Rejects when the run itself goes wrong; that tests fail is what is wanted. */
async function runAll(): Promise<Map<string, Run>> {
  const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--config", "tests/exercises.config.ts"], {
    cwd: repositoryRoot,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const report = /^\{"runs".*$/m.exec(await text(child.stdout));
  if (!report) throw new Error("the run gave no report");
  const { runs, unhandled }: Report = JSON.parse(report[0]);
  if (unhandled.length > 0) throw new Error(unhandled.join("\n"));
  return new Map(runs.map((run) => [run.project, run]));
}
