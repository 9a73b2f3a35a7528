/**
 * The model of those who have no key: sentences (model/sentences.txt) that are looked up, and steps for each. It keeps
 * no state: how far it has come is read from the calls in the request.
 */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { handsFor } from "./model/hands.ts";
import { SUGGESTIONS } from "./model/rows.ts";
import { forcedCall, inForm, scripted, sideAnswer } from "./model/side-calls.ts";
import type { Context } from "./model/step-kit.ts";
import { stepsFor } from "./model/steps.ts";
import { readTurn, type Turn } from "./model/turn.ts";
import { languageOf, understand, type Wish } from "./model/understand.ts";
import { next, type Means } from "./model/work.ts";
import { bullets, tellIn } from "./model/words.ts";
import { reply, say, type Part, type Step } from "./script.ts";

/**
 * The next step for a request: text, calls of offered tools, or both. The same request always gets the same answer.
 * Calls carry no ids. Never throws, whatever the messages hold.
 */
export function offlineModel(request: MessageCreateParams): Step {
  const turn = readTurn(request);
  const forced = forcedCall(request, turn.prompt.slice(0, 200) || "none");
  if (forced) return reply(forced);
  const side = sideAnswer(request);
  if (side !== undefined) return say(inForm(request, side));
  const script = scripted(turn.prompt, turn.rounds.length);
  if (script) return script;
  const parts = answerTo(turn, request);
  // What a client sends back is checked: with thinking on, a reply with calls begins with a thought.
  const thinks = request.thinking?.type === "enabled" && parts.some((part) => typeof part !== "string");
  return reply(...(thinks ? [{ thinking: "One step at a time." }] : []), ...parts);
}

/** How far back what a prompt speaks of may lie. */
const PROMPTS_REMEMBERED = 5;

function answerTo(turn: Turn, request: MessageCreateParams): Part[] {
  const hands = handsFor(request, turn.cwd);
  const { prompt, earlier } = wantedAgain(turn);
  const understood = understand(prompt);
  const spoken =
    "wishes" in understood ? understood.wishes.find(({ language }) => language !== undefined)?.language : undefined;
  const language = spoken ?? languageOf(prompt, earlier);
  const means: Means = { tell: tellIn(language), language, hands };
  const steps = "wishes" in understood ? planFor(understood.wishes, contextOf(earlier, means), means) : undefined;
  if (steps === undefined) return finish(notUnderstood(prompt, understood, means));
  if (steps.length === 0) return finish(means.tell("nothing"));
  const made = next(steps, turn, means);
  if (typeof made === "string") return finish(made);
  return made.text === undefined ? made.calls : [made.text, ...made.calls];

  /** The last word; or a call that the client waits for before it takes one. */
  function finish(text: string): Part[] {
    const called = new Set(turn.rounds.flatMap(({ outcomes }) => outcomes.map(({ name }) => name)));
    const only = request.tool_choice?.type === "any" ? /./ : /structured_?output/i;
    const call = request.tool_choice?.type === "none" ? undefined : hands.unused(called, text, only);
    return call ? [call] : [inForm(request, text)];
  }
}

/** "Do it again" is the prompt before. */
function wantedAgain({ prompt, earlier }: Turn): Pick<Turn, "prompt" | "earlier"> {
  const isAgain = (text: string): boolean =>
    /^(?:please )?(?:(?:do|try|run) (?:it|that) (?:all )?again|try again|once more|再来一次|再做一次|再试一次|もう一度(?:やって|お願い)?(?:ください|します)?)[.!。！]?$/i.test(
      text,
    );
  const others = earlier.filter((text) => !isAgain(text));
  return isAgain(prompt) ? { prompt: others.at(-1) ?? "", earlier: others.slice(0, -1) } : { prompt, earlier };
}

function planFor(wishes: Wish[], context: Context, means: Means) {
  // "Read package.json and tell me what this is": one reading.
  const merged = wishes.flatMap((wish, i): Wish[] => {
    const after = wishes[i + 1];
    if (wish.row.does === "read" && after?.row.does === "summary") return [{ ...wish, brief: true }];
    if (wish.row.does !== "read" || after?.row.does !== "readBrief" || after.lists.files || after.lists.file)
      return [wish];
    after.lists = wish.lists;
    return [];
  });
  const steps = merged.map((wish) => stepsFor(wish, context, means));
  return steps.includes(undefined) ? undefined : steps.flatMap((some) => some ?? []);
}

/** What earlier prompts spoke of; nothing behind one that was not understood. */
function contextOf(earlier: string[], means: Means): Context {
  let context: Context = { read: [], texts: [] };
  for (const prompt of earlier.slice(-PROMPTS_REMEMBERED)) {
    const understood = understand(prompt);
    const after: Context = { ...context, read: [], texts: [] };
    context = "wishes" in understood && planFor(understood.wishes, after, means) ? after : { read: [], texts: [] };
  }
  return { ...context, read: [], texts: [] };
}

function notUnderstood(
  prompt: string,
  understood: ReturnType<typeof understand>,
  { tell, language, hands }: Means,
): string {
  const part = "rest" in understood && !understood.first ? understood.rest : undefined;
  const writes = /\b(?:says?|prints?|with|write|add|append|replace|change)\b|写|内容|改成|书|書|変え/i.test(prompt);
  const why = part === undefined ? tell("unknown") : tell("notUnderstood", part.slice(0, 300).toWellFormed());
  const offered = new Set(Object.entries(hands.offers).flatMap(([name, is]) => (is ? name : [])));
  const fitting = SUGGESTIONS.filter(({ tools }) => tools.every((name) => offered.has(name)));
  const best = fitting.filter(({ tools }) => tools.join(" ") === fitting[0]?.tools.join(" "));
  const start = prompt.length % (best.length || 1);
  const three = [...best.slice(start), ...best.slice(0, start)].slice(0, 3).map((one) => one.prompt[language]);
  const tries = three.length === 0 ? tell("noTools") : `${tell("tryThese")}${bullets(three)}`;
  return [why, ...(writes && !/["'“「`]/.test(prompt) ? [tell("quoteIt")] : []), "", tries].join("\n");
}
