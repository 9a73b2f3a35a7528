/** The tests of a chapter are what its exercise is measured by: they must fail where it is empty, and where it is wrong. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { beforeAll, describe, expect, test, type TaskMeta } from "vitest";
import { findChapters } from "../shared/course/chapters.ts";
import { exerciseFunctions } from "../shared/course/exercise-functions.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { DOES_NOT_LOAD, variantsOf } from "./variants.ts";

const chapters = findChapters();
const exercises = chapters.map(({ name, code }) => ({
  name,
  functions: exerciseFunctions(readFileSync(code, "utf8")),
}));
const variants = chapters.flatMap((chapter) =>
  variantsOf(chapter).map(({ name }) => ({ name, chapter: chapter.name, file: chapter.test })),
);

describe("the exercises", () => {
  test.each(exercises)("$name has one", ({ functions }) => {
    expect(functions).not.toEqual([]);
  });

  test.each(
    exercises.flatMap(({ name: chapter, functions }) => functions.map(({ name, hint }) => ({ chapter, name, hint }))),
  )("$chapter $name says what to write", ({ hint }) => {
    expect(hint.length).toBeGreaterThan(60);
  });
});

// That they pass on the code as it is, the chapter's own run says.
describe("the tests of a chapter notice", () => {
  let results: Report["testResults"];
  beforeAll(async () => {
    results = await runVariants();
  }, 550_000);

  test.each(variants)("$chapter: $name", ({ name, file }) => {
    const all = results.find((result) => result.name === file)?.assertionResults ?? [];
    const ran = all.filter(({ ancestorTitles, status }) => ancestorTitles[0] === name && status !== "skipped");
    expect(ran).not.toEqual([]);
    expect(ran.filter(({ title }) => title === DOES_NOT_LOAD)).toEqual([]);
    expect(ran.map(({ title, meta }) => [title, meta.noticed ?? false])).toContainEqual([expect.anything(), true]);
  });
});

/** What Vitest's JSON reporter writes, as far as it matters. */
interface Report {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string; meta: TaskMeta }[];
  }[];
}

/** Runs each chapter's tests on all its variants. That tests fail is what is wanted. */
async function runVariants(): Promise<Report["testResults"]> {
  const folder = mkdtempSync(join(tmpdir(), "variants-"));
  const file = join(folder, "report.json");
  try {
    const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
    const options = ["--config", "tests/exercises.config.ts", "--reporter=json", `--outputFile=${file}`];
    const child = spawn(process.execPath, [vitest, "run", ...options], {
      cwd: repositoryRoot,
      stdio: ["ignore", "ignore", "inherit"],
      timeout: 540_000, // ms
      killSignal: "SIGKILL",
    });
    await once(child, "close");
    const { testResults }: Report = JSON.parse(readFileSync(file, "utf8"));
    return testResults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
