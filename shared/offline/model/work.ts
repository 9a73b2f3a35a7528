/**
 * Carries a plan out. A step is a generator that yields calls and is given their outcomes; how far it has come is found
 * by playing it again on the rounds of the conversation, so that nothing has to be kept between requests.
 */
import { NoToolFits, type Hands, type ToolCall } from "./hands.ts";
import { excerpt } from "./results.ts";
import type { Outcome, Round, Turn } from "./turn.ts";
import { fenced, together, type Language, type Tell, type TextName } from "./words.ts";

/** Calls to make next, with a word about them. */
interface Ask {
  calls: ToolCall[];
  text?: string | undefined;
}

/** Work that ends with its result. */
export type Work<Result> = Generator<Ask, Result, Round>;

export interface Step {
  verb: TextName;
  object: string;
  /** Does it and reports. Throws `Stopped` when it cannot go on. */
  work(): Work<string>;
  /** Nothing is planned aloud for it: it is one of many of its kind. */
  improvised?: boolean;
}

export interface Means {
  tell: Tell;
  language: Language;
  hands: Hands;
}

/** Ends the work; the message is what there is to say. */
export class Stopped extends Error {}

/** A call did not do what it was to do. */
export class Failed extends Error {
  readonly outcomes: Outcome[];
  constructor(outcomes: Outcome[]) {
    super("a call failed");
    this.outcomes = outcomes;
  }
}

const DENIED = /^Permission denied:[ \t]*(.{0,300})/u;
const INTERRUPTED = /^Interrupted\b|^\[interrupted\b/m;
// What a shell says of its own troubles, where a harness does not flag them.
const COMPLAINT =
  /^(?:(?:rm|mv|cp|mkdir|cat|ls|wc|head|tail|touch|find|grep|(?:ba|z)?sh(?:: line \d+)?): .*(?:cannot|can't|no such|not found|denied|not permitted|is a directory|not empty|exists)|fatal: |error: )/im;

/** Makes calls together. Throws `Stopped` when one was refused or interrupted. */
export function* attempt(calls: ToolCall[], text?: string): Work<Outcome[]> {
  const { outcomes } = yield { calls, text };
  for (const { failed, output } of outcomes) {
    const reason = failed ? DENIED.exec(output)?.[1] : undefined;
    if (reason !== undefined && !/\[exit code \d+\]\s*$/.test(output)) throw new Refused(reason);
    if (failed && INTERRUPTED.test(output)) throw new Interrupted();
  }
  return outcomes;
}

class Refused extends Error {}
class Interrupted extends Error {}

/** Makes calls that must not fail. @param quoting what comes back is no message of a shell, but a file's own text */
export function* act(calls: ToolCall[], { quoting = false } = {}): Work<Outcome[]> {
  const outcomes = yield* attempt(calls);
  const isBad = ({ failed, output }: Outcome): boolean => failed || (!quoting && COMPLAINT.test(output));
  if (outcomes.some(isBad)) throw new Failed(outcomes.filter(isBad));
  return outcomes;
}

/** What to answer now: the calls that come next, or the last word. */
export function next(steps: Step[], turn: Turn, means: Means): Ask | string {
  try {
    const work = carryOut(steps, turn, means);
    let made = work.next();
    for (const round of turn.rounds) {
      if (made.done) break;
      made = work.next(round);
    }
    if (made.done) return made.value;
    const { calls, text } = made.value;
    const first = steps.find(({ object }) => object !== "");
    const lead =
      turn.rounds.length === 0 && first ? means.tell("lead", means.tell(first.verb, first.object)) : undefined;
    return { calls, text: lead ?? text };
  } catch (error) {
    if (error instanceof NoToolFits) return means.tell("noTool");
    throw error;
  }
}

function* carryOut(steps: Step[], { rounds }: Turn, means: Means): Work<string> {
  const { hands } = means;
  let seen = 0;
  let planned = steps.length > 1 && !steps.some(({ improvised }) => improvised);
  let shown = "";
  /** A list is kept for several steps; for work begun without one, from the reminder on. */
  function* list(done: number, stopped = false): Work<void> {
    planned ||= rounds.slice(0, seen).some(({ reminded }) => reminded);
    const status = (i: number): string => (i < done ? "completed" : i === done && !stopped ? "in_progress" : "pending");
    const todos = steps.map(({ verb, object }, i) => ({
      content: capital(means.tell("todo", means.tell(verb, object)), means.language),
      status: status(i),
    }));
    const update = planned && steps.length > 0 ? hands.todo(todos) : undefined;
    const now = JSON.stringify(update);
    if (update === undefined || now === shown || (stopped && shown === "")) return;
    shown = now;
    yield { calls: [update] };
    seen++;
  }
  function* counted(work: Work<string>): Work<string> {
    let made = work.next();
    while (!made.done) {
      const round: Round = yield made.value;
      seen++;
      made = work.next(round);
    }
    return made.value;
  }

  const reports: string[] = [];
  for (const [i, step] of steps.entries()) {
    try {
      yield* list(i);
      const report = yield* counted(step.work());
      if (report !== "") reports.push(report);
    } catch (error) {
      const why = whatHappened(error, step, means);
      yield* list(i, true);
      if (error instanceof Refused || error instanceof Interrupted) return [...reports, why].join("\n");
      const left = steps.slice(i + 1).map(({ verb, object }) => means.tell(verb, object));
      const undone = left.length > 0 ? [means.tell("undone", together(left, means.language))] : [];
      return [...reports, why, ...undone].join("\n");
    }
  }
  yield* list(steps.length);
  return reports.join("\n");
}

function whatHappened(error: unknown, step: Step, { tell }: Means): string {
  if (error instanceof Stopped) return error.message;
  if (error instanceof Refused) return tell("denied", error.message);
  if (error instanceof Interrupted) return tell("interrupted");
  if (error instanceof NoToolFits) return tell("noTool");
  if (!(error instanceof Failed)) throw error;
  const complaint = error.outcomes.map(({ output }) => output).join("\n");
  return tell("failed", tell("couldNot", tell(step.verb, step.object)), fenced(excerpt(complaint)));
}

const capital = (text: string, language: Language): string =>
  language === "en" ? text.charAt(0).toUpperCase() + text.slice(1) : text;
