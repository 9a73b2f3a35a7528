import Anthropic from "@anthropic-ai/sdk";
import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
  ThinkingBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Model, reply, say } from "./script.ts";
import { startOfflineServer } from "./server.ts";

const TOOLS = [{ name: "bash", input_schema: { type: "object" as const } }];
const FIRST: MessageCreateParamsNonStreaming = {
  model: "claude-opus-5",
  max_tokens: 4096,
  tools: TOOLS,
  messages: [{ role: "user", content: "hello" }],
};
const MODIFIED =
  /^messages\.1\.content\.\d: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified\./;
const BOUND =
  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".';

const thinks: Model = ({ messages }) =>
  messages.length > 1
    ? say("done")
    : reply({ thinking: "first" }, { redacted: "c2VjcmV0" }, { thinking: "" }, { name: "bash", input: {} });

async function serve(model: Model = thinks) {
  const server = await startOfflineServer({ model, record: true });
  onTestFinished(() => server.close());
  return new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
}

/** Asks, then answers the call: `change` edits what goes back, `more` the second request. */
async function goOn(
  change: (blocks: ContentBlockParam[]) => ContentBlockParam[],
  {
    first = FIRST,
    more = {},
  }: { first?: MessageCreateParamsNonStreaming; more?: Partial<MessageCreateParamsNonStreaming> } = {},
) {
  const client = await serve();
  const { content } = await client.messages.create(first);
  const results = content.flatMap((block) =>
    block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id }] : [],
  );
  const replayed: MessageParam[] = [
    ...first.messages,
    { role: "assistant", content: change(content) },
    { role: "user", content: results },
  ];
  return client.messages.create({ ...first, messages: replayed, ...more });
}

const same = (blocks: ContentBlockParam[]) => blocks;

describe("thinking before a call (R54)", () => {
  test("comes back as it was", async () => {
    expect(await goOn(same)).toMatchObject({ content: [{ text: "done" }] });
  });

  test.each<[string, (blocks: ContentBlockParam[]) => ContentBlockParam[]]>([
    ["left out", (blocks) => blocks.filter(({ type }) => type === "tool_use")],
    [
      "without its empty block",
      (blocks) => blocks.filter((block) => block.type !== "thinking" || block.thinking !== ""),
    ],
    ["without its redacted block", (blocks) => blocks.filter(({ type }) => type !== "redacted_thinking")],
    ["in another order", ([first, second, ...rest]) => [second, first, ...rest].filter((block) => block !== undefined)],
    [
      "with other redacted data",
      (blocks) => blocks.map((block) => (block.type === "redacted_thinking" ? { ...block, data: "eA==" } : block)),
    ],
  ])("%s is refused", async (_what, change) => {
    await expect(goOn(change)).rejects.toMatchObject({ status: 400, apiMessage: expect.stringMatching(MODIFIED) });
  });

  test("is not remembered for ever", async () => {
    const client = await serve();
    const { content } = await client.messages.create(FIRST);
    for (let index = 0; index < 200; index++) await client.messages.create(FIRST);
    const call = content.flatMap((block) => (block.type === "tool_use" ? block : []));
    const results = call.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id }));
    const rest: MessageParam[] = [
      { role: "assistant", content: call },
      { role: "user", content: results },
    ];
    const messages = [...FIRST.messages, ...rest];
    expect(await client.messages.create({ ...FIRST, messages })).toMatchObject({ stop_reason: "end_turn" });
  });

  test("may be left out when thinking is off", async () => {
    const off = { thinking: { type: "disabled" as const } };
    expect(await goOn((blocks) => blocks.filter(({ type }) => type === "tool_use"), { more: off })).toMatchObject({
      stop_reason: "end_turn",
    });
  });
});

describe("signatures (R55)", () => {
  test.each<[string, Partial<ThinkingBlockParam>]>([
    ["an edited text", { thinking: "other" }],
    ["a made-up signature", { signature: "x" }],
    ["an empty signature", { signature: "" }],
  ])("%s is refused", async (_what, edit) => {
    const edited = goOn((blocks) => blocks.map((block) => (block.type === "thinking" ? { ...block, ...edit } : block)));
    await expect(edited).rejects.toMatchObject({
      status: 400,
      apiMessage: "messages.1.content.0: Invalid `signature` in `thinking` block",
    });
  });

  test("hold on another server too, so that a conversation can go on tomorrow", async () => {
    const { content } = await (await serve()).messages.create(FIRST);
    const thought = content.filter(({ type }) => type === "thinking");
    const messages: MessageParam[] = [
      ...FIRST.messages,
      { role: "assistant", content: [...thought, { type: "text", text: "So." }] },
      { role: "user", content: "go on" },
    ];
    expect(await (await serve()).messages.create({ ...FIRST, messages })).toMatchObject({ stop_reason: "end_turn" });
  });
});

describe("manual thinking (R56)", () => {
  const first = { ...FIRST, model: "claude-haiku-4-5", thinking: { type: "enabled" as const, budget_tokens: 1024 } };

  test("a turn with calls starts with it", async () => {
    expect(await goOn(same, { first })).toMatchObject({ stop_reason: "end_turn" });
  });

  test("or is refused", async () => {
    const client = await serve();
    const messages: MessageParam[] = [
      ...FIRST.messages,
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
    ];
    await expect(client.messages.create({ ...first, messages })).rejects.toMatchObject({
      status: 400,
      apiMessage: expect.stringMatching(
        /^messages\.1\.content\.0\.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`\./,
      ),
    });
  });
});

describe("thinking that is bound to its conversation (R57)", () => {
  const first = { ...FIRST, model: "claude-fable-5-1" };

  test.each<[string, Partial<MessageCreateParamsNonStreaming>]>([
    ["nothing", {}],
    ["max_tokens", { max_tokens: 10 }],
    ["the choice of tool", { tool_choice: { type: "auto" } }],
    [
      "cache marks",
      {
        cache_control: { type: "ephemeral" },
        tools: TOOLS.map((tool) => ({ ...tool, cache_control: { type: "ephemeral" } })),
      },
    ],
    ["a deferred tool", { tools: [...TOOLS, { name: "more", input_schema: { type: "object" }, defer_loading: true }] }],
  ])("%s may change", async (_what, more) => {
    expect(await goOn(same, { first, more })).toMatchObject({ stop_reason: "end_turn" });
  });

  test.each<[string, Partial<MessageCreateParamsNonStreaming>]>([
    ["the system prompt", { system: "It is noon." }],
    ["the tools", { tools: [...TOOLS, { name: "more", input_schema: { type: "object" } }] }],
  ])("%s may not", async (_what, more) => {
    await expect(goOn(same, { first, more })).rejects.toMatchObject({ status: 400, apiMessage: BOUND });
    expect(await goOn(same, { first: FIRST, more })).toMatchObject({ stop_reason: "end_turn" });
  });

  test("notes in between, and the accountant's line, may change", async () => {
    const client = await serve();
    const noted = (count: string): MessageParam[] => [...FIRST.messages, { role: "system", content: `${count} left` }];
    const system = (count: string) => [{ type: "text" as const, text: `x-anthropic-billing-header: ${count}` }];
    const request = { ...first, system: system("1"), messages: noted("9") };
    const { content } = await client.messages.create(request);
    const thought = content.filter(({ type }) => type === "thinking");
    const messages: MessageParam[] = [
      ...noted("8"),
      { role: "assistant", content: [...thought, { type: "text", text: "So." }] },
      { role: "user", content: "go on" },
    ];
    expect(await client.messages.create({ ...request, system: system("2"), messages })).toMatchObject({
      stop_reason: "end_turn",
    });
  });

  test("a thought that does not hold any more is removed, or dropped on demand", async () => {
    const withoutThoughts = (blocks: ContentBlockParam[]) => blocks.filter(({ type }) => type === "tool_use");
    expect(await goOn(withoutThoughts, { first })).toMatchObject({ stop_reason: "end_turn" });
    const client = await serve();
    const { content } = await client.messages.create(first);
    const thought = content.filter(({ type }) => type === "thinking");
    const messages: MessageParam[] = [
      { role: "user", content: "hullo" },
      { role: "assistant", content: [...thought, { type: "text", text: "So." }] },
      { role: "user", content: "go on" },
    ];
    const binding = { type: "adaptive" as const, block_binding: { prefix_mismatch_behavior: "drop_block" as const } };
    const betas = ["thinking-binding-controls-2026-08-01"];
    expect(await client.beta.messages.create({ ...first, thinking: binding, messages, betas })).toMatchObject({
      stop_reason: "end_turn",
      input_transformations: [],
    });
  });

  test("nor may an earlier message", async () => {
    const client = await serve();
    const { content } = await client.messages.create(first);
    const thought = content.filter(({ type }) => type === "thinking");
    const messages: MessageParam[] = [
      { role: "user", content: "hullo" },
      { role: "assistant", content: [...thought, { type: "text", text: "So." }] },
      { role: "user", content: "go on" },
    ];
    await expect(client.messages.create({ ...first, messages })).rejects.toMatchObject({ apiMessage: BOUND });
  });
});
