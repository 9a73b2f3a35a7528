import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { exercisePlugin } from "./shared/course/exercise-plugin.ts";

// Set by `pnpm exercise`: the chapters whose tests run, and only they, on the reader's own version.
const exercises = process.env.EXERCISE?.split(",") ?? [];

export default defineConfig({
  plugins: [exercisePlugin(exercises)],
  test: {
    // Many tests wait for processes, which a busy machine starts slowly; and two cores can wait twice at a time.
    testTimeout: 30_000,
    maxWorkers: Math.max(2, availableParallelism()),
    include:
      exercises.length > 0
        ? exercises.map((name) => `chapters/${name}/code.test.ts`)
        : ["chapters/**/*.test.ts", "shared/**/*.test.ts", "tests/**/*.test.ts"],
  },
});
