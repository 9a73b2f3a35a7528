/** Every chapter's tests on its code, and once more for each of its exercises with just that function emptied. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";
import type { Reporter } from "vitest/node";
import { type Chapter, findChapters } from "../shared/course/chapters.ts";
import { emptied, type ExerciseFunction, exerciseFunctions } from "../shared/course/exercise-functions.ts";

/** Empties a function as the file is loaded; nothing is written. */
const emptying = (file: string, exercise: ExerciseFunction): Plugin => ({
  name: "emptying",
  enforce: "pre",
  transform: (code, id) => (id === file ? emptied(code, [exercise]) : undefined),
});

/** A run of a chapter's tests; with an exercise, of how they fare without it. */
const runOf = ({ name, folder, code, test }: Chapter, exercise?: ExerciseFunction) => ({
  plugins: exercise ? [emptying(code, exercise)] : [],
  test: {
    name: exercise ? `${name} without ${exercise.name}` : name,
    root: folder,
    include: [basename(test)],
    // ms. What waits for an emptied function waits in vain; the rest may wait for a busy machine.
    testTimeout: exercise ? 1000 : 30_000,
  },
});

const projects = findChapters().flatMap((chapter) =>
  [undefined, ...exerciseFunctions(readFileSync(chapter.code, "utf8"))].map((exercise) => runOf(chapter, exercise)),
);

export interface Report {
  runs: { project: string; errors: string[]; tests: { name: string; state: string; errors: string[] }[] }[];
  unhandled: string[];
}

/** Prints a Report: what became of each project's tests. The built-in JSON leaves out the project. */
const reporter: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const runs = modules.map((module) => ({
      project: module.project.name,
      errors: module.errors().map(({ message }) => message),
      tests: [...module.children.allTests()].map((test) => {
        const { state, errors = [] } = test.result();
        return { name: test.fullName, state, errors: errors.map(({ name, message }) => `${name}: ${message}`) };
      }),
    }));
    const report: Report = { runs, unhandled: unhandled.map(({ message }) => message) };
    console.log(JSON.stringify(report));
  },
};

export default defineConfig({ test: { projects, reporters: [reporter], maxWorkers: availableParallelism() } });
