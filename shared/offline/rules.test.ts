import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "./rules/shape.ts";
import { say } from "./script.ts";
import { type OfflineServer, startOfflineServer } from "./server.ts";

let server: OfflineServer;
beforeAll(async () => {
  server = await startOfflineServer({ model: () => say("yes"), record: true });
});
afterAll(() => server.close());

type Json = Record<string, unknown>;

async function post(body: unknown, { path = "/v1/messages", version = "2026-10-21" } = {}) {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "key", "anthropic-version": version },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, ...(isObject(answer) && answer) };
}

const text = (value: string, more: Json = {}) => ({ type: "text", text: value, ...more });
const use = (id: string, more: Json = {}) => ({ type: "tool_use", id, name: "bash", input: {}, ...more });
const result = (id: string, more: Json = {}) => ({ type: "tool_result", tool_use_id: id, content: "ok", ...more });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const system = (content: unknown) => ({ role: "system", content });
const tool = (more: Json = {}) => ({ name: "bash", input_schema: { type: "object" }, ...more });
const schema = (more: Json) => tool({ input_schema: { type: "object", ...more } });
const mark = { cache_control: { type: "ephemeral" } };
const hourMark = { cache_control: { type: "ephemeral", ttl: "1h" } };
const hello = user(text("hello"));
const served = (id: string) => ({ type: "server_tool_use", id, name: "web_search", input: {} });
const found = (id: string) => ({ type: "web_search_tool_result", tool_use_id: id, content: [] });
/** A PNG's header: signature, IHDR, width and height. */
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(48);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { type: "image", source: { type: "base64", media_type: "image/png", data: bytes.toString("base64") } };
};

const document = (source: Json) => ({ type: "document", source });
const PDF = { type: "base64", media_type: "application/pdf", data: Buffer.from("%PDF-1.7").toString("base64") };
/** A question, a call with this id, and its result. */
const round = (id: string) => [hello, assistant(use(id)), user(result(id))];

const request = (more: Json): Json => ({ model: "claude-sonnet-5", max_tokens: 100, messages: [hello], ...more });
/** A request with these messages; tools are offered. */
const talk = (...messages: unknown[]): Json => request({ messages, tools: [tool()] });
const without = (key: string): Json => Object.fromEntries(Object.entries(request({})).filter(([name]) => name !== key));
const offering = (...tools: unknown[]): Json => request({ tools });
const MODEL = {
  prefill: { model: "claude-sonnet-4-5" },
  system: { model: "claude-opus-5" },
  manual: { model: "claude-opus-4-5", max_tokens: 4096 },
};

const MANUAL = { type: "enabled", budget_tokens: 2048 };
const DEPRECATED = "is deprecated for this model.";

const UNANSWERED = (message: number, ids: string) =>
  `messages.${message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
  "Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
const UNEXPECTED = (path: string, id: string) =>
  `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
  "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.";
const BLANK = "messages: text content blocks must contain non-whitespace text";
const BAD_SCHEMA =
  "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.";
const DIRECTIVE = "the directive-only form (content: [] with output_config) is accepted at any position";
const BAD_EFFORT =
  "is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.";
const USE_ADAPTIVE = 'Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';

/** Rule, what is wrong, the request, the message. All of them answer 400 `invalid_request_error`. */
const REFUSED: [string, string, unknown, string][] = [
  ["R12", "unknown field", request({ foo: 1 }), "foo: Extra inputs are not permitted"],
  ["R12", "temperature", request({ temperature: 1 }), "temperature: Extra inputs are not permitted"],
  ["R12", "top_p", request({ top_p: 0.5 }), "top_p: Extra inputs are not permitted"],
  ["R12", "top_k", request({ top_k: 5 }), "top_k: Extra inputs are not permitted"],
  ["R12", "field of a message", talk({ ...hello, id: "msg_1" }), "messages.0.id: Extra inputs are not permitted"],
  [
    "R12",
    "field of a block",
    talk(hello, assistant(text("a", { foo: 1 })), hello),
    "messages.1.content.0.text.foo: Extra inputs are not permitted",
  ],
  [
    "R12",
    "field of a call",
    talk(hello, assistant(use("a", { index: 0 })), user(result("a"))),
    "messages.1.content.0.tool_use.index: Extra inputs are not permitted",
  ],
  ["R12", "field of a tool", offering(tool({ x: 1 })), "tools.0.custom.x: Extra inputs are not permitted"],
  [
    "R12",
    "field of thinking",
    request({ thinking: { type: "adaptive", block_binding: {} } }),
    "thinking.adaptive.block_binding: Extra inputs are not permitted",
  ],
  ["R12", "body is a list", [], "body: Input should be an object"],
  ["R13", "no model", without("model"), "model: Field required"],
  ["R13", "no messages", without("messages"), "messages: Field required"],
  ["R13", "no max_tokens", without("max_tokens"), "max_tokens: Field required"],
  ["R14", "negative max_tokens", request({ max_tokens: -1 }), "max_tokens: Input should be greater than or equal to 0"],
  ["R14", "max_tokens is no integer", request({ max_tokens: 1.5 }), "max_tokens: Input should be a valid integer"],
  [
    "R15",
    "max_tokens above the model's",
    request({ max_tokens: 128_001 }),
    "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5",
  ],
  [
    "R15",
    "of a smaller model",
    request({ model: "claude-haiku-4-5", max_tokens: 64_001 }),
    "max_tokens: 64001 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5",
  ],
  ["R16", "no message", request({ messages: [] }), "messages: at least one message is required"],
  [
    "R16",
    "too many messages",
    request({ messages: Array.from({ length: 100_001 }, () => ({})) }),
    "messages: List should have at most 100000 items after validation, not 100001",
  ],
  ["R17", "system is an object", request({ system: {} }), "system: Input should be a valid list"],
  ["R17", "image in system", request({ system: [png(1, 1)] }), "system.0.type: Input should be 'text'"],
  ["R17", "empty system text", request({ system: [text("")] }), "system: text content blocks must be non-empty"],
  [
    "R18",
    "blank stop sequence",
    request({ stop_sequences: ["x", "\n"] }),
    "stop_sequences: each stop sequence must contain non-whitespace",
  ],
  [
    "R19",
    "other metadata",
    request({ metadata: { session: "1" } }),
    "metadata.session: Extra inputs are not permitted",
  ],
  [
    "R19",
    "long user id",
    request({ metadata: { user_id: "x".repeat(257) } }),
    "metadata.user_id: String should have at most 256 characters",
  ],
  ["R20", "service tier", request({ service_tier: "fast" }), "service_tier: Input should be 'auto' or 'standard_only'"],
  ["R20", "speed", request({ speed: "slow" }), "speed: Input should be 'standard' or 'fast'"],
  [
    "R20",
    "effort",
    request({ output_config: { effort: "huge" } }),
    "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
  ],
  [
    "R20",
    "effort the model has not",
    request({ model: "claude-opus-4-6", output_config: { effort: "xhigh" } }),
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
  ],
  [
    "R20",
    "model without effort",
    request({ model: "claude-haiku-4-5", output_config: { effort: "low" } }),
    "This model does not support the effort parameter.",
  ],
  [
    "R20",
    "high effort without thinking",
    request({ ...MODEL.system, thinking: { type: "disabled" }, output_config: { effort: "xhigh" } }),
    `output_config.effort 'xhigh' ${BAD_EFFORT}`,
  ],
  [
    "R22",
    "unknown role",
    talk({ role: "tool", content: "a" }),
    "messages.0.role: Input should be 'user', 'assistant' or 'system'",
  ],
  ["R22", "no role", talk({ content: "a" }), "messages.0.role: Field required"],
  [
    "R22",
    "system first",
    { ...talk(system("a"), hello), ...MODEL.system },
    `messages.0: use the top-level 'system' parameter for the initial system prompt; ${DIRECTIVE}`,
  ],
  [
    "R23",
    "system after assistant",
    { ...talk(hello, assistant(text("a")), system("b")), ...MODEL.system },
    `messages.2: role 'system' must follow a 'user' message; ${DIRECTIVE}`,
  ],
  [
    "R23",
    "system before user",
    { ...talk(hello, system("b"), hello), ...MODEL.system },
    `messages.1: role 'system' must precede an 'assistant' message or end the array; ${DIRECTIVE}`,
  ],
  [
    "R23",
    "system between results",
    {
      ...talk(hello, assistant(use("a"), use("b")), user(result("a")), system("c"), user(result("b"))),
      ...MODEL.system,
    },
    `messages.3: role 'system' must precede an 'assistant' message or end the array; ${DIRECTIVE}`,
  ],
  [
    "R23",
    "model without system messages",
    { ...talk(hello, system("b")), model: "claude-sonnet-4-6" },
    "role 'system' is not supported on this model",
  ],
  [
    "R24",
    "assistant last",
    talk(hello, assistant(text("a"))),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ],
  [
    "R24",
    "empty assistant last",
    talk(hello, assistant()),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  ],
  [
    "R25",
    "prefill ends in a space",
    { ...talk(hello, assistant(text("a "))), ...MODEL.prefill },
    "messages: final assistant content cannot end with trailing whitespace",
  ],
  [
    "R27",
    "empty string",
    talk({ role: "user", content: "" }),
    "messages.0: all messages must have non-empty content except for the optional final assistant message",
  ],
  [
    "R27",
    "empty list",
    talk(hello, assistant(), hello),
    "messages.1: all messages must have non-empty content except for the optional final assistant message",
  ],
  ["R28", "empty text", talk(user(text("a"), text(""))), "messages: text content blocks must be non-empty"],
  ["R29", "blank text", talk(user(text(" \n"))), "messages: text content blocks must contain non-whitespace text"],
  [
    "R29",
    "blank string",
    talk({ role: "user", content: "  " }),
    "messages: text content blocks must contain non-whitespace text",
  ],
  [
    "R30",
    "call by the user",
    talk(user(use("a"))),
    "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
  ],
  [
    "R30",
    "result by the assistant",
    talk(hello, assistant(result("a"))),
    "messages.1.content.0: `tool_result` blocks can only be in `user` messages",
  ],
  [
    "R30",
    "image by the assistant",
    talk(hello, assistant(png(1, 1))),
    "messages.1.content.0: `image` blocks can only be in `user` messages",
  ],
  [
    "R30",
    "document by the assistant",
    talk(hello, assistant({ type: "document", source: {} })),
    "messages.1.content.0: `document` blocks can only be in `user` messages",
  ],
  [
    "R30",
    "image in a system message",
    { ...talk(hello, system([png(1, 1)])), ...MODEL.system },
    "messages.1.content.0.type: Input should be 'text'",
  ],
  [
    "R30",
    "block without type",
    talk(user({ text: "a" })),
    "messages.0.content.0: Unable to extract tag using discriminator 'type'",
  ],
  [
    "R30",
    "content is an object",
    talk({ role: "user", content: {} }),
    "messages.0.content: Input should be a valid list",
  ],
  [
    "R31",
    "user with citations",
    talk(user(text("a", { citations: [{}] }))),
    "messages.0.content.0.text.citations: citations are not permitted in `user` messages",
  ],
  [
    "R32",
    "image type",
    talk(user({ type: "image", source: { type: "base64", media_type: "image/bmp", data: "AA==" } })),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    "R32",
    "image is no base64",
    talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "data:,x" } })),
    "messages.0.content.0.image.source.base64.data: The image data is not valid base64",
  ],
  [
    "R32",
    "large side",
    talk(user(png(8001, 10))),
    "messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
  ],
  [
    "R32",
    "many bytes",
    talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(5_242_884) } })),
    "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes",
  ],
  ["R33", "unanswered call", talk(hello, assistant(use("a")), hello), UNANSWERED(2, "a")],
  [
    "R33",
    "one of two calls unanswered",
    talk(hello, assistant(use("a"), use("b"), use("c")), user(result("b"))),
    UNANSWERED(2, "a, c"),
  ],
  ["R33", "unanswered at the end", { ...talk(hello, assistant(use("a"))), ...MODEL.prefill }, UNANSWERED(1, "a")],
  [
    "R33",
    "answered too late",
    talk(hello, assistant(use("a")), hello, assistant(text("b")), user(result("a"))),
    UNANSWERED(2, "a"),
  ],
  ["R34", "text before the result", talk(hello, assistant(use("a")), user(text("b"), result("a"))), UNANSWERED(2, "a")],
  [
    "R34",
    "text between the results",
    talk(hello, assistant(use("a"), use("b")), user(result("a"), text("c"), result("b"))),
    UNANSWERED(2, "b"),
  ],
  [
    "R34",
    "text merged before the result",
    talk(hello, assistant(use("a")), hello, user(result("a"))),
    UNANSWERED(2, "a"),
  ],
  ["R35", "result of no call", talk(user(result("a"))), UNEXPECTED("messages.0.content.0", "a")],
  [
    "R35",
    "result of an older call",
    talk(hello, assistant(use("a")), user(result("a")), assistant(text("b")), user(text("c"), result("a"))),
    UNEXPECTED("messages.4.content.1", "a"),
  ],
  ["R36", "text after the call", talk(hello, assistant(use("a"), text("b")), user(result("a"))), UNANSWERED(1, "a")],
  [
    "R36",
    "text merged after the call",
    talk(hello, assistant(use("a")), assistant(text("b")), user(result("a"))),
    UNANSWERED(1, "a"),
  ],
  [
    "R37",
    "id used twice",
    talk(hello, assistant(use("a"), use("a")), user(result("a"))),
    "messages.1.content.1: `tool_use` ids must be unique",
  ],
  [
    "R37",
    "id used twice in two messages",
    talk(hello, assistant(use("a")), assistant(use("a")), user(result("a"))),
    "messages.2.content.0: `tool_use` ids must be unique",
  ],
  [
    "R38",
    "two results",
    talk(hello, assistant(use("a")), user(result("a"), result("a"))),
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  ],
  [
    "R38",
    "two results in two messages",
    talk(hello, assistant(use("a")), user(result("a")), user(result("a"))),
    "messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
  ],
  [
    "R39",
    "id with a dot",
    talk(hello, assistant(use("a.b")), user(result("a.b"))),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "R39",
    "empty id",
    talk(hello, assistant(use("")), user(result(""))),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "R39",
    "id of a result",
    talk(hello, assistant(use("a")), user(result("a b"))),
    "messages.2.content.0.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "R40",
    "long name",
    talk(hello, assistant(use("a", { name: "x".repeat(201) })), user(result("a"))),
    "messages.1.content.0.tool_use.name: String should have at most 200 characters",
  ],
  [
    "R40",
    "no name",
    talk(hello, assistant(use("a", { name: "" })), user(result("a"))),
    "messages.1.content.0.tool_use.name: String should have at least 1 character",
  ],
  [
    "R41",
    "input is a string",
    talk(hello, assistant(use("a", { input: "{}" })), user(result("a"))),
    "messages.1.content.0.tool_use.input: Input should be an object",
  ],
  [
    "R41",
    "input is a list",
    talk(hello, assistant(use("a", { input: [] })), user(result("a"))),
    "messages.1.content.0.tool_use.input: Input should be an object",
  ],
  [
    "R41",
    "input is null",
    talk(hello, assistant(use("a", { input: null })), user(result("a"))),
    "messages.1.content.0.tool_use.input: Input should be an object",
  ],
  [
    "R42",
    "empty error",
    talk(hello, assistant(use("a")), user(result("a", { is_error: true, content: "" }))),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
  ],
  [
    "R42",
    "error without content",
    talk(hello, assistant(use("a")), user({ type: "tool_result", tool_use_id: "a", is_error: true })),
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
  ],
  [
    "R42",
    "empty text in a result",
    talk(hello, assistant(use("a")), user(result("a", { content: [text("")] }))),
    "messages: text content blocks must be non-empty",
  ],
  [
    "R42",
    "result is an object",
    talk(hello, assistant(use("a")), user(result("a", { content: {} }))),
    "messages.2.content.0.tool_result.content: Input should be a valid list",
  ],
  [
    "R44",
    "server tool without result",
    talk(hello, assistant(served("srvtoolu_1")), hello),
    "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block",
  ],
  [
    "R44",
    "text while a server tool works",
    talk(hello, assistant(served("srvtoolu_1"), use("a")), user(result("a"), text("b"))),
    "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block",
  ],
  [
    "R45",
    "name with a dot",
    offering(tool({ name: "a.b" })),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  [
    "R45",
    "name of 129",
    offering(tool({ name: "x".repeat(129) })),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  ["R46", "same name twice", offering(tool(), tool()), "tools: Tool names must be unique."],
  [
    "R46",
    "the name of a typed tool",
    offering(tool(), { type: "bash_20250124", name: "bash" }),
    "tools: Tool names must be unique.",
  ],
  ["R47", "no schema", offering({ name: "a" }), "tools.0.custom.input_schema: Field required"],
  ["R47", "no type", offering(tool({ input_schema: {} })), "tools.0.custom.input_schema.type: Field required"],
  [
    "R47",
    "a string's schema",
    offering(tool({ input_schema: { type: "string" } })),
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    "R47",
    "anyOf on top",
    offering(schema({ anyOf: [{}] })),
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
  ],
  ["R47", "duplicate in required", offering(schema({ required: ["a", "a"] })), BAD_SCHEMA],
  ["R47", "unknown type", offering(schema({ properties: { a: { type: "int" } } })), BAD_SCHEMA],
  ["R47", "list of items, as in older drafts", offering(schema({ properties: { a: { items: [{}] } } })), BAD_SCHEMA],
  [
    "R47",
    "exclusiveMinimum true, as in draft 4",
    offering(schema({ properties: { a: { exclusiveMinimum: true } } })),
    BAD_SCHEMA,
  ],
  [
    "R47",
    "required on a property, as in draft 3",
    offering(schema({ properties: { a: { required: true } } })),
    BAD_SCHEMA,
  ],
  ["R47", "empty anyOf within", offering(schema({ properties: { a: { anyOf: [] } } })), BAD_SCHEMA],
  [
    "R47",
    "property with a space",
    offering(schema({ properties: { "a b": {} } })),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  ],
  [
    "R47",
    "deep property with a dollar",
    offering(schema({ properties: { a: { items: { properties: { $b: {} } } } } })),
    "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
  ],
  [
    "R48",
    "example that does not fit",
    offering(
      tool({ input_schema: { type: "object", properties: { a: { type: "integer" } } }, input_examples: [{ a: "1" }] }),
    ),
    "tools.0.custom.input_examples.0: Input example does not match the input schema",
  ],
  [
    "R48",
    "example without a required property",
    offering(tool({ input_schema: { type: "object", required: ["a"] }, input_examples: [{}] })),
    "tools.0.custom.input_examples.0: Input example does not match the input schema",
  ],
  [
    "R48",
    "strict and open",
    offering(tool({ strict: true })),
    "tools.0.custom.input_schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
  ],
  [
    "R48",
    "open output format",
    request({ output_config: { format: { type: "json_schema", schema: { type: "object" } } } }),
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
  ],
  [
    "R49",
    "choice without tools",
    request({ tool_choice: { type: "auto" } }),
    "tool_choice may only be specified while providing tools.",
  ],
  [
    "R49",
    "choice of a tool that is not there",
    { ...offering(tool()), tool_choice: { type: "tool", name: "x" } },
    "Tool 'x' not found in provided tools",
  ],
  [
    "R49",
    "forced tool and manual thinking",
    {
      ...offering(tool()),
      ...MODEL.manual,
      thinking: { type: "enabled", budget_tokens: 1024 },
      tool_choice: { type: "any" },
    },
    "Thinking may not be enabled when tool_choice forces tool use.",
  ],
  [
    "R49",
    "model that cannot be forced",
    { ...offering(tool()), model: "claude-fable-5-1", tool_choice: { type: "any" } },
    'tool_choice: type "tool" and "any" are not supported for this model.',
  ],
  [
    "R49",
    "no parallel calls of none",
    { ...offering(tool()), tool_choice: { type: "none", disable_parallel_tool_use: true } },
    "tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted",
  ],
  [
    "R52",
    "manual thinking, newer model",
    request({ max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 1024 } }),
    `"thinking.type.enabled" is not supported for this model. ${USE_ADAPTIVE}`,
  ],
  [
    "R52",
    "adaptive thinking, older model",
    request({ ...MODEL.manual, thinking: { type: "adaptive" } }),
    "adaptive thinking is not supported on this model",
  ],
  [
    "R52",
    "no thinking, always thinking model",
    request({ model: "claude-fable-5", thinking: { type: "disabled" } }),
    `"thinking.type.disabled" is not supported for this model. ${USE_ADAPTIVE}`,
  ],
  [
    "R52",
    "between tools",
    request({ thinking: { type: "between_tools" } }),
    '"thinking.type.between_tools" is not supported for this model.',
  ],
  [
    "R53",
    "small budget",
    request({ ...MODEL.manual, thinking: { type: "enabled", budget_tokens: 1023 } }),
    "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
  ],
  [
    "R53",
    "budget as large as max_tokens",
    request({ ...MODEL.manual, thinking: { type: "enabled", budget_tokens: 4096 } }),
    "max_tokens must be greater than thinking.budget_tokens",
  ],
  [
    "R55",
    "no signature",
    talk(hello, assistant({ type: "thinking", thinking: "a" }), hello),
    "messages.1.content.0.thinking.signature: Field required",
  ],
  [
    "R58",
    "five marks",
    request({
      system: [text("a", mark)],
      tools: [tool(mark)],
      cache_control: mark.cache_control,
      messages: [user(text("a", mark), text("b", mark))],
    }),
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
  ],
  [
    "R58",
    "marks inside results",
    talk(
      hello,
      assistant(use("a")),
      user(result("a", { content: ["1", "2", "3", "4"].map((one) => text(one, mark)), ...mark })),
    ),
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
  ],
  [
    "R59",
    "hour after minutes",
    request({ system: [text("a", mark)], messages: [user(text("b", hourMark))] }),
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  ],
  [
    "R60",
    "mark on an empty text",
    talk(user(text("", mark))),
    "messages.0.content.0.text: cache_control cannot be set for empty text blocks",
  ],
  [
    "R60",
    "mark on thinking",
    talk(hello, assistant({ type: "thinking", thinking: "a", signature: "b", ...mark }), hello),
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
  ],
  [
    "R60",
    "kind of mark",
    talk(user(text("a", { cache_control: { type: "persistent" } }))),
    "messages.0.content.0.text.cache_control.type: Input should be 'ephemeral'",
  ],
  [
    "R60",
    "time of a mark",
    talk(user(text("a", { cache_control: { type: "ephemeral", ttl: "2h" } }))),
    "messages.0.content.0.text.cache_control.ttl: Input should be '5m' or '1h'",
  ],
  ["R29", "blank text by the assistant alone", talk(hello, assistant(text(" \n")), hello), BLANK],
  ["R29", "blank text of the user beside a text", talk(user(text("a"), text(" "))), BLANK],
  [
    "R30",
    "document without a source",
    talk(user({ type: "document" })),
    "messages.0.content.0.document.source: Field required",
  ],
  [
    "R30",
    "document from nowhere",
    talk(user(document({ type: "moon" }))),
    "messages.0.content.0.document.source: Input tag 'moon' found using 'type' does not match any of the expected tags: " +
      "'base64', 'content', 'file', 'text', 'url'",
  ],
  [
    "R30",
    "document of no PDF",
    talk(user(document({ ...PDF, data: "aGVsbG8=" }))),
    "messages.0.content.0.document.source.base64.data: The PDF specified was not valid.",
  ],
  [
    "R30",
    "document of no address",
    talk(user(document({ type: "url", url: "a.pdf" }))),
    "messages.0.content.0.document.source.url.url: Only HTTPS URLs are supported.",
  ],
  [
    "R32",
    "picture of another type",
    talk(user({ type: "image", source: { ...png(1, 1).source, media_type: "image/gif" } })),
    "messages.0.content.0.image.source.base64.data: The image was specified using the image/gif media type, " +
      "but the image appears to be a image/png image",
  ],
  [
    "R32",
    "picture of nothing",
    talk(user({ type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } })),
    "Could not process image",
  ],
  [
    "R48",
    "all tools deferred",
    offering(tool({ defer_loading: true })),
    "All tools have defer_loading set. At least one tool must be non-deferred.",
  ],
  [
    "R48",
    "reference to no tool",
    talk(hello, assistant(use("a")), user(result("a", { content: [{ type: "tool_reference", tool_name: "saw" }] }))),
    "messages.2.content.0: Tool reference 'saw' has no corresponding tool definition",
  ],
];

/** What the older versions have and a model does not take. */
const SAMPLING: [string, Json, string][] = [
  ["temperature", request({ temperature: 0.5 }), `\`temperature\` ${DEPRECATED}`],
  ["top_p", request({ model: "claude-opus-4-7", top_p: 0.5 }), `\`top_p\` ${DEPRECATED}`],
  ["top_k", request({ model: "claude-opus-4-8", top_k: 5 }), `\`top_k\` ${DEPRECATED}`],
  [
    "both",
    request({ model: "claude-sonnet-4-5", temperature: 1, top_p: 1 }),
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
  ],
  [
    "temperature with thinking",
    request({ ...MODEL.manual, thinking: MANUAL, temperature: 0.5 }),
    "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.",
  ],
  [
    "top_p with thinking",
    request({ ...MODEL.manual, thinking: MANUAL, top_p: 0.5 }),
    "`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.",
  ],
  [
    "top_k with thinking",
    request({ ...MODEL.manual, thinking: MANUAL, top_k: 5 }),
    "`top_k` must be unset when thinking is enabled or in adaptive mode.",
  ],
];

describe("refused", () => {
  test.each(REFUSED)("%s: %s", async (_rule, _what, body, message) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      type: "error",
      error: { type: "invalid_request_error", message },
    });
  });

  test.each(SAMPLING)("in the older version: %s", async (_what, body, message) => {
    expect(await post(body, { version: "2023-06-01" })).toMatchObject({ status: 400, error: { message } });
  });

  test.each([
    [
      "R30",
      talk(user({ type: "x" })),
      /^messages\.0\.content\.0: Input tag 'x' found using 'type' does not match any of the expected tags: .*'image', .*'tool_use'/,
    ],
    [
      "R48",
      offering({ type: "function", function: {} }),
      /^tools\.0: Input tag 'function' found using 'type' does not match any of the expected tags: 'bash_20250124', .*'custom', .*'text_editor_20250124'/,
    ],
  ])("%s: an unknown tag is answered with those that are known", async (_rule, body, message) => {
    expect(await post(body)).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
  });

  test.each([
    ["R50", "claude-sonnet-5", 1_000_000, /^prompt is too long: \d{7} tokens > 1000000 maximum$/],
    ["R50", "claude-haiku-4-5", 200_000, /^prompt is too long: \d{6} tokens > 200000 maximum$/],
    [
      "R51",
      "claude-sonnet-4-20250514",
      150_000,
      /^input length and `max_tokens` exceed context limit: \d{6} \+ 60000 > 200000, decrease input length or `max_tokens` and try again$/,
    ],
  ])("%s: more than the window of %s", async (_rule, model, words, message) => {
    const body = request({ model, max_tokens: 60_000, messages: [user(text("word ".repeat(words + 50)))] });
    expect(await post(body)).toMatchObject({
      status: 400,
      error: { type: "invalid_request_error", message: expect.stringMatching(message) },
    });
  });

  test("R8: an unknown model", async () => {
    expect(await post(request({ model: "gpt-5" }))).toMatchObject({
      status: 404,
      error: { type: "not_found_error", message: "model: gpt-5" },
    });
  });

  test("R8: a retired model", async () => {
    expect(await post(request({ model: "claude-3-7-sonnet-20250219" }))).toMatchObject({ status: 404 });
  });

  test("R32: an image that is too large is answered with its place", async () => {
    expect(await post(talk(user(png(10, 9000))))).toMatchObject({
      error: {
        details: {
          error_code: "image_dimensions_too_large",
          max_side_length_pixels: 8000,
          paths: ["messages.0.content.0.image.source.base64.data"],
        },
      },
    });
  });
});

const ACCEPTED: [string, unknown][] = [
  ["a string", talk({ role: "user", content: "hello" })],
  ["max_tokens 0", request({ max_tokens: 0 })],
  [
    "max_tokens beyond the window, newer model (R51)",
    request({ model: "claude-haiku-4-5", max_tokens: 64_000, messages: [user(text("word ".repeat(150_000)))] }),
  ],
  ["the most max_tokens", request({ max_tokens: 128_000 })],
  [
    "everything that is optional",
    request({
      system: "a",
      stop_sequences: ["x"],
      metadata: { user_id: null },
      service_tier: "auto",
      speed: null,
      inference_geo: null,
      diagnostics: null,
      stream: false,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "xhigh", format: null },
      cache_control: null,
    }),
  ],
  ["a system prompt in blocks", request({ system: [text("a", mark), text("b")] })],
  ["user after user (R26)", talk(hello, hello, hello)],
  ["assistant after assistant (R26)", talk(hello, assistant(text("a")), assistant(text("b")), hello)],
  [
    "calls in two assistant messages (R26)",
    talk(hello, assistant(text("a"), use("a")), assistant(use("b")), user(result("a"), result("b"))),
  ],
  [
    "results over several user messages (R26)",
    talk(hello, assistant(use("a"), use("b")), user(result("a")), user(result("b")), hello),
  ],
  ["results in another order", talk(hello, assistant(use("a"), use("b")), user(result("b"), result("a")))],
  ["text after the results", talk(hello, assistant(use("a")), user(result("a"), text("go on")))],
  ["a result without content", talk(hello, assistant(use("a")), user({ type: "tool_result", tool_use_id: "a" }))],
  ["an empty result", talk(hello, assistant(use("a")), user(result("a", { content: "" })))],
  ["an empty list as result", talk(hello, assistant(use("a")), user(result("a", { content: [] })))],
  ["an error with a reason", talk(hello, assistant(use("a")), user(result("a", { is_error: true, content: "no" })))],
  [
    "a result of text and image",
    talk(hello, assistant(use("a")), user(result("a", { content: [text("a"), png(10, 10)] }))),
  ],
  [
    "what the SDK adds to a reply",
    talk(hello, assistant(text("a", { citations: null }), use("a", { caller: { type: "direct" } })), user(result("a"))),
  ],
  ["a name of 128", offering(tool({ name: "x".repeat(128) }))],
  [
    "tools of all types",
    offering(
      tool({ type: "custom" }),
      tool({ name: "b", type: null }),
      { type: "text_editor_20250728", name: "str_replace_based_edit_tool" },
      { type: "web_search_20250305", name: "web_search", max_uses: 3 },
      { type: "computer_toolset_20260801" },
    ),
  ],
  [
    "a schema with all one uses",
    offering(
      schema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        description: "x",
        properties: {
          a: { type: ["string", "null"], enum: ["b", null], default: null },
          c: { anyOf: [{ type: "number", minimum: 0 }, { $ref: "#/$defs/d" }] },
          e: { type: "array", items: { type: "object", additionalProperties: false }, minItems: 1 },
          required: { type: "boolean" },
        },
        required: ["a"],
        additionalProperties: false,
        $defs: { d: true },
      }),
    ),
  ],
  [
    "an example that fits",
    offering(
      tool({
        input_schema: {
          type: "object",
          properties: { a: { type: "array", items: { type: "integer" } } },
          required: ["a"],
        },
        input_examples: [{ a: [1] }],
      }),
    ),
  ],
  ["a strict tool", offering(tool({ strict: true, input_schema: { type: "object", additionalProperties: false } }))],
  [
    "a forced tool",
    { ...offering(tool()), tool_choice: { type: "tool", name: "bash", disable_parallel_tool_use: true } },
  ],
  [
    "a forced tool with adaptive thinking",
    { ...offering(tool()), thinking: { type: "adaptive" }, tool_choice: { type: "any" } },
  ],
  ["no tool", { ...offering(tool()), tool_choice: { type: "none" } }],
  [
    "four marks",
    request({ system: [text("a", mark)], tools: [tool(mark)], messages: [user(text("a", mark), text("b", mark))] }),
  ],
  [
    "three marks and the one at the top",
    request({
      tools: [tool(mark)],
      messages: [user(text("a", mark), text("b", mark))],
      cache_control: mark.cache_control,
    }),
  ],
  ["the hour before the minutes", request({ tools: [tool(hourMark)], messages: [user(text("a", mark))] })],
  [
    "a property that is called cache_control",
    talk(hello, assistant(use("a", { input: { cache_control: 1 } })), user(result("a"))),
  ],
  ["a system message at the end", { ...talk(hello, system("b")), ...MODEL.system }],
  [
    "system messages before an answer",
    { ...talk(hello, system("b"), system([text("c")]), assistant(text("d")), hello), ...MODEL.system },
  ],
  [
    "a system message after the results",
    { ...talk(hello, assistant(use("a")), user(result("a")), system("b")), ...MODEL.system },
  ],
  ["prefill, older model", { ...talk(hello, assistant(text("a"))), ...MODEL.prefill }],
  ["empty prefill, older model", { ...talk(hello, assistant()), ...MODEL.prefill }],
  ["manual thinking, older model", request({ ...MODEL.manual, thinking: { type: "enabled", budget_tokens: 1024 } })],
  [
    "no thinking, high effort",
    request({ ...MODEL.system, thinking: { type: "disabled" }, output_config: { effort: "high" } }),
  ],
  ["a paused turn", talk(hello, assistant(served("srvtoolu_1")))],
  ["a server tool and its result", talk(hello, assistant(served("srvtoolu_1"), found("srvtoolu_1"), text("a")), hello)],
  [
    "results of our tools while a server tool works",
    talk(hello, assistant(served("srvtoolu_1"), use("a")), user(result("a"))),
  ],
  ["the assistant first", talk(assistant(text("a")), hello)],
  ["an id used again in a later turn", talk(...round("a"), ...round("a"))],
  ["history without tools", request({ messages: [hello, ...round("a").slice(1)] })],
  ["no system prompt", request({ system: "" })],
  ["a blank text before a call", talk(hello, assistant(text("\n"), use("a")), user(result("a")))],
  ["a blank text behind a text", talk(hello, assistant(text("a"), text(" ")), hello)],
  ["a container with skills", request({ container: { id: null, skills: [{ type: "anthropic", skill_id: "pdf" }] } })],
  ["deferred tools beside one that is not", offering(tool(), tool({ name: "later", defer_loading: true }))],
  [
    "a reference to a tool",
    talk(hello, assistant(use("a")), user(result("a", { content: [{ type: "tool_reference", tool_name: "bash" }] }))),
  ],
  ["a document of text", talk(user(document({ type: "text", media_type: "text/plain", data: "a" }), text("a")))],
  ["a document of blocks", talk(user(document({ type: "content", content: [text("a")] })))],
  ["a document of a string", talk(user(document({ type: "content", content: "a" })))],
  ["a document elsewhere", talk(user(document({ type: "url", url: "https://example.com/a.pdf" })))],
  ["a document uploaded before", talk(user(document({ type: "file", file_id: "file_1" })))],
  ["a PDF", talk(user(document(PDF)))],
  ["a PDF in lines", talk(user(document({ ...PDF, data: `${PDF.data.slice(0, 4)}\n${PDF.data.slice(4)}\n` })))],
  ["an assistant's citations", talk(hello, assistant(text("a", { citations: [{ type: "char_location" }] })), hello)],
];

describe("accepted", () => {
  test.each(ACCEPTED)("%s", async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 200, type: "message" });
  });

  test.each([
    ["temperature and top_k (R12)", request({ model: "claude-haiku-4-5", temperature: 0.2, top_k: 40 })],
    ["top_p (R12)", request({ model: "claude-sonnet-4-6", top_p: 0.5 })],
    ["both, by a model from before", request({ model: "claude-sonnet-4-20250514", temperature: 0.2, top_p: 0.5 })],
    ["the defaults, by a model that takes nothing else", request({ temperature: 1, top_p: 1 })],
    ["with thinking what does not disturb it", request({ ...MODEL.manual, thinking: MANUAL, temperature: 1 })],
    [
      "a document by the assistant (R30)",
      talk(
        hello,
        assistant({ type: "document", source: { type: "text", media_type: "text/plain", data: "a" } }, text("a")),
        hello,
      ),
    ],
    ["a user's citations (R31)", talk(user(text("a", { citations: [{}] })))],
  ])("in the older version: %s", async (_what, body) => {
    expect(await post(body, { version: "2023-06-01" })).toMatchObject({ status: 200 });
  });
});

describe("count of tokens (R65)", () => {
  const path = "/v1/messages/count_tokens";
  const counted = without("max_tokens");

  test("needs no max_tokens", async () => {
    expect(await post(counted, { path })).toEqual({ status: 200, input_tokens: expect.any(Number) });
  });

  test.each(["max_tokens", "stream", "metadata", "stop_sequences", "service_tier", "container", "inference_geo"])(
    "refuses %s",
    async (field) => {
      expect(await post({ ...counted, [field]: 1 }, { path })).toMatchObject({
        status: 400,
        error: { message: `${field}: Extra inputs are not permitted` },
      });
    },
  );

  test("checks the conversation", async () => {
    const body = { ...counted, messages: [user(result("a"))], tools: [tool()] };
    expect(await post(body, { path })).toMatchObject({
      status: 400,
      error: { message: UNEXPECTED("messages.0.content.0", "a") },
    });
  });

  test("does not ask the model", async () => {
    const before = server.requests.length;
    await post(counted, { path });
    expect(server.requests).toHaveLength(before);
  });
});
