import { expect, test } from "vitest";
import { emptied, exerciseFunctions } from "./exercise-functions.ts";
import { exerciseProgress } from "./unwritten.ts";

const CODE = `/** s99 · An example: of everything that can be marked. */
import { used } from "elsewhere";

/**
 * Adds.
 * @exercise Add the two numbers,
 * and give their sum.
 */
export async function add(one: number, two: number): Promise<number> {
  const inner = () => { return "}"; };
  return one + two;
}

/** Stays as it is. */
export function stays(): string {
  return used("@exercise");
}

/** @exercise Double the number. */
export const double = (number: number): { twice: number } => ({ twice: 2 * number });

/** @exercise Give the name. */
export const named =
  (first: string) =>
  (last: string) => first + last;

export const counter = () => ({
  /** @exercise Count one more. */
  count() {
    return 1;
  },
});
`;
const ALL = exerciseFunctions(CODE);

test("finds functions, constants that are functions, and methods", () => {
  expect(ALL.map(({ name, hint }) => [name, hint])).toEqual([
    ["add", "Add the two numbers, and give their sum."],
    ["double", "Double the number."],
    ["named", "Give the name."],
    ["count", "Count one more."],
  ]);
});

test("knows the whole function, with its docstring", () => {
  expect(ALL[1]?.text).toBe(
    "/** @exercise Double the number. */\nexport const double = (number: number): { twice: number } => ({ twice: 2 * number });",
  );
});

test("empties the body alone; docstrings, signatures, imports and other functions stay", () => {
  expect(emptied(CODE, ALL)).toBe(`/** s99 · An example: of everything that can be marked. */
import { used } from "elsewhere";

/**
 * Adds.
 * @exercise Add the two numbers,
 * and give their sum.
 */
export async function add(one: number, two: number): Promise<number> {
  throw new Error("add is not written yet. Its docstring says what to write.");
}

/** Stays as it is. */
export function stays(): string {
  return used("@exercise");
}

/** @exercise Double the number. */
export const double = (number: number): { twice: number } => {
  throw new Error("double is not written yet. Its docstring says what to write.");
};

/** @exercise Give the name. */
export const named =
  (first: string) =>
  {
    throw new Error("named is not written yet. Its docstring says what to write.");
  };

export const counter = () => ({
  /** @exercise Count one more. */
  count() {
    throw new Error("count is not written yet. Its docstring says what to write.");
  },
});
`);
});

test("empties only what it is told to", () => {
  const one = emptied(CODE, ALL.slice(1, 2));
  expect(one).toContain("return one + two");
  expect(one).not.toContain("twice: 2");
});

test("counts what is written", () => {
  const untouched = emptied(CODE, ALL);
  expect(exerciseProgress(CODE, untouched)).toEqual({ functions: 4, written: 0 });
  expect(exerciseProgress(CODE, emptied(CODE, ALL.slice(0, 3)))).toEqual({ functions: 4, written: 1 });
  expect(exerciseProgress(CODE, CODE)).toEqual({ functions: 4, written: 4 });
});
