import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "./rules/shape.ts";
import { say } from "./script.ts";
import { type OfflineServer, startOfflineServer } from "./server.ts";

let server: OfflineServer;
beforeAll(async () => {
  server = await startOfflineServer({ model: () => say("yes") });
});
afterAll(() => server.close());

type Json = Record<string, unknown>;

async function post(body: Json, betas: string, path = "/v1/messages") {
  const response = await fetch(`${server.url}${path}?beta=true`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "key",
      "anthropic-version": "2023-06-01",
      ...(betas && { "anthropic-beta": betas }),
    },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, ...(isObject(answer) && answer) };
}

const user = (content: unknown) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const tool = (name: string) => ({ name, input_schema: { type: "object" } });
const hello = user("hello");
const request = (more: Json): Json => ({ model: "claude-sonnet-5", max_tokens: 100, messages: [hello], ...more });
/** After these blocks of the assistant the user says more. */
const after = (...blocks: unknown[]): Json =>
  request({ messages: [hello, assistant(...blocks, { type: "text", text: "a" }), hello] });
/** A system message at the end, on a model that takes one. */
const system = (message: Json): Json =>
  request({ model: "claude-opus-5", messages: [hello, { role: "system", ...message }], tools: [tool("look")] });
const offered = (more: Json): Json => request({ tools: [tool("look"), more] });

const COMPUTER = { name: "computer", display_width_px: 800, display_height_px: 600 };
const MCP = { type: "url", url: "https://example.com/mcp", name: "docs" };
const CALL = { type: "mcp_tool_use", id: "mcptoolu_1", name: "find", server_name: "docs", input: {} };
const RESULT = { type: "mcp_tool_result", tool_use_id: "mcptoolu_1", content: [{ type: "text", text: "a" }] };
const NOT_KNOWN = "Extra inputs are not permitted";
const TAG = / found using 'type' does not match any of the expected tags: /;

/** Header, what it allows, the request, and what is said of that without the header. */
const ALLOWED: [string, string, Json, string | RegExp][] = [
  [
    "context-management-2025-06-27",
    "context management",
    request({
      context_management: { edits: [{ type: "clear_tool_uses_20250919", keep: { type: "tool_uses", value: 2 } }] },
    }),
    `context_management: ${NOT_KNOWN}`,
  ],
  [
    "context-management-2025-06-27",
    "clearing of thoughts, by a model that thinks unasked",
    request({ context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] } }),
    `context_management: ${NOT_KNOWN}`,
  ],
  [
    "compact-2026-01-12",
    "compaction by the server",
    request({
      context_management: { edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 60_000 } }] },
    }),
    `context_management: ${NOT_KNOWN}`,
  ],
  ["compact-2026-01-12", "what it made", after({ type: "compaction", content: "They said hello." }), TAG],
  [
    "compact-2026-09-04",
    "compaction on demand",
    request({ compaction: { type: "summarize" } }),
    `compaction: ${NOT_KNOWN}`,
  ],
  [
    "mid-conversation-output-config-2026-07-01",
    "an effort from here on",
    system({ content: [], output_config: { effort: "low" } }),
    `messages.1.output_config: ${NOT_KNOWN}`,
  ],
  [
    "per-turn-control-2026-07-01",
    "the same, with no content",
    system({ output_config: { effort: "low" } }),
    `messages.1.output_config: ${NOT_KNOWN}`,
  ],
  [
    "mid-conversation-system-clear-at-2026-08-21",
    "a message for one turn",
    system({ content: "Be brief.", clear_at: "next_user_message" }),
    `messages.1.clear_at: ${NOT_KNOWN}`,
  ],
  ...["tool_addition", "tool_removal"].map((type): (typeof ALLOWED)[number] => [
    "mid-conversation-tool-changes-2026-07-01",
    type,
    system({ content: [{ type, tool: { type: "tool_reference", name: "look" } }] }),
    TAG,
  ]),
  [
    "dangerous-tool-use-2026-09-03",
    "safeguards",
    request({ safeguards: { level: "high" } }),
    `safeguards: ${NOT_KNOWN}`,
  ],
  [
    "thinking-binding-controls-2026-08-01",
    "binding of thoughts",
    request({ thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } }),
    `thinking.adaptive.block_binding: ${NOT_KNOWN}`,
  ],
  [
    "thinking-display-updates-2026-08-18",
    "updates of thinking",
    request({ thinking: { type: "adaptive", display: "updates" } }),
    "thinking.adaptive.display: Input should be 'summarized' or 'omitted'",
  ],
  [
    "interleaved-thinking-2025-05-14",
    "a budget beyond the answer",
    request({ model: "claude-sonnet-4-5", thinking: { type: "enabled", budget_tokens: 32_000 } }),
    "max_tokens must be greater than thinking.budget_tokens",
  ],
  [
    "structured-outputs-2025-11-13",
    "the field's old name",
    request({ output_format: format() }),
    `output_format: ${NOT_KNOWN}`,
  ],
  [
    "task-budgets-2026-03-13",
    "a budget for the task",
    request({ output_config: { task_budget: { type: "tokens", total: 30_000, remaining: 100 } } }),
    `output_config.task_budget: ${NOT_KNOWN}`,
  ],
  [
    "server-side-fallback-2026-06-01",
    "the usual fallback",
    request({ fallbacks: "default" }),
    `fallbacks: ${NOT_KNOWN}`,
  ],
  [
    "server-side-fallback-2026-07-01",
    "what a fallback leaves",
    after({ type: "fallback", from: { model: "claude-opus-5" }, to: { model: "claude-sonnet-5" } }),
    TAG,
  ],
  [
    "fallback-credit-2026-07-01",
    "a credit",
    request({ fallback_credit_token: { token: "a" } }),
    `fallback_credit_token: ${NOT_KNOWN}`,
  ],
  ["mcp-client-2025-04-04", "MCP servers", request({ mcp_servers: [MCP] }), `mcp_servers: ${NOT_KNOWN}`],
  ["mcp-client-2025-11-20", "calls and results of MCP", after(CALL, RESULT), TAG],
  ["mcp-client-2025-11-20", "a set of MCP tools", offered({ type: "mcp_toolset", mcp_server_name: "docs" }), TAG],
  [
    "mcp-client-2026-09-15",
    "a list of MCP tools",
    after({ type: "mcp_tool_listing", mcp_server_name: "docs", tools: [] }),
    TAG,
  ],
  [
    "advisor-tool-2026-03-01",
    "the advisor",
    offered({ type: "advisor_20260301", name: "advisor", model: "claude-opus-5" }),
    TAG,
  ],
  [
    "advisor-tool-2026-03-01",
    "what it said",
    after(
      { type: "server_tool_use", id: "srvtoolu_1", name: "advisor", input: {} },
      { type: "advisor_tool_result", tool_use_id: "srvtoolu_1", content: { type: "advisor_result", text: "a" } },
    ),
    TAG,
  ],
  ...["2024-10-22", "2025-01-24", "2025-11-24"].map((day): (typeof ALLOWED)[number] => [
    `computer-use-${day}`,
    "a computer",
    offered({ type: `computer_${day.replaceAll("-", "")}`, ...COMPUTER }),
    TAG,
  ]),
];

function format() {
  return { type: "json_schema", schema: { type: "object", additionalProperties: false } };
}

describe("with its header", () => {
  test.each(ALLOWED)("%s: %s", async (beta, _what, body) => {
    expect(await post(body, `no-such-beta-2030-01-01, ${beta}`)).toMatchObject({ status: 200, type: "message" });
  });
});

describe("without it", () => {
  test.each(ALLOWED)("%s: %s", async (_beta, _what, body, message) => {
    expect(await post(body, "no-such-beta-2030-01-01")).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", message: expect.stringMatching(message) },
    });
  });
});

describe("in a count of tokens", () => {
  const both = ALLOWED.filter(
    ([, , body]) => !["fallbacks", "fallback_credit_token", "safeguards"].some((key) => key in body),
  );
  test.each(both)("%s: %s", async (beta, _what, whole, message) => {
    const { max_tokens: _, ...body } = whole;
    const path = "/v1/messages/count_tokens";
    expect(await post(body, beta, path)).toMatchObject({ status: 200, input_tokens: expect.any(Number) });
    if (beta.startsWith("interleaved")) return; // A count has no max_tokens to be beyond.
    expect(await post(body, "", path)).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(message) },
    });
  });
});

test.each([
  ["thinking off", "claude-sonnet-5", { thinking: { type: "disabled" } }],
  ["no word of thinking, by a model that thinks when asked", "claude-opus-4-7", {}],
])("thoughts are not cleared where there are none: %s", async (_what, model, more) => {
  const context_management = { edits: [{ type: "clear_thinking_20251015" }] };
  expect(await post(request({ model, context_management, ...more }), "context-management-2025-06-27")).toMatchObject({
    status: 400,
    error: { message: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive" },
  });
});

test("what context management did is in the answer, and in a count", async () => {
  const body = request({ context_management: { edits: [] } });
  const beta = "context-management-2025-06-27";
  expect(await post(body, beta)).toMatchObject({ context_management: { applied_edits: [] } });
  const { max_tokens: _, ...counted } = body;
  expect(await post(counted, beta, "/v1/messages/count_tokens")).toMatchObject({
    context_management: { original_input_tokens: expect.any(Number) },
  });
});

const directive = { role: "system", content: [], output_config: { effort: "low" } };
const use = { type: "tool_use", id: "a", name: "look", input: {} };
const result = { type: "tool_result", tool_use_id: "a", content: "ok" };

test.each([
  ["first", [directive, hello]],
  ["between a call and its result", [hello, assistant(use), directive, user([result])]],
  ["before the user speaks again", [hello, assistant({ type: "text", text: "a" }), directive, hello]],
])("a system message without content may stand anywhere: %s", async (_where, messages) => {
  for (const model of ["claude-sonnet-5", "claude-haiku-5-5", "claude-opus-4-8"]) {
    const body = request({ model, messages, tools: [tool("look")] });
    expect(await post(body, "per-turn-control-2026-07-01")).toMatchObject({ status: 200 });
  }
});

test("its effort is one of the model's", async () => {
  const body = request({
    model: "claude-opus-4-6",
    messages: [hello, { ...directive, output_config: { effort: "xhigh" } }],
  });
  expect(await post(body, "per-turn-control-2026-07-01")).toMatchObject({
    status: 400,
    error: { message: "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium." },
  });
});

test("a tool that comes is one of those offered", async () => {
  const body = system({ content: [{ type: "tool_addition", tool: { type: "tool_reference", name: "saw" } }] });
  expect(await post(body, "mid-conversation-tool-changes-2026-07-01")).toMatchObject({
    status: 400,
    error: {
      message: "messages.1.content.0.tool_addition.tool: Tool reference 'saw' has no corresponding tool definition",
      details: { error_code: "tool_reference_unresolved" },
    },
  });
});

test("the window of a million tokens", async () => {
  const body = request({ model: "claude-sonnet-4-5", messages: [user("word ".repeat(250_000))] });
  expect(await post(body, "")).toMatchObject({ status: 400 });
  expect(await post(body, "context-1m-2025-08-07")).toMatchObject({ status: 200 });
});

test("threads: the client is told to go on without", async () => {
  const body = request({ thread: { type: "create" } });
  expect(await post(body, "")).toMatchObject({
    status: 400,
    error: { message: `thread: ${NOT_KNOWN}`, details: null },
  });
  expect(await post(body, "message-threads-2026-08-12")).toMatchObject({
    status: 400,
    error: { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } },
  });
  const client = new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
  const runner = client.beta.messages.toolRunner({
    model: "claude-sonnet-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "hello" }],
    tools: [],
  });
  expect(await runner).toMatchObject({ content: [{ type: "text", text: "yes" }] });
});
