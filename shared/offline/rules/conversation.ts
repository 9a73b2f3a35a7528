/** The rules of sections C and D: what the messages say together. */
import type {
  ContentBlockParam,
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { KnownModel } from "../models.ts";
import { isObject, refuse } from "./shape.ts";

/** Messages in a row with one role are one turn (R26). */
export interface Turn {
  role: MessageParam["role"];
  /** Index of its first message. */
  message: number;
  blocks: PlacedBlock[];
}

interface PlacedBlock {
  block: ContentBlockParam;
  message: number;
  /** `messages.3.content.0` */
  path: string;
}

/** A `system` message that only sets what comes next has no content, perhaps not even an empty one. */
export function blocksOf(content: string | ContentBlockParam[] | undefined): ContentBlockParam[] {
  if (content === undefined || content === "") return [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Such messages may stand anywhere, and part nothing. */
export const isDirective = ({ role, content }: MessageParam): boolean =>
  role === "system" && blocksOf(content).length === 0;

export function turnsOf(messages: MessageParam[]): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (isDirective(message)) continue;
    const { role, content } = message;
    const blocks = blocksOf(content).map((block, at) => ({
      block,
      message: index,
      path: `messages.${index}.content.${at}`,
    }));
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, message: index, blocks });
  }
  return turns;
}

/** Refuses messages that are empty, stand in a wrong order, or break the pairs of calls and results. */
export function checkConversation(request: MessageCreateParams, model: KnownModel): void {
  checkSystemText(request.system);
  request.messages.forEach((message, index) => checkText(message, index, index === request.messages.length - 1));
  const turns = turnsOf(request.messages);
  checkOrder(turns, model);
  checkServerTools(turns);
  checkPairs(turns);
  checkReferences(request);
}

/** R17, R60 */
function checkSystemText(system: MessageCreateParams["system"]): void {
  if (!Array.isArray(system)) return; // "" is taken, as no system prompt.
  system.forEach((block, index) => {
    checkMarkedText(block, `system.${index}`);
    if (block.text === "") refuse("system: text content blocks must be non-empty");
  });
}

/** R27–R29, R42, R60 */
function checkText(message: MessageParam, index: number, isLast: boolean): void {
  const { role, content } = message;
  if (isDirective(message) && "output_config" in message) return;
  const blocks = blocksOf(content);
  if (blocks.length === 0 && !(isLast && role === "assistant")) {
    refuse(
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  // The model itself sometimes puts a line's end before a call, and may have it back.
  const mayBeBlank = role === "assistant" && blocks.some((block) => block.type !== "text" || /\S/.test(block.text));
  blocks.forEach((block, at) => checkBlockText(block, `messages.${index}.content.${at}`, mayBeBlank));
}

function checkBlockText(block: ContentBlockParam, path: string, mayBeBlank: boolean): void {
  if (block.type === "text") {
    checkMarkedText(block, path);
    if (block.text === "") refuse("messages: text content blocks must be non-empty");
    if (!mayBeBlank && !/\S/.test(block.text)) {
      refuse("messages: text content blocks must contain non-whitespace text");
    }
  }
  if (block.type !== "tool_result") return;
  if (block.is_error && (block.content ?? "").length === 0) {
    refuse(`${path}.tool_result: content cannot be empty if \`is_error\` is true`);
  }
  if (!Array.isArray(block.content)) return;
  block.content.forEach((inner, at) => {
    if (inner.type !== "text") return;
    checkMarkedText(inner, `${path}.tool_result.content.${at}`);
    if (inner.text === "") refuse("messages: text content blocks must be non-empty");
  });
}

function checkMarkedText({ text, cache_control }: TextBlockParam, path: string): void {
  if (text === "" && cache_control) refuse(`${path}.text: cache_control cannot be set for empty text blocks`);
}

/** R22–R25. That the user speaks first (R21) is a rule of the past. */
function checkOrder(turns: Turn[], model: KnownModel): void {
  const first = turns[0];
  if (first?.role === "system") {
    refuse(`messages.0: use the top-level 'system' parameter for the initial system prompt; ${DIRECTIVE_ONLY}`);
  }
  turns.forEach((turn, index) => {
    if (turn.role === "system") checkSystemMessage(turn, { before: turns[index - 1], after: turns[index + 1], model });
  });
  const last = turns.at(-1);
  if (last?.role === "assistant" && !isPaused(last)) checkPrefill(last, model);
}

const DIRECTIVE_ONLY = "the directive-only form (content: [] with output_config) is accepted at any position";

/** R23 */
function checkSystemMessage(
  { message }: Turn,
  { before, after, model }: { before: Turn | undefined; after: Turn | undefined; model: KnownModel },
): void {
  if (!model.systemMessages) refuse("role 'system' is not supported on this model");
  if (before?.role === "assistant" && !isPaused(before)) {
    refuse(`messages.${message}: role 'system' must follow a 'user' message; ${DIRECTIVE_ONLY}`);
  }
  if (after?.role === "user") {
    refuse(
      `messages.${message}: role 'system' must precede an 'assistant' message or end the array; ${DIRECTIVE_ONLY}`,
    );
  }
}

/** Whether an assistant turn stopped at the work of a server tool (`pause_turn`), or behind a compaction. */
function isPaused({ blocks }: Turn): boolean {
  const type: string = blocks.at(-1)?.block.type ?? "";
  return ["server_tool_use", "mcp_tool_use", "compaction"].includes(type) || isServerResult(type);
}

const isServerResult = (type: string): boolean => type !== "tool_result" && type.endsWith("_tool_result");

/** R24, R25 */
function checkPrefill({ blocks }: Turn, model: KnownModel): void {
  if (!model.prefill) {
    refuse("This model does not support assistant message prefill. The conversation must end with a user message.");
  }
  const end = blocks.at(-1)?.block;
  if (end?.type === "text" && /\s$/.test(end.text)) {
    refuse("messages: final assistant content cannot end with trailing whitespace");
  }
}

/** R44: once the user has spoken, every server tool has its result. */
function checkServerTools(turns: Turn[]): void {
  for (const [index, { blocks }] of turns.entries()) {
    const next = turns[index + 1];
    // While it works, the results of our own tools may come in.
    if (!next || next.blocks.every(({ block }) => block.type === "tool_result")) continue;
    const answered = new Set(blocks.map(({ block }) => ("tool_use_id" in block ? block.tool_use_id : "")));
    for (const { block } of blocks) {
      if (block.type !== "server_tool_use" || answered.has(block.id)) continue;
      const result = `${block.name.replace(/^tool_search_tool_.*/, "tool_search")}_tool_result`;
      refuse(
        `\`${block.name}\` tool use with id \`${block.id}\` was found without a corresponding \`${result}\` block`,
      );
    }
  }
}

/** R33–R38 */
function checkPairs(turns: Turn[]): void {
  turns.forEach(checkUniqueIds);
  for (const [index, turn] of turns.entries()) {
    if (turn.role === "assistant") checkCallsAnswered(turn, turns[index + 1]);
  }
  for (const [index, turn] of turns.entries()) checkResults(turn, turns[index - 1]);
}

/** R37. A later turn may use an id again. */
function checkUniqueIds({ blocks }: Turn): void {
  const seen = new Set<string>();
  for (const { block, path } of blocks) {
    if (block.type !== "tool_use") continue;
    if (seen.has(block.id)) refuse(`${path}: \`tool_use\` ids must be unique`);
    seen.add(block.id);
  }
}

/** R33, R34, R36: calls stand last in their turn, their results first in the next. */
function checkCallsAnswered(turn: Turn, next: Turn | undefined): void {
  const lastOther = turn.blocks.findLast(({ block }) => block.type !== "tool_use");
  const tail = lastOther ? turn.blocks.indexOf(lastOther) : -1;
  const early = turn.blocks.slice(0, Math.max(tail, 0)).filter(({ block }) => block.type === "tool_use");
  if (early.length > 0) refuseUnanswered(callIds(early), early[0]?.message ?? turn.message);
  const answered = next?.role === "user" ? leadingResults(next) : [];
  const missing = callIds(turn.blocks).filter((id) => !answered.includes(id));
  if (missing.length > 0) refuseUnanswered(missing, next?.message ?? turn.message);
}

function callIds(blocks: PlacedBlock[]): string[] {
  return blocks.flatMap(({ block }) => (block.type === "tool_use" ? block.id : []));
}

function leadingResults({ blocks }: Turn): string[] {
  const end = blocks.findIndex(({ block }) => block.type !== "tool_result");
  const leading = end === -1 ? blocks : blocks.slice(0, end);
  return leading.flatMap(({ block }) => (block.type === "tool_result" ? block.tool_use_id : []));
}

function refuseUnanswered(ids: string[], message: number): never {
  refuse(
    `messages.${message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. ` +
      "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
  );
}

/** R35, R38: a result belongs to one call of the turn before it, and is its only one. */
function checkResults({ blocks }: Turn, before: Turn | undefined): void {
  const called = callIds(before?.blocks ?? []);
  const seen = new Set<string>();
  for (const { block, path } of blocks) {
    if (block.type !== "tool_result") continue;
    const id = block.tool_use_id;
    if (!called.includes(id)) {
      refuse(
        `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      );
    }
    if (seen.has(id)) {
      refuse(`${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`);
    }
    seen.add(id);
  }
}

/** A tool that is to be made known is one of those offered, or defined on the way. That history needs tools (R43) is a rule of the past. */
function checkReferences({ messages, tools = [] }: MessageCreateParams): void {
  if (tools.some(({ type }) => String(type) === "mcp_toolset")) return; // Its tools are known to its server.
  const known = new Set<unknown>(tools.flatMap((tool) => ("name" in tool ? tool.name : [])));
  for (const [path, block] of innerBlocks(messages)) {
    if (block.type === "tool_addition" && isObject(block.tool) && isObject(block.tool.definition)) {
      known.add(block.tool.definition.name);
    }
    if (block.type === "tool_reference" && !known.has(block.tool_name)) {
      refuse(`${path}: Tool reference '${String(block.tool_name)}' has no corresponding tool definition`);
    }
    if ((block.type === "tool_addition" || block.type === "tool_removal") && isObject(block.tool)) {
      const { type, name } = block.tool;
      if (type !== "tool_reference" || known.has(name)) continue;
      refuse(`${path}.${block.type}.tool: Tool reference '${String(name)}' has no corresponding tool definition`, {
        error_code: "tool_reference_unresolved",
      });
    }
  }
}

/** All blocks, and those inside results, with their paths. */
function innerBlocks(messages: MessageParam[]): [string, Record<string, unknown>][] {
  const placed = messages.flatMap(({ content }, message) =>
    blocksOf(content).map((block, index) => [`messages.${message}.content.${index}`, block] as const),
  );
  return placed.flatMap(([path, block]) => {
    const inner: unknown = "content" in block ? block.content : undefined;
    const within = Array.isArray(inner) ? inner : isObject(inner) ? inner.tool_references : undefined;
    const all: unknown[] = [block, ...(Array.isArray(within) ? within : [])];
    return all.filter(isObject).map((each): [string, Record<string, unknown>] => [path, each]);
  });
}
