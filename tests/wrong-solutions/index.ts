/** Per chapter, what its tests must not let pass: solutions as a learner might write them, and wrong. */
import type { WrongSolution } from "../variants.ts";
import { s01 } from "./s01.ts";
import { s02 } from "./s02.ts";
import { s03 } from "./s03.ts";
import { s04 } from "./s04.ts";
import { s05 } from "./s05.ts";

export const wrongSolutions: Record<string, WrongSolution[]> = { s01, s02, s03, s04, s05 };
