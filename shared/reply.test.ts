import type { Message, RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { expect, test } from "vitest";
import { readReply } from "./reply.ts";

/** A stream as the SDK gives it, of events as an endpoint might send them. */
async function* stream(...events: object[]): AsyncGenerator<RawMessageStreamEvent> {
  yield* JSON.parse(JSON.stringify(events));
}
const start = { type: "message_start", message: { role: "assistant", content: [], usage: { input_tokens: 3 } } };
const end = {
  type: "message_delta",
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 2, input_tokens: null },
};
const block = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, change: object) => ({ type: "content_block_delta", index, delta: change });

async function read(...events: object[]): Promise<{ reply: Message; shown: string }> {
  let shown = "";
  const reply = await readReply(stream(...events), (text) => void (shown += text));
  return { reply, shown };
}

test("a text block without its empty text, and one that comes as a whole", async () => {
  const { reply, shown } = await read(
    start,
    block(0, { type: "text" }),
    delta(0, { type: "text_delta", text: "one " }),
    block(1, { type: "text", text: "two" }),
    end,
  );
  expect(reply.content).toMatchObject([{ text: "one " }, { text: "two" }]);
  expect(shown).toBe("one two");
});

test("thoughts keep their signature, also where their empty beginnings are left out", async () => {
  const { reply } = await read(
    start,
    block(0, { type: "thinking" }),
    delta(0, { type: "thinking_delta", thinking: "hm" }),
    delta(0, { type: "signature_delta", signature: "abc" }),
    end,
  );
  expect(reply.content).toEqual([{ type: "thinking", thinking: "hm", signature: "abc" }]);
});

test("arguments: in pieces, none at all, whole in the first event, and no JSON", async () => {
  const { reply } = await read(
    start,
    block(0, { type: "tool_use", name: "a", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"x":' }),
    delta(0, { type: "input_json_delta", partial_json: "1}" }),
    block(1, { type: "tool_use", name: "b", input: {} }),
    block(2, { type: "tool_use", name: "c", input: { y: 2 } }),
    block(3, { type: "tool_use", name: "d", input: {} }),
    delta(3, { type: "input_json_delta", partial_json: '{"z": half' }),
    end,
  );
  const inputs = reply.content.map((one) => one.type === "tool_use" && one.input);
  expect(inputs).toEqual([{ x: 1 }, {}, { y: 2 }, { not_a_json_object: '{"z": half' }]);
});

test("an index that is missing or the same for all means the newest block", async () => {
  const { reply, shown } = await read(
    start,
    { type: "content_block_start", content_block: { type: "text" } },
    { type: "content_block_delta", delta: { type: "text_delta", text: "one" } },
    block(0, { type: "tool_use", name: "a", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"x":1}' }),
    block(0, { type: "tool_use", name: "b", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"y":2}' }),
    block(4_000_000_000, { type: "text", text: "two" }),
    end,
  );
  expect(reply.content).toMatchObject([{ text: "one" }, { input: { x: 1 } }, { input: { y: 2 } }, { text: "two" }]);
  expect(shown).toBe("onetwo");
});

test("what is null or missing adds nothing and takes nothing back", async () => {
  const { reply, shown } = await read(
    start,
    block(0, { type: "text", text: "ok" }),
    delta(0, { type: "text_delta" }),
    delta(5, { type: "text_delta", text: "of no block: not in the conversation, so not on the screen" }),
    block(1, { type: "tool_use", name: "a", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: null }),
    end,
    { type: "message_delta", delta: { stop_reason: null }, usage: null },
  );
  expect(reply).toMatchObject({ content: [{ text: "ok" }, { input: {} }], stop_reason: "end_turn" });
  expect(shown).toBe("ok");
});

test("what is not known is passed over; the usage is what was said last", async () => {
  const { reply } = await read(
    start,
    { type: "something_new" },
    delta(7, { type: "text_delta", text: "" }),
    block(1, { type: "text", text: "ok" }),
    delta(1, { type: "new_delta" }),
    end,
  );
  expect(reply).toMatchObject({ content: [{ text: "ok" }], usage: { input_tokens: 3, output_tokens: 2 } });
});

test.each([
  ["nothing at all", [], /no stream of the Messages API/],
  ["no end", [start, block(0, { type: "text", text: "half" })], /broke off/],
  [
    "no end but one told at the start",
    [{ ...start, message: { ...start.message, stop_reason: "end_turn" } }],
    /broke off/,
  ],
])("%s is an error", async (_what, events, right) => {
  await expect(read(...events)).rejects.toThrow(right);
});
