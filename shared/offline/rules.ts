/**
 * What the Messages API refuses, and how it says so. The rules have numbers, R1 to R66; look for one by its number here
 * and in `rules/`. Some are with what they are about: R58 and R59 in `cache.ts`, R9 in `server.ts`, R8 and R66 in `models.ts`.
 */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { checkCacheMarks } from "./cache.ts";
import { findModel, type KnownModel } from "./models.ts";
import { checkConversation } from "./rules/conversation.ts";
import { checkFields } from "./rules/fields.ts";
import { isObject, refuse, type Terms } from "./rules/shape.ts";
import { checkThinkingReplay, type SentThoughts } from "./rules/thinking.ts";

export interface Circumstances extends Terms {
  /** A count of tokens is asked for, not a message (R65). */
  counting: boolean;
  sent: SentThoughts;
}

/** Returns the model a valid request asks. Throws an `ApiError` for the first rule that is broken. */
export function checkRequest(
  body: unknown,
  { sent, ...how }: Circumstances,
): { request: MessageCreateParams; model: KnownModel } {
  checkFields(body, how);
  const model = findModel(body.model);
  checkModel(body, model, how);
  checkConversation(body, model);
  checkThinkingReplay(body, model, sent);
  checkCacheMarks(body);
  return { request: body, model };
}

/** R50, R51: refuses more tokens than the model's window has. */
export function checkSize(
  input: number,
  { max_tokens }: MessageCreateParams,
  { refusesOverrun, contextWindow }: KnownModel,
): void {
  if (input > contextWindow) refuse(`prompt is too long: ${input} tokens > ${contextWindow} maximum`);
  if (refusesOverrun && input + max_tokens > contextWindow) {
    refuse(
      `input length and \`max_tokens\` exceed context limit: ${input} + ${max_tokens} > ${contextWindow}, ` +
        "decrease input length or `max_tokens` and try again",
    );
  }
}

/** Refuses what this model does not do. */
function checkModel(request: MessageCreateParams, model: KnownModel, terms: Terms): void {
  checkMaxTokens(request, model);
  checkThinking(request, model, terms);
  checkSampling(request, model);
  checkEffort(request, model);
  checkToolChoice(request, model);
}

/** R15 */
function checkMaxTokens({ max_tokens }: MessageCreateParams, { id, maxOutput }: KnownModel): void {
  if (max_tokens > maxOutput) {
    refuse(`max_tokens: ${max_tokens} > ${maxOutput}, which is the maximum allowed number of output tokens for ${id}`);
  }
}

/** R52, R53 */
function checkThinking(request: MessageCreateParams, model: KnownModel, { allows }: Terms): void {
  const { thinking, max_tokens } = request;
  if (clearsThinking(request) && !thinks(thinking, model)) {
    refuse("`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive");
  }
  if (!thinking) return;
  if (!model.thinking.includes(thinking.type)) {
    if (thinking.type === "adaptive") refuse("adaptive thinking is not supported on this model");
    const advice = thinking.type === "between_tools" ? "" : ` ${USE_ADAPTIVE}`;
    refuse(`"thinking.type.${thinking.type}" is not supported for this model.${advice}`);
  }
  // A count of tokens has no max_tokens, and nothing to be less than.
  const isFree = allows("thinking.budget_tokens beyond max_tokens");
  if (thinking.type === "enabled" && thinking.budget_tokens >= max_tokens && !isFree) {
    refuse("max_tokens must be greater than thinking.budget_tokens");
  }
}

function thinks(thinking: MessageCreateParams["thinking"], { thinksUnasked = false }: KnownModel): boolean {
  return thinking ? thinking.type === "enabled" || thinking.type === "adaptive" : thinksUnasked;
}

function clearsThinking(request: object): boolean {
  const management: unknown = "context_management" in request ? request.context_management : undefined;
  const edits: unknown[] = isObject(management) && Array.isArray(management.edits) ? management.edits : [];
  return edits.some((edit) => isObject(edit) && edit.type === "clear_thinking_20251015");
}

/** What each model still takes of `temperature`, `top_p` and `top_k`. */
function checkSampling(request: MessageCreateParams, { sampling }: KnownModel): void {
  const { temperature, top_p, top_k } = samplingOf(request);
  if (sampling === "none") {
    const changed = {
      temperature: (temperature ?? 1) !== 1,
      top_p: (top_p ?? 1) < NEARLY_ALL,
      top_k: top_k !== undefined,
    };
    for (const [name, isSet] of Object.entries(changed)) if (isSet) refuse(`\`${name}\` is deprecated for this model.`);
  }
  if (sampling === "one" && temperature !== undefined && top_p !== undefined) {
    refuse("`temperature` and `top_p` cannot both be specified for this model. Please use only one.");
  }
  const { type = "disabled" } = request.thinking ?? {};
  if (type !== "enabled" && type !== "adaptive") return;
  if ((temperature ?? 1) !== 1) {
    refuse("`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.");
  }
  if ((top_p ?? 1) < 0.95) {
    refuse("`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.");
  }
  if (top_k !== undefined) refuse("`top_k` must be unset when thinking is enabled or in adaptive mode.");
}

/** A `top_p` from here on is the default. */
const NEARLY_ALL = 0.99;

/** The types of the newest version have no such fields any more; older versions do. */
function samplingOf(request: object): Partial<Record<"temperature" | "top_p" | "top_k", number>> {
  const numbers = Object.entries(request).filter(([, value]) => typeof value === "number");
  return Object.fromEntries(numbers);
}

const USE_ADAPTIVE = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

/** R20 */
function checkEffort({ output_config, thinking, messages }: MessageCreateParams, model: KnownModel): void {
  const configs: unknown[] = messages.map((message) =>
    "output_config" in message ? message.output_config : undefined,
  );
  for (const config of [output_config, ...configs]) {
    const effort = isObject(config) ? config.effort : undefined;
    if (typeof effort === "string") checkEffortLevel(effort, thinking, model);
  }
}

function checkEffortLevel(effort: string, thinking: MessageCreateParams["thinking"], model: KnownModel): void {
  if (model.effort.length === 0) refuse("This model does not support the effort parameter.");
  if (!model.effort.includes(effort)) {
    const levels = model.effort.toSorted().join(", ");
    refuse(`This model does not support effort level '${effort}'. Supported levels: ${levels}.`);
  }
  if (model.highEffortNeedsThinking && thinking?.type === "disabled" && (effort === "xhigh" || effort === "max")) {
    refuse(
      `output_config.effort '${effort}' is not supported when thinking is disabled on this model. ` +
        "Use effort 'high' or below, or enable thinking.",
    );
  }
}

/** R49 */
function checkToolChoice({ tool_choice: choice, tools = [], thinking }: MessageCreateParams, model: KnownModel): void {
  if (!choice) return;
  if (tools.length === 0) refuse("tool_choice may only be specified while providing tools.");
  if (choice.type === "tool" && !tools.some((tool) => "name" in tool && tool.name === choice.name)) {
    refuse(`Tool '${choice.name}' not found in provided tools`);
  }
  if (choice.type !== "tool" && choice.type !== "any") return;
  if (thinking?.type === "enabled") refuse("Thinking may not be enabled when tool_choice forces tool use.");
  if (!model.forcedTools) refuse('tool_choice: type "tool" and "any" are not supported for this model.');
}
