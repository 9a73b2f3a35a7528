import type {
  CacheControlEphemeral,
  MessageCreateParams,
  MessageParam,
  Tool,
} from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, test } from "vitest";
import { countTokens, createPromptCache } from "./cache.ts";

const MARK: { cache_control: CacheControlEphemeral } = { cache_control: { type: "ephemeral" } };
const HOUR: { cache_control: CacheControlEphemeral } = { cache_control: { type: "ephemeral", ttl: "1h" } };

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: "does ".repeat(20),
  input_schema: { type: "object" },
  ...more,
});
const words = (count: number, word = "word"): string => `${word} `.repeat(count);
const user = (text: string, more: Partial<typeof MARK> = {}): MessageParam => ({
  role: "user",
  content: [{ type: "text", text, ...more }],
});
const assistant = (text: string): MessageParam => ({ role: "assistant", content: [{ type: "text", text }] });
const request = (more: Partial<MessageCreateParams>): MessageCreateParams => ({
  model: "claude-sonnet-5",
  max_tokens: 100,
  messages: [user("hello")],
  ...more,
});

const total = ({
  input_tokens,
  cache_read_input_tokens,
  cache_creation_input_tokens,
}: ReturnType<ReturnType<typeof createPromptCache>>) =>
  input_tokens + cache_read_input_tokens + cache_creation_input_tokens;

test("without marks nothing is cached", () => {
  const cache = createPromptCache();
  const body = request({ system: words(100), tools: [tool("a")] });
  cache(body);
  expect(cache(body)).toMatchObject({
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    input_tokens: countTokens(body),
  });
});

test("what stands up to a mark is written once, then read", () => {
  const cache = createPromptCache();
  const body = request({ system: [{ type: "text", text: words(100), ...MARK }] });
  const first = cache(body);
  expect(first.cache_creation_input_tokens).toBeGreaterThanOrEqual(100);
  expect(first.cache_read_input_tokens).toBe(0);
  const second = cache(body);
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
  expect(second.cache_creation_input_tokens).toBe(0);
});

test("the three counts are all of the input", () => {
  const cache = createPromptCache();
  const body = request({
    system: [{ type: "text", text: words(100), ...MARK }],
    tools: [tool("a", MARK)],
    messages: [user(words(50)), assistant("yes"), user(words(9), MARK)],
  });
  const longer = { ...body, messages: [...body.messages, assistant("ok"), user("more", MARK)] };
  expect(total(cache(body))).toBe(countTokens(body));
  expect(total(cache(longer))).toBe(countTokens(longer));
});

test("a conversation that only grows reads all that it had", () => {
  const cache = createPromptCache();
  const first = request({ cache_control: MARK.cache_control, messages: [user(words(100))] });
  const second = { ...first, messages: [...first.messages, assistant("yes"), user(words(10))] };
  const { cache_creation_input_tokens } = cache(first);
  expect(cache(second)).toMatchObject({ cache_read_input_tokens: cache_creation_input_tokens, input_tokens: 0 });
});

test("marks may move, and a message may be a string or a list", () => {
  const cache = createPromptCache();
  const first = cache(request({ messages: [user("one", MARK)] }));
  const second = cache(
    request({ messages: [{ role: "user", content: "one" }, assistant("two"), user("three", MARK)] }),
  );
  expect(second.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
});

describe("the cache is lost from the first change on", () => {
  const body = request({
    tools: [tool("a"), tool("b", MARK)],
    system: [{ type: "text", text: words(50), ...MARK }],
    messages: [user(words(50), MARK)],
  });
  const prefix = (parts: Partial<MessageCreateParams>) => countTokens({ ...request({}), messages: [], ...parts });
  const tools = prefix({ tools: body.tools ?? [] });
  const toolsAndSystem = prefix({ tools: body.tools ?? [], system: body.system ?? [] });

  test.each<[string, Partial<MessageCreateParams>, number]>([
    ["nothing", {}, countTokens(body)],
    ["max_tokens", { max_tokens: 5 }, countTokens(body)],
    ["a message", { messages: [user(words(50, "other"), MARK)] }, toolsAndSystem],
    ["the choice of tool", { tool_choice: { type: "any" } }, toolsAndSystem],
    ["the system prompt", { system: [{ type: "text", text: words(50, "other"), ...MARK }] }, tools],
    ["the order of tools", { tools: [tool("b"), tool("a", MARK)] }, 0],
    ["the model", { model: "claude-opus-5" }, 0],
  ])("%s", (_what, change, read) => {
    const cache = createPromptCache();
    cache(body);
    expect(cache({ ...body, ...change }).cache_read_input_tokens).toBe(read);
  });
});

describe("a mark looks back", () => {
  const texts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ type: "text" as const, text: `line ${index}` }));
  /** What is read when so many blocks have been added behind the old mark. */
  const readAfter = (added: number) => {
    const cache = createPromptCache();
    const ask = (count: number) => {
      const blocks = texts(count);
      const last = blocks.pop();
      return cache(
        request({ messages: [{ role: "user", content: [...blocks, ...(last ? [{ ...last, ...MARK }] : [])] }] }),
      );
    };
    ask(1);
    return ask(1 + added).cache_read_input_tokens;
  };

  test("over 20 blocks", () => expect(readAfter(19)).toBeGreaterThan(0));
  test("not farther", () => expect(readAfter(20)).toBe(0));
});

test("the oldest prompts make place for new ones", () => {
  const cache = createPromptCache();
  const read = (text: string) => cache(request({ messages: [user(text, MARK)] })).cache_read_input_tokens;
  read("first");
  read("used again");
  for (let index = 0; index < 998; index++) read(`prompt ${index}`);
  expect(read("used again")).toBeGreaterThan(0);
  read("one more");
  expect(read("used again")).toBeGreaterThan(0);
  expect(read("first")).toBe(0);
});

test("a mark inside a result is a mark", () => {
  const cache = createPromptCache();
  const body = request({
    tools: [tool("a")],
    messages: [
      user("go"),
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "a", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: words(30), ...MARK }] }],
      },
    ],
  });
  cache(body);
  expect(cache(body)).toMatchObject({ cache_read_input_tokens: countTokens(body), input_tokens: 0 });
});

test("hours and minutes are counted apart", () => {
  const cache = createPromptCache();
  const usage = cache(
    request({ system: [{ type: "text", text: words(50), ...HOUR }], messages: [user(words(20), MARK)] }),
  );
  expect(usage.cache_creation.ephemeral_1h_input_tokens).toBeGreaterThanOrEqual(50);
  expect(usage.cache_creation.ephemeral_5m_input_tokens).toBeGreaterThanOrEqual(20);
  expect(usage.cache_creation.ephemeral_1h_input_tokens + usage.cache_creation.ephemeral_5m_input_tokens).toBe(
    usage.cache_creation_input_tokens,
  );
});

test("an image counts the same, large or small", () => {
  const image = (data: string): MessageParam => ({
    role: "user",
    content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
  });
  expect(countTokens(request({ messages: [image("AAAA".repeat(10_000))] }))).toBe(
    countTokens(request({ messages: [image("AAAA")] })),
  );
});
