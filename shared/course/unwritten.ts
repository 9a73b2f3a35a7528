/** The sentence by which an emptied function is known. In a file of its own: emptying loads the TypeScript compiler. */

/** What a function throws that the reader has not written yet. */
export const notWritten = (name: string): string => `${name} is not written yet. Its docstring says what to write.`;

/** The functions of an exercise that are not written yet, in its order. */
export const unwrittenNames = (exercise: string): string[] =>
  [...exercise.matchAll(/"(.+) is not written yet\. Its docstring says/g)].flatMap(([, name]) => name ?? []);

/** How many functions a chapter's code leaves to the reader, and how many of them the exercise has written. */
export function exerciseProgress(code: string, exercise: string): { functions: number; written: number } {
  const functions = code.match(/^\s*\/?\*+ @exercise\b/gm)?.length ?? 0;
  return { functions, written: functions - unwrittenNames(exercise).length };
}
