/**
 * The model of those who have no key: rules that read the prompt and the tools offered and answer with a plausible
 * next step. It keeps no state: how far it has come is read from the calls in the request.
 */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { posix } from "node:path";
import { clausesOf, languageOf, type Clause } from "./model/clauses.ts";
import { handsFor, type Hands, type ToolCall } from "./model/hands.ts";
import { INTENTS, type Intent, type Means, type Plan, type PlanStep } from "./model/intents.ts";
import { AGAIN, CONDITION, CORRECTION, DETAIL, LEAVING, NO_ORDER } from "./model/phrases.ts";
import { forcedCall, leastCall, sideAnswer } from "./model/side-calls.ts";
import { suggestionsFor } from "./model/suggestions.ts";
import { excerpt, linesOf, tidy } from "./model/results.ts";
import { readTurn, records, type Outcome, type Turn } from "./model/turn.ts";
import { WORDS, type Verb, type Words } from "./model/words.ts";
import { reply, say, type Step } from "./script.ts";

/**
 * The next step for a request: text, calls of offered tools, or both. The same request always gets the same answer.
 * Calls carry no ids. Never throws, whatever the messages hold.
 */
export function offlineModel(request: MessageCreateParams): Step {
  const forced = forcedCall(request);
  if (forced) return reply(forced);
  const turn = readTurn(request);
  const side = turn.tools.size === 0 ? sideAnswer(request) : undefined;
  if (side !== undefined) return say(side);
  const next = nextStep(turn);
  const paused = isIdle(next) ? pausedList(turn) : undefined;
  const step = paused ? reply(paused) : next;
  const any = request.tool_choice?.type === "any" && isIdle(step) ? leastCall(request) : undefined;
  return any ? reply(any) : step;
}

const isIdle = (step: Step): boolean => step.kind === "reply" && step.parts.every((part) => typeof part === "string");

function nextStep(turn: Turn): Step {
  const language = languageOf(turn.prompt, turn.earlier);
  const words = WORDS[language];
  const hands = handsFor(turn.tools);
  const means = {
    words,
    hands,
    suggestions: suggestionsFor(turn.tools, language, turn.prompt),
    tools: [...turn.tools],
  };
  const plan = planFor(turn, means);
  const look = turn.tools.has("write_file") ? lookBefore(plan, hands) : undefined;
  const progress = progressOf(turn.rounds, plan, look);
  const { worked, failures, there, looked } = progress;

  if (failures.size > 0) return afterFailure(plan, worked, failures, turn, means);
  if (listIsDue(plan, progress, turn)) return reply(listUpdate(plan.steps, worked.length, words));
  const step = plan.steps[worked.length];
  if (!step) return say([...reportsOf(plan, worked, words), ...(plan.remark ? [plan.remark] : [])].join("\n"));
  const { mustBeNew: path, content } = step;
  const isThere = path !== undefined && there.has(path);
  if (isThere && (content === undefined || progress.differs)) return leaveAsItIs(path, plan, worked, words);
  const isLookDue = path !== undefined && step.verb === "create" && look && !looked;
  const next = isLookDue ? [look] : step.calls(worked.flat());
  const calls = isThere ? [hands.read(path)] : next;
  if (!calls.every((call) => turn.tools.has(call.name))) return say(words.noTool);
  return turn.rounds.length === 0 ? reply(words.lead(step.verb, step.object), ...calls) : reply(...calls);
}

/** How far the work has come. */
interface Progress {
  /** The rounds that do not only look whether files are there. */
  rounds: Outcome[][];
  /** Those that took a step of the plan, the n-th the n-th; `KEPT` for a file that says already what it is to say. */
  worked: Outcome[][];
  looked: boolean;
  /** Files that were to be new and are there. */
  there: Set<string>;
  /** The last of them says something else. */
  differs: boolean;
  /** Failures that end the work. */
  failures: Set<Outcome>;
}

const KEPT: Outcome[] = [];

/** A file that is to be new is looked for first; one that is there is read, to see what it says. */
function progressOf(all: Outcome[][], plan: Plan, look: ToolCall | undefined): Progress {
  const worked: Outcome[][] = [];
  const looks = new Set<Outcome[]>();
  const there = new Set<string>();
  const excused = new Set<Outcome[]>();
  let [looked, differs] = [false, false];
  for (const round of all.filter((one) => !isListUpdate(one))) {
    const { mustBeNew: path, content } = plan.steps[worked.length] ?? {};
    const [first] = round;
    const listed = first?.failed ? [] : linesOf(round);
    if (look && isCall(round, look)) {
      looked = true;
      for (const { mustBeNew = "" } of plan.steps)
        if (listed.includes(posix.normalize(mustBeNew))) there.add(mustBeNew);
    } else if (path !== undefined && there.has(path)) {
      differs = tidy(first?.output ?? "") !== content?.trimEnd();
      excused.add(round);
      if (!differs) {
        worked.push(KEPT);
        continue;
      }
    } else if (path !== undefined && first?.name === "bash" && listed.length > 0) there.add(path);
    else {
      worked.push(round);
      continue;
    }
    looks.add(round);
  }
  for (const [i, round] of worked.entries()) {
    if (plan.steps[i]?.mayBeMissing && round.every(isMissing)) excused.add(round);
  }
  const inEarnest = all.filter((round) => !excused.has(round)).flat();
  const failures = new Set(inEarnest.filter(({ failed }) => failed));
  return { rounds: all.filter((round) => !looks.has(round)), worked, failures, looked, there, differs };
}

/** A file that was to be new is there: says so, and how to change it. */
function leaveAsItIs(path: string, plan: Plan, worked: Outcome[][], words: Words): Step {
  const [step, ...left] = plan.steps.slice(worked.length);
  const hint = step?.verb === "create" ? [words.addOrReplace(path)] : [];
  return say([...reportsOf(plan, worked, words), words.alreadyThere(path), ...hint, ...undone(left, words)].join("\n"));
}

// ---- The plan --------------------------------------------------------------------------------------------------

/**
 * All that is to be done for a prompt, and what to say of the rest. Behind a part that is not understood nothing more
 * is done, as it may hang on that part.
 */
function planFor(turn: Turn, means: Means): Plan {
  const { words } = means;
  const clauses = clausesAsked(turn);
  if (clauses.some((clause) => clause.says(CORRECTION))) {
    return { steps: [], remark: words.notUnderstood(turn.prompt) };
  }
  const understood = clauses.map((clause) => ({ clause, plan: understand(clause, means) }));
  const end = understood.findIndex(({ clause, plan }) => !plan || plan.ends || clause.says(CONDITION));
  const done = end < 0 ? understood : understood.slice(0, end + 1);
  if (understood.length < 2 && understood[0]?.plan === undefined) {
    return { steps: [], remark: `${words.unknown}\n\n${words.tryThese(means.suggestions)}` };
  }
  const remarks = done.flatMap(({ clause, plan }) => {
    if (!plan) return words.notUnderstood(clause.text);
    const detail = plan.partly ? clause.parts(DETAIL)?.detail : undefined;
    return [...new Set([plan.remark ?? [], detail === undefined ? [] : words.undone(detail)].flat())];
  });
  remarks.push(...understood.slice(done.length).map(({ clause }) => words.undone(clause.text)));
  return {
    steps: done.flatMap(({ plan }) => plan?.steps ?? []),
    improvised: done.some(({ plan }) => plan?.improvised),
    ...(remarks.length > 0 && { remark: remarks.join("\n") }),
  };
}

/** How far back what a prompt speaks of may lie. */
const PROMPTS_REMEMBERED = 5;

/** The clauses of the prompt, or of the one before where that is to be done again. */
function clausesAsked({ prompt, earlier }: Turn): Clause[] {
  const prompts = earlier.filter((words) => !AGAIN.test(words));
  const asked = (AGAIN.test(prompt) ? prompts.pop() : prompt) ?? "";
  const before = prompts.slice(-PROMPTS_REMEMBERED).flatMap((words) => clausesOf(words));
  return clausesOf(asked, before, languageOf(asked, prompts));
}

/** What shows whether files that are to be new are there already. */
function lookBefore(plan: Plan, hands: Hands): ToolCall | undefined {
  const paths = plan.steps.flatMap(({ verb, mustBeNew }) => (verb === "create" ? (mustBeNew ?? []) : []));
  return paths.length > 0 ? hands.look(paths) : undefined;
}

const isCall = (round: Outcome[], call: ToolCall): boolean =>
  round.some(({ name, input }) => name === call.name && input.command === call.input.command);

const CHANGING: ReadonlySet<Verb> = new Set<Verb>(["create", "change", "delete", "rename", "copy"]);

/** The plan for a clause; nothing is changed under a condition, nor for a question. */
function understand(clause: Clause, means: Means): Plan | undefined {
  if (clause.says(NO_ORDER) && !clause.says(LEAVING)) return undefined;
  let planned: ReturnType<Intent>;
  for (const intent of INTENTS) if ((planned = intent(clause))) break;
  const plan = planned?.(means);
  const changes = plan?.steps.some(({ verb }) => CHANGING.has(verb));
  const runs = plan?.steps.some(({ verb }) => verb === "run");
  return (changes && clause.asks) || ((changes || runs) && clause.says(CONDITION)) ? undefined : plan;
}

/** What to say of steps that are not taken any more. */
const undone = (steps: PlanStep[], words: Words): string[] =>
  steps.length === 0 ? [] : [words.undone(words.and(steps.map(({ verb, object }) => words.todo(verb, object))))];

function reportsOf(plan: Plan, worked: Outcome[][], words: Words): string[] {
  return worked.flatMap((outcomes, index) => {
    const step = plan.steps[index];
    return (outcomes === KEPT ? words.saysSo(step?.mustBeNew ?? "") : step?.report(outcomes)) || [];
  });
}

// ---- The to-do list --------------------------------------------------------------------------------------------

const isListUpdate = (round: Outcome[]): boolean => round.some((outcome) => outcome.name === "todo_write");

/** A list is kept for several steps; for work begun without one, from the reminder on. Each step is followed by an update. */
function listIsDue(plan: Plan, { rounds }: Progress, turn: Turn): boolean {
  const last = rounds.at(-1);
  if (!turn.tools.has("todo_write") || plan.steps.length === 0 || (last && isListUpdate(last))) return false;
  return turn.reminded || rounds.some(isListUpdate) || (plan.steps.length > 1 && !plan.improvised);
}

function listUpdate(steps: PlanStep[], done: number, words: Words): ToolCall {
  const status = (index: number): string => {
    if (index < done) return "completed";
    return index === done ? "in_progress" : "pending";
  };
  const todos = steps.map((step, index) => ({ content: words.todo(step.verb, step.object), status: status(index) }));
  return { name: "todo_write", input: { todos } };
}

/** When the work ends early, the step that was begun is put back: a list must not say that work goes on. */
function pausedList({ rounds, tools }: Turn): ToolCall | undefined {
  const todos = records(rounds.findLast(isListUpdate)?.[0]?.input.todos);
  if (!tools.has("todo_write") || todos.every(({ status }) => status !== "in_progress")) return undefined;
  const paused = todos.map(({ content, status }) => ({
    content,
    status: status === "in_progress" ? "pending" : status,
  }));
  return { name: "todo_write", input: { todos: paused } };
}

// ---- When something went wrong ---------------------------------------------------------------------------------

const DENIED = /^Permission denied:[ \t]*(.{0,300})/u;
const EXIT_CODE = /\[exit code \d+\]\s*$/;
const INTERRUPTED = /^Interrupted\b|^\[interrupted\b/m;
const NO_SUCH_TEXT = /text not found/i;
const NO_SUCH_FILE = /no such file|\benoent\b|does not exist|file not found/i;
const NOT_FOUND = /cannot (?:open|find) /i;

/** Why the harness refused a call. What a command says of its own troubles ends with its exit code. */
const refusal = ({ output }: Outcome): string | undefined =>
  EXIT_CODE.test(output) ? undefined : DENIED.exec(output)?.[1];

const isMissing = (outcome: Outcome): boolean => NO_SUCH_FILE.test(outcome.output) && refusal(outcome) === undefined;

/** Refused or interrupted: says so and stops. Otherwise looks once at what could explain it, then explains. */
function afterFailure(plan: Plan, worked: Outcome[][], failures: Set<Outcome>, turn: Turn, means: Means): Step {
  const { words, hands } = means;
  const [first] = failures;
  const complaint = [...failures].map(({ output }) => output).join("\n");
  const reason = [...failures].map(refusal).find((refused) => refused !== undefined);
  if (reason !== undefined) return say(words.denied(reason));
  if (INTERRUPTED.test(complaint)) return say(words.interrupted);

  const failedAt = worked.findIndex((round) => round.some((outcome) => failures.has(outcome)));
  const failed = plan.steps[failedAt];
  if (!failed) return say(words.failed("run", first?.name ?? "", excerpt(complaint)));
  const look = lookAfter(complaint, failed, hands);
  const seen = look && worked[failedAt + 1];
  if (look && turn.tools.has(look.name) && !seen) return reply(look);
  return say(
    [explain(failed, worked[failedAt] ?? [], seen, words), ...undone(plan.steps.slice(failedAt + 1), words)].join("\n"),
  );
}

function explain(failed: PlanStep, round: Outcome[], seen: Outcome[] | undefined, words: Words): string {
  const complaint = complaintOf(round);
  if (!seen) return words.failed(failed.verb, failed.object, excerpt(complaint));
  if (NO_SUCH_TEXT.test(complaint)) return words.noSuchText(excerpt(seen[0]?.output ?? ""));
  const names = failed.names ?? [];
  const missing = names.filter((name, i) => (round.length > 1 ? round[i]?.failed : isMissed(name, complaint)));
  if (missing.length === 0 || missing.length === names.length) return words.missing(failed.object, linesOf(seen));
  return `${failed.report(round, missing)}\n${words.missing(words.and(missing), linesOf(seen))}`;
}

const complaintOf = (round: Outcome[]): string =>
  round.flatMap(({ failed, output }) => (failed ? output : [])).join("\n");

/** A command that is given several names complains of each in a line of its own. */
const isMissed = (name: string, complaint: string): boolean =>
  complaint.split("\n").some((line) => NO_SUCH_FILE.test(line) && line.split(/[\s:'‘’"]+/).includes(name));

/** The call that shows what a failure is about. */
function lookAfter(complaint: string, failed: PlanStep, hands: Hands): ToolCall | undefined {
  if (NO_SUCH_TEXT.test(complaint)) return hands.read(failed.object);
  const missing = NO_SUCH_FILE.test(complaint) || NOT_FOUND.test(complaint);
  return missing && failed.verb !== "run" ? hands.list(".") : undefined;
}
