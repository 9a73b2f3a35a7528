/**
 * What the Messages API refuses, and how it says so. The rules have numbers, R1 to R66; look for one by its number here
 * and in `rules/`. Some are with what they are about: R58 and R59 in `cache.ts`, R9 in `server.ts`, R8 and R66 in `models.ts`.
 */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { checkCacheMarks } from "./cache.ts";
import { findModel, type KnownModel } from "./models.ts";
import { checkConversation } from "./rules/conversation.ts";
import { checkFields } from "./rules/fields.ts";
import { refuse } from "./rules/shape.ts";
import { checkThinkingReplay, type SentThoughts } from "./rules/thinking.ts";

export interface Circumstances {
  /** Of the API, from the request's header. */
  version: string;
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
  checkModel(body, model);
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
function checkModel(request: MessageCreateParams, model: KnownModel): void {
  checkMaxTokens(request, model);
  checkThinking(request, model);
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
function checkThinking({ thinking, max_tokens }: MessageCreateParams, model: KnownModel): void {
  if (!thinking) return;
  if (!model.thinking.includes(thinking.type)) {
    if (thinking.type === "adaptive") refuse("adaptive thinking is not supported on this model");
    const advice = thinking.type === "between_tools" ? "" : ` ${USE_ADAPTIVE}`;
    refuse(`"thinking.type.${thinking.type}" is not supported for this model.${advice}`);
  }
  // A count of tokens has no max_tokens, and nothing to be less than.
  if (thinking.type === "enabled" && thinking.budget_tokens >= max_tokens) {
    refuse("max_tokens must be greater than thinking.budget_tokens");
  }
}

const USE_ADAPTIVE = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

/** R20 */
function checkEffort({ output_config, thinking }: MessageCreateParams, model: KnownModel): void {
  const effort = output_config?.effort;
  if (!effort) return;
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
