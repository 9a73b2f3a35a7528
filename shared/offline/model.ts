/**
 * The model of those who have no key: rules that read the prompt and the tools offered and answer with a plausible
 * next step. It keeps no state: how far it has come is read from the calls in the request.
 */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { clausesOf, languageOf, type Clause } from "./model/clauses.ts";
import { handsFor, type Hands, type ToolCall } from "./model/hands.ts";
import { INTENTS, type Means, type Plan, type PlanStep } from "./model/intents.ts";
import { AGAIN, DETAIL, NO_ORDER } from "./model/phrases.ts";
import { forcedCall, leastCall, sideAnswer } from "./model/side-calls.ts";
import { suggestionsFor } from "./model/suggestions.ts";
import { excerpt, linesOf } from "./model/results.ts";
import { readTurn, records, type Outcome, type Turn } from "./model/turn.ts";
import { WORDS, type Words } from "./model/words.ts";
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
  const progress = progressOf(turn.rounds, plan, hands);
  const { worked, failures, look, looked } = progress;

  if (failures.size > 0) return afterFailure(plan, worked, failures, turn, means);
  if (listIsDue(plan, progress, turn)) return reply(listUpdate(plan.steps, worked.length, words));
  const step = plan.steps[worked.length];
  if (!step) return say([...reportsOf(plan, worked), ...(plan.remark ? [plan.remark] : [])].join("\n"));
  const there = linesOf(looked ?? []);
  if (step.mustBeNew !== undefined && there.length > 0) return leaveAsTheyAre(there, step, plan, worked, words);
  const calls = step.mustBeNew !== undefined && look && !looked ? [look] : step.calls(worked.flat());
  if (!calls.every((call) => turn.tools.has(call.name))) return say(words.noTool);
  return turn.rounds.length === 0 ? reply(words.lead(step.verb, step.object), ...calls) : reply(...calls);
}

/** How far the work has come. */
interface Progress {
  /** The call that shows whether files that are to be new are there, and what came of it. */
  look: ToolCall | undefined;
  looked: Outcome[] | undefined;
  /** All other rounds, and those of them that took a step of the plan: the n-th round the n-th step. */
  rounds: Outcome[][];
  worked: Outcome[][];
  /** Failures that end the work. */
  failures: Set<Outcome>;
}

function progressOf(all: Outcome[][], plan: Plan, hands: Hands): Progress {
  const look = lookBefore(plan, hands);
  const looked = all.find((round) => look !== undefined && isCall(round, look));
  const rounds = all.filter((round) => round !== looked);
  const worked = rounds.filter((round) => !isListUpdate(round));
  const excused = new Set(worked.filter((round, i) => plan.steps[i]?.mayBeMissing && round.every(isMissing)));
  const failures = all
    .filter((round) => !excused.has(round))
    .flat()
    .filter(({ failed }) => failed);
  return { look, looked, rounds, worked, failures: new Set(failures) };
}

/** Files that were to be new are there: says so, and how to change them. */
function leaveAsTheyAre(there: string[], step: PlanStep, plan: Plan, worked: Outcome[][], words: Words): Step {
  const hint = step.verb === "create" ? there.map(words.addOrReplace) : [];
  const left = plan.steps.slice(worked.length).filter(({ mustBeNew }) => !there.includes(mustBeNew ?? ""));
  return say([...reportsOf(plan, worked), words.alreadyThere(there), ...hint, ...undone(left, words)].join("\n"));
}

// ---- The plan --------------------------------------------------------------------------------------------------

/** All that is to be done for a prompt, and what to say of the parts that no intent understands. */
function planFor(turn: Turn, means: Means): Plan {
  const understood = clausesAsked(turn).map((clause) => ({ clause, plan: understand(clause)?.(means) }));
  const end = understood.findIndex(({ clause, plan }) => plan?.ends || clause.says(NO_ORDER));
  const clauses = end < 0 ? understood : understood.slice(0, end + 1);
  if (clauses.every(({ plan }) => plan === undefined)) {
    return { steps: [], remark: `${means.words.unknown}\n\n${means.words.tryThese(means.suggestions)}` };
  }
  const remarks = clauses.flatMap(({ clause, plan }) => {
    if (!plan) return means.words.notUnderstood(clause.text);
    const detail = plan.partly ? clause.parts(DETAIL)?.detail : undefined;
    return [plan.remark ?? [], detail === undefined ? [] : means.words.undone(detail)].flat();
  });
  remarks.push(...understood.slice(clauses.length).map(({ clause }) => means.words.undone(clause.text)));
  return {
    steps: clauses.flatMap(({ plan }) => plan?.steps ?? []),
    improvised: clauses.some(({ plan }) => plan?.improvised),
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
  const paths = plan.steps.flatMap((step) => step.mustBeNew ?? []);
  return paths.length > 0 ? hands.look(paths) : undefined;
}

const isCall = (round: Outcome[], call: ToolCall): boolean =>
  round.some(({ name, input }) => name === call.name && input.command === call.input.command);

function understand(clause: Clause): ((means: Means) => Plan) | undefined {
  if (clause.says(NO_ORDER)) return undefined;
  for (const intent of INTENTS) {
    const plan = intent(clause);
    if (plan) return plan;
  }
  return undefined;
}

/** What to say of steps that are not taken any more. */
const undone = (steps: PlanStep[], words: Words): string[] =>
  steps.length === 0 ? [] : [words.undone(words.and(steps.map(({ verb, object }) => words.todo(verb, object))))];

const reportsOf = (plan: Plan, worked: Outcome[][]): string[] =>
  worked.flatMap((outcomes, index) => plan.steps[index]?.report(outcomes) || []);

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
  return say([explain(failed, complaint, seen, words), ...undone(plan.steps.slice(failedAt + 1), words)].join("\n"));
}

function explain(failed: PlanStep, complaint: string, seen: Outcome[] | undefined, words: Words): string {
  if (!seen) return words.failed(failed.verb, failed.object, excerpt(complaint));
  if (NO_SUCH_TEXT.test(complaint)) return words.noSuchText(excerpt(seen[0]?.output ?? ""));
  return words.missing(failed.object, linesOf(seen));
}

/** The call that shows what a failure is about. */
function lookAfter(complaint: string, failed: PlanStep, hands: Hands): ToolCall | undefined {
  if (NO_SUCH_TEXT.test(complaint)) return hands.read(failed.object);
  const missing = NO_SUCH_FILE.test(complaint) || NOT_FOUND.test(complaint);
  return missing && failed.verb !== "run" ? hands.list(".") : undefined;
}
