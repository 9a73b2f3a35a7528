import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { exercisePlugin } from "./shared/course/exercise-plugin.ts";

// Set by `pnpm exercise`: the chapters whose tests run, and only they, on the reader's own version.
const exercises = process.env.EXERCISE?.split(",") ?? [];

const ofExercises = {
  include: exercises.map((name) => `chapters/${name}/code.test.ts`),
  setupFiles: ["./shared/course/watchdog.ts"],
  testTimeout: 5000,
};
const ofAll = {
  include: ["chapters/**/*.test.ts", "shared/**/*.test.ts", "tests/**/*.test.ts"],
  // Many tests wait for processes, which a busy machine starts slowly; and two cores can wait twice at a time.
  testTimeout: 30_000,
};

export default defineConfig({
  plugins: [exercisePlugin(exercises)],
  test: {
    maxWorkers: Math.max(2, availableParallelism()),
    chaiConfig: { truncateThreshold: 400 }, // a failure shows what was there, and what should have been
    ...(exercises.length > 0 ? ofExercises : ofAll),
  },
});
