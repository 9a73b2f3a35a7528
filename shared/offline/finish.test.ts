/** What a request wants of the answer holds whoever the model is. */
import Anthropic from "@anthropic-ai/sdk";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, type Reply, reply, say, think } from "./script.ts";
import { startOfflineServer } from "./server.ts";

const hello = { role: "user" as const, content: "What is new?" };
const look = { name: "look", input_schema: { type: "object" as const } };
const REQUEST = { model: "claude-haiku-4-5", max_tokens: 4000, messages: [hello], tools: [look] };

async function client(step: Reply): Promise<Anthropic> {
  const server = await startOfflineServer({ model: () => step });
  onTestFinished(() => server.close());
  return new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
}

/** The answer as a message, which is the same when it is streamed. */
async function answerTo(step: Reply, more: Partial<MessageCreateParamsNonStreaming>) {
  const { messages } = await client(step);
  const request = { ...REQUEST, ...more };
  const whole = await messages.create(request);
  const streamed = await messages.stream(request).finalMessage();
  const gist = ({ content, stop_reason, stop_sequence, usage }: typeof whole) => ({
    content: content.map(({ type }) => type),
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    stop_reason,
    stop_sequence,
    output_tokens: usage.output_tokens,
  });
  expect(gist(streamed)).toEqual(gist(whole));
  return { ...whole, ...gist(whole), blocks: whole.content };
}

describe("max_tokens", () => {
  const TEXT = "one two three four five six seven eight nine ten";

  test("a text ends there", async () => {
    const { text, stop_reason, output_tokens } = await answerTo(say(TEXT), { max_tokens: 4 });
    expect(text).toBe("one two three four");
    expect([stop_reason, output_tokens]).toEqual(["max_tokens", 4]);
  });

  test("a text that fits ends as it does", async () => {
    expect(await answerTo(say(TEXT), { max_tokens: 11 })).toMatchObject({ text: TEXT, stop_reason: "end_turn" });
  });

  test("one token is one word", async () => {
    expect(await answerTo(say(TEXT), { max_tokens: 1 })).toMatchObject({ text: "one", stop_reason: "max_tokens" });
  });

  test("a call that does not fit stays unfinished, and what follows is not said", async () => {
    const step = reply("Look:", { name: "look", input: { a: 1, b: "word ".repeat(50) } }, { name: "look", input: {} });
    const { blocks, stop_reason } = await answerTo(step, { max_tokens: 10 });
    expect(blocks).toMatchObject([{ type: "text" }, { type: "tool_use", input: { a: 1 } }]);
    expect(stop_reason).toBe("max_tokens");
  });

  test("a call for which nothing is left is not begun", async () => {
    const { content } = await answerTo(reply("one two", { name: "look", input: {} }), { max_tokens: 2 });
    expect(content).toEqual(["text"]);
  });

  test("thinking counts", async () => {
    const { content, stop_reason } = await answerTo(think("word ".repeat(50), "hello"), { max_tokens: 10 });
    expect([content, stop_reason]).toEqual([["thinking"], "max_tokens"]);
  });
});

describe("stop_sequences", () => {
  test.each([
    ["in the middle", ["three"], "one two ", "three"],
    ["the first of several", ["four", "two"], "one ", "two"],
    ["none that occurs", ["seven"], "one two three four", null],
    ["at the very beginning", ["one"], "", "one"],
  ])("%s", async (_where, stop_sequences, text, stop_sequence) => {
    const stop_reason = stop_sequence === null ? "end_turn" : "stop_sequence";
    const answer = await answerTo(say("one two three four"), { stop_sequences });
    expect(answer).toMatchObject({ text, stop_sequence, stop_reason });
  });

  test("nothing follows", async () => {
    const answer = await answerTo(reply("one END two", { name: "look", input: {} }), { stop_sequences: ["END"] });
    expect(answer).toMatchObject({ content: ["text"], text: "one ", stop_reason: "stop_sequence" });
  });

  test("an earlier end by max_tokens wins", async () => {
    const answer = await answerTo(say("one two three four END"), { stop_sequences: ["END"], max_tokens: 2 });
    expect(answer).toMatchObject({ text: "one two", stop_reason: "max_tokens", stop_sequence: null });
  });
});

describe("thinking that is enabled", () => {
  const thinking = { type: "enabled" as const, budget_tokens: 2000 };

  test.each([
    ["a call", call("look"), ["thinking", "tool_use"]],
    ["a text", say("hello"), ["thinking", "text"]],
    ["a reply that has a thought", think("Well.", "hello"), ["thinking", "text"]],
    ["nothing", reply(), []],
  ])("comes before %s", async (_what, step, content) => {
    expect((await answerTo(step, { thinking })).content).toEqual(content);
  });

  test("so that the next request may bring the answer back", async () => {
    const { messages } = await client(call("look", {}, "a"));
    const { content } = await messages.create({ ...REQUEST, thinking });
    const result = { type: "tool_result" as const, tool_use_id: "a", content: "ok" };
    const next = [hello, { role: "assistant" as const, content }, { role: "user" as const, content: [result] }];
    expect(await messages.create({ ...REQUEST, thinking, messages: next })).toMatchObject({ type: "message" });
  });

  test("only then", async () => {
    expect((await answerTo(call("look"), {})).content).toEqual(["tool_use"]);
  });
});

describe("output_config.format", () => {
  const object = (properties: Record<string, unknown>, more = {}) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  });
  const format = (schema: Record<string, unknown>) => ({
    output_config: { format: { type: "json_schema" as const, schema } },
  });
  const parsed = (text: string): unknown => JSON.parse(text);
  const tree = {
    ...object({ root: { $ref: "#/$defs/node" } }),
    $defs: {
      node: object({ name: { type: "string" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } }),
    },
  };

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      "words go where there is room for them",
      object({ n: { type: "integer" }, answer: { type: "string" }, more: { type: "string" } }),
      { n: 0, answer: "All is well.", more: "" },
    ],
    [
      "listed values",
      object({ mood: { enum: ["good", "bad"] }, kind: { const: "report" } }),
      { mood: "good", kind: "report" },
    ],
    [
      "numbers within limits",
      object({ a: { type: "integer", minimum: 3 }, b: { type: "number", exclusiveMinimum: 0 } }),
      { a: 3, b: 1 },
    ],
    [
      "lists",
      object({
        none: { type: "array", items: { type: "string" } },
        one: { type: "array", minItems: 1, items: { type: "boolean" } },
      }),
      { none: [], one: [false] },
    ],
    [
      "choices",
      object({ a: { type: ["string", "null"] }, b: { anyOf: [object({ c: { type: "string" } }), { type: "null" }] } }),
      { a: "All is well.", b: null },
    ],
    [
      "formats",
      object({ day: { type: "string", format: "date" } }),
      { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    ],
    ["a schema that holds itself", tree, { root: { name: "All is well.", next: null } }],
    ["parts of a whole", object({ a: { allOf: [{ type: "integer" }, { minimum: 2 }] } }), { a: 2 }],
  ])("%s", async (_what, schema, value) => {
    const { text, content } = await answerTo(say("All is well."), format(schema));
    expect(content).toEqual(["text"]);
    expect(parsed(text)).toEqual(value);
  });

  const schema = object({ count: { type: "integer" } });

  test.each([
    ["JSON that fits is left alone", '{ "count": 7 }', { count: 7 }],
    ["and freed of its fence", '```json\n{"count": 7}\n```', { count: 7 }],
    ["another field does not fit", '{"count": 7, "more": 1}', { count: 0 }],
    ["a field that is missing does not fit", "{}", { count: 0 }],
    ["a value of another type does not fit", '{"count": "7"}', { count: 0 }],
  ])("%s", async (_what, said, value) => {
    expect(parsed((await answerTo(say(said), format(schema))).text)).toEqual(value);
  });

  test("a call comes before the last text", async () => {
    const answer = await answerTo(reply("I look.", { name: "look", input: {} }), format(schema));
    expect(answer).toMatchObject({ content: ["text", "tool_use"], text: "I look." });
  });

  test("by its old name", async () => {
    const { beta } = await client(say("hello"));
    const { content } = await beta.messages.create({
      ...REQUEST,
      output_format: { type: "json_schema", schema },
      betas: ["structured-outputs-2025-11-13"],
    });
    expect(content).toMatchObject([{ text: '{"count":0}' }]);
  });
});

describe("a tool of the API's own", () => {
  test.each([
    [
      { type: "web_search_20250305", name: "web_search" } as const,
      "web_search_tool_result",
      { query: "What is new?" },
      [],
    ],
    [
      { type: "web_fetch_20250910", name: "web_fetch" } as const,
      "web_fetch_tool_result",
      {},
      { error_code: "unavailable" },
    ],
    [
      { type: "code_execution_20250522", name: "code_execution" } as const,
      "code_execution_tool_result",
      {},
      { error_code: "unavailable" },
    ],
    [
      { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" } as const,
      "tool_search_tool_result",
      {},
      { tool_references: [] },
    ],
  ])("$name is done by the server, with nothing to show", async (tool, result, input, found) => {
    const more = { tools: [tool, look], tool_choice: { type: "tool" as const, name: tool.name } };
    const { blocks, stop_reason } = await answerTo(call(tool.name), more);
    expect(blocks).toMatchObject([
      { type: "server_tool_use", name: tool.name, input, id: expect.stringMatching(/^srvtoolu_/) },
      { type: result, content: found },
      { type: "text", text: expect.stringMatching(/\S/) },
    ]);
    expect(stop_reason).toBe("end_turn");
  });

  test("the answer may come back", async () => {
    const { messages } = await client(call("web_search", { query: "news" }));
    const tools = [{ type: "web_search_20250305" as const, name: "web_search" as const }];
    const { content } = await messages.create({ ...REQUEST, tools });
    const next = [hello, { role: "assistant" as const, content }, hello];
    expect(await messages.create({ ...REQUEST, tools, messages: next })).toMatchObject({ type: "message" });
  });

  test("beside one of ours, which has the last word", async () => {
    const step = reply({ name: "web_search", input: { query: "a" } }, { name: "look", input: {} });
    const { content, stop_reason } = await answerTo(step, {
      tools: [{ type: "web_search_20250305", name: "web_search" }, look],
    });
    expect([content, stop_reason]).toEqual([["server_tool_use", "web_search_tool_result", "tool_use"], "tool_use"]);
  });
});
