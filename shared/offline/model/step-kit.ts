/** What the makers of steps share. */
import type { Operation } from "./programs.ts";
import type { Wish } from "./understand.ts";
import { act, type Means, type Step, type Work } from "./work.ts";
import type { TextName } from "./words.ts";

/** What the wishes so far spoke of. */
export interface Context {
  file?: string | undefined;
  folder?: string | undefined;
  operation?: Operation | undefined;
  /** Files that were read, and once they are what they say. */
  read: string[];
  texts: { name: string; text: string }[];
}

/** Makes the steps for a wish; none where it speaks of something that nothing was said about. */
export type Make = (wish: Wish, means: Means, context: Context) => Step[] | undefined;

export const step = (verb: TextName, object: string, work: () => Work<string>): Step => ({ verb, object, work });

export const fileOf = ({ lists }: Wish, context: Context): string | undefined => lists.file?.[0] ?? context.file;

export const folderOf = ({ lists }: Wish): string => lists.folder?.[0] ?? ".";

/** A step of one call. */
export const once = (
  verb: TextName,
  object: string,
  call: () => Parameters<typeof act>[0][number],
  report: (output: string) => string,
): Step =>
  step(verb, object, function* () {
    const [outcome] = yield* act([call()]);
    return report(outcome?.output ?? "");
  });
