import type {
  Message,
  RawContentBlockDelta,
  RawMessageStreamEvent,
  ToolUseBlock,
} from "@anthropic-ai/sdk/resources/messages";

type Block = Message["content"][number];

/**
 * Puts a streamed reply together. The SDK can do it too, but throws the whole reply away when the arguments of one call
 * are no JSON, and completes arguments that were cut off without a word.
 *
 * @param show gets the reply's text, piece by piece
 * @throws when the stream ends before the reply does
 */
export async function readReply(
  events: AsyncIterable<RawMessageStreamEvent>,
  show: (text: string) => void,
): Promise<Message> {
  let reply: Message | undefined;
  const blocks: Block[] = [];
  const inputs = new Map<number, string>(); // the arguments of each call so far, as JSON text

  for await (const event of events) {
    if (event.type === "message_start") reply = event.message;
    if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block };
    if (event.type === "content_block_delta") {
      const block = blocks[event.index];
      if (block) addDelta(block, event.delta);
      if (event.delta.type === "text_delta") show(event.delta.text);
      if (event.delta.type === "input_json_delta") {
        inputs.set(event.index, (inputs.get(event.index) ?? "") + event.delta.partial_json);
      }
    }
    if (event.type === "message_delta" && reply) {
      const used = Object.entries(event.usage ?? {}).filter(([, value]) => value !== null);
      reply = { ...reply, ...event.delta, usage: { ...reply.usage, ...Object.fromEntries(used) } };
    }
  }
  if (!reply?.stop_reason) throw new Error("the connection broke off in the middle of a reply");
  for (const [index, block] of blocks.entries()) {
    if (block?.type === "tool_use") completeCall(block, inputs.get(index) ?? "", index);
  }
  return { ...reply, content: blocks.filter(Boolean) };
}

function addDelta(block: Block, delta: RawContentBlockDelta): void {
  if (block.type === "text" && delta.type === "text_delta") block.text += delta.text;
  if (block.type === "thinking" && delta.type === "thinking_delta") block.thinking += delta.thinking;
  if (block.type === "thinking" && delta.type === "signature_delta") block.signature += delta.signature;
}

/** Arguments that are no JSON object are kept as text, so that the tool refuses them and the model sees why. */
function completeCall(call: ToolUseBlock, json: string, index: number): void {
  call.id ||= `toolu_${Date.now().toString(36)}_${index}`; // some endpoints give no ids
  const input = json === "" ? call.input : parse(json);
  call.input =
    typeof input === "object" && input !== null && !Array.isArray(input) ? input : { not_a_json_object: json };
}

function parse(json: string): unknown {
  try {
    // Half a surrogate pair is legal in JSON text, but no later request could carry it.
    return JSON.parse(json, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
  } catch {
    return undefined;
  }
}
