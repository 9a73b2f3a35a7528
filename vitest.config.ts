import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { exercisePlugin } from "./shared/course/exercise-plugin.ts";

export default defineConfig({
  // Set by `pnpm exercise`: the chapters whose tests run on the reader's own version.
  plugins: [exercisePlugin(process.env.EXERCISE?.split(",") ?? [])],
  test: {
    // Many tests wait for processes, which a busy machine starts slowly; and two cores can wait twice at a time.
    testTimeout: 30_000,
    maxWorkers: Math.max(2, availableParallelism()),
    include: ["chapters/**/*.test.ts", "shared/**/*.test.ts", "tests/**/*.test.ts"],
  },
});
