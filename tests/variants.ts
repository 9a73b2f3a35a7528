/** Variants of a chapter's code on which its tests must fail: a function emptied, a solution that is wrong. */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Chapter } from "../shared/course/chapters.ts";
import { emptied, exerciseFunctions, withBody } from "../shared/course/exercise-functions.ts";
import { notWritten } from "../shared/course/unwritten.ts";
import { wrongSolutions } from "./wrong-solutions/index.ts";

/** A solution that looks right and is not: one function's body, or a few places of the code, replaced. */
export type WrongSolution = {
  /** What it does wrong, as "fail on …" goes on. */
  name: string;
  /** In the name of the test that must notice it. No other is run: a fault is told by the test that is about it. */
  noticedBy: string;
  /** It makes that test wait in vain; only then is running out of time a failure that counts. */
  hangs?: true;
} & ({ of: string; body: string } | { changes: [from: string, to: string][] });

export interface Variant {
  name: string;
  /** The chapter's whole code with the change in it. Throws when the change does not fit the code (any more). */
  apply: (code: string) => string;
  /** In the name of the one test to run; without it any may notice. */
  noticedBy?: string;
  /** That test waits in vain. */
  hangs?: boolean;
  /** Is it because of the change that a test failed with this error? */
  isTelling: (error: { name: string; message: string }) => boolean;
}

/** All variants of a chapter, each of which its tests have to notice. */
export function variantsOf({ name, code: file }: Pick<Chapter, "name" | "code">): Variant[] {
  const empty = exerciseFunctions(readFileSync(file, "utf8")).map((one) => ({
    name: `without ${one.name}`,
    apply: (code: string) => emptied(code, [one]),
    isTelling: (error: { name: string; message: string }) =>
      error.name === "AssertionError" || error.message.includes(notWritten(one.name)),
  }));
  const wrong = (wrongSolutions[name] ?? []).map((solution) => ({
    name: solution.name,
    noticedBy: solution.noticedBy,
    hangs: solution.hangs === true,
    apply: (code: string) => applySolution(code, solution),
    isTelling: ({ message }: { message: string }) => solution.hangs === true || !/timed out in \d+ms/.test(message),
  }));
  return [...empty, ...wrong];
}

function applySolution(code: string, solution: WrongSolution): string {
  if ("body" in solution) {
    const found = exerciseFunctions(code).find(({ name }) => name === solution.of);
    if (!found) throw new Error(`the wrong solution "${solution.name}" is of ${solution.of}, which is no exercise`);
    return withBody(code, found, solution.body);
  }
  return solution.changes.reduce((rest, [from, to]) => {
    const [before, after, ...more] = rest.split(from);
    if (before !== undefined && after !== undefined && more.length === 0) return before + to + after;
    throw new Error(`the wrong solution "${solution.name}" does not fit the code: not once in it is ${from}`);
  }, code);
}

/** The tests of a chapter that may notice one variant, up to the first that does; the rest would tell nothing more. */
export function describeVariant({ name, hangs = false, isTelling }: Variant, load: () => Promise<unknown>): void {
  // oxlint-disable-next-line vitest/valid-title -- it is a string
  describe(name, async () => {
    let noticed = false;
    vi.setConfig({ testTimeout: hangs ? HANGING_MS : 30_000 });
    beforeEach(({ skip }) => skip(noticed));
    afterEach(({ task }) => {
      if (!task.result?.errors?.some((error) => isTelling({ ...error, name: error.name ?? "" }))) return;
      noticed = true;
      task.meta.noticed = true;
    });
    try {
      await load();
    } catch (error) {
      // oxlint-disable-next-line vitest/valid-title -- it is a string
      test(DOES_NOT_LOAD, () => expect.unreachable(String(error)));
    }
  });
}

/** How long a test may wait in vain, in ms. */
const HANGING_MS = 2000;

declare module "vitest" {
  interface TaskMeta {
    /** It failed because of the variant. */
    noticed?: true;
  }
}

/** The name of the one test of a variant that cannot be loaded: which says nothing about the chapter's tests. */
export const DOES_NOT_LOAD = "does not load";
