/** Section G: thinking comes back as it was sent. */
import type { MessageCreateParams, RedactedThinkingBlock, ThinkingBlock } from "@anthropic-ai/sdk/resources/messages";
import { createHash, type Hash } from "node:crypto";
import type { KnownModel } from "../models.ts";
import { blocksOf, turnsOf } from "./conversation.ts";
import { isObject, refuse } from "./shape.ts";

type Thought = ThinkingBlock | RedactedThinkingBlock;

/** By the id of each call: the thinking sent in the same reply. */
export type SentThoughts = Map<string, Thought[]>;

/**
 * The seal on a thinking block: what it says, and the conversation it was made for. It is a hash with no secret, so that
 * a conversation of yesterday still verifies on today's server; the real API's is a signature.
 */
export function sealOf(thinking: string, conversation: string): string {
  return `${conversation}.${digest(createHash("sha256").update(conversation).update(thinking))}`;
}

/**
 * What a seal says of the conversation: system prompt, tools, and what user and model said; not the cache marks, nor
 * deferred tools. Claude Code shows what else may change: the line for the accountant in its system prompt, and the
 * `system` messages in between, some of which are for one turn only.
 */
export function conversationSeal({ messages, ...request }: MessageCreateParams): string {
  const hash = opening(request);
  for (const { role, content } of messages) {
    if (role !== "system") for (const block of blocksOf(content)) add(hash, role, block);
  }
  return digest(hash);
}

function opening({ system, tools = [] }: Pick<MessageCreateParams, "system" | "tools">): Hash {
  const hash = createHash("sha256");
  for (const block of blocksOf(system)) {
    const isForAccounting = block.type === "text" && block.text.startsWith("x-anthropic-billing-header:");
    if (!isForAccounting) add(hash, "system prompt", block);
  }
  for (const tool of tools) if (!("defer_loading" in tool && tool.defer_loading)) add(hash, "tool", tool);
  return hash;
}

function add(hash: Hash, role: string, part: object): void {
  hash.update(
    `${role}\n${JSON.stringify(part, (key, value: unknown) => (key === "cache_control" ? undefined : value))}\n`,
  );
}

const digest = (hash: Hash): string => hash.copy().digest("base64url");

/** Refuses thinking that was changed, left out, or moved to another conversation. */
export function checkThinkingReplay(request: MessageCreateParams, model: KnownModel, sent: SentThoughts): void {
  checkSeals(request, model);
  if (request.thinking?.type === "disabled") return;
  checkUnchanged(request, model, sent);
  checkStartsWithThinking(request);
}

/** R55, R57 */
function checkSeals({ messages, ...request }: MessageCreateParams, model: KnownModel): void {
  const before = opening(request);
  const isBound = model.boundThinking === true && !dropsMismatches(request.thinking);
  for (const [index, { role, content }] of messages.entries()) {
    const conversation = digest(before);
    for (const [at, block] of blocksOf(content).entries()) {
      const path = `messages.${index}.content.${at}`;
      if (block.type === "thinking") checkSeal(block, { path, conversation: isBound ? conversation : undefined });
      if (role !== "system") add(before, role, block);
    }
  }
}

/** The client has asked that a block of another conversation be passed over. */
function dropsMismatches(thinking: MessageCreateParams["thinking"]): boolean {
  const binding: unknown = thinking && "block_binding" in thinking ? thinking.block_binding : undefined;
  return isObject(binding) && binding.prefix_mismatch_behavior === "drop_block";
}

function checkSeal(
  { thinking, signature }: ThinkingBlock,
  { path, conversation }: { path: string; conversation: string | undefined },
): void {
  const [madeFor = ""] = signature.split(".");
  if (signature !== sealOf(thinking, madeFor)) refuse(`${path}: Invalid \`signature\` in \`thinking\` block`);
  if (conversation !== undefined && madeFor !== conversation) {
    refuse(
      `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. ` +
        'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    );
  }
}

/** R54: the thinking of the latest calls, all of it, in its order. Where it is bound it may go, as R57 advises. */
function checkUnchanged({ messages }: MessageCreateParams, model: KnownModel, sent: SentThoughts): void {
  const latest = turnsOf(messages).findLast(({ role }) => role === "assistant");
  if (!latest) return;
  const expected = latest.blocks.flatMap(({ block }) => (block.type === "tool_use" ? (sent.get(block.id) ?? []) : []));
  const unique = [...new Set(expected)];
  if (unique.length === 0) return;
  const thoughts = latest.blocks.filter(({ block }) => block.type === "thinking" || block.type === "redacted_thinking");
  if (model.boundThinking && thoughts.length === 0) return;
  const same =
    thoughts.length === unique.length && thoughts.every(({ block }, index) => sameThought(block, unique[index]));
  if (same) return;
  const wrong = thoughts.find(({ block }, index) => !sameThought(block, unique[index]));
  refuse(
    `${wrong?.path ?? `messages.${latest.message}.content.0`}: \`thinking\` or \`redacted_thinking\` blocks in the latest ` +
      "assistant message cannot be modified. These blocks must remain as they were in the original response.",
  );
}

function sameThought(block: object, sent: Thought | undefined): boolean {
  const fields = sent && Object.entries(sent);
  return (
    fields?.every(([key, value]) => Object.entries(block).some(([name, now]) => name === key && now === value)) ?? false
  );
}

/** R56 */
function checkStartsWithThinking({ messages, thinking }: MessageCreateParams): void {
  if (thinking?.type !== "enabled") return;
  const latest = turnsOf(messages).findLast(({ role }) => role === "assistant");
  const first = latest?.blocks[0];
  if (!first || !latest.blocks.some(({ block }) => block.type === "tool_use")) return;
  if (first.block.type === "thinking" || first.block.type === "redacted_thinking") return;
  // The API spells it so.
  refuse(
    `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When \`thinking\` is enabled, ` +
      "a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). " +
      "We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.",
  );
}
