/** Sections B, C and E of the rules: which fields a request has, and what may stand in them. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { checkInputSchema, checkStrictSchema } from "./json-schema.ts";
import {
  anything,
  boolean,
  type Check,
  type Fields,
  integer,
  isObject,
  jsonObject,
  length,
  list,
  nullable,
  number,
  object,
  oneOf,
  pattern,
  refuse,
  string,
  stringOr,
  tagged,
} from "./shape.ts";

/** R12, R30, R31: what this version no longer takes, the older ones do. */
const STRICTEST = "2026-10-21";

const id = pattern("^[a-zA-Z0-9_-]+$"); // R39
const cacheControl = nullable(object({ type: oneOf("ephemeral"), "ttl?": oneOf("5m", "1h") })); // R60
const marked: Fields = { "cache_control?": cacheControl };

const text: Fields = { text: string, "citations?": nullable(list(jsonObject)), ...marked };
const imageSource = tagged({
  base64: { media_type: oneOf("image/jpeg", "image/png", "image/gif", "image/webp"), data: string },
  url: { url: string },
  file: { file_id: string },
});

const image: Fields = { source: checkImage, "transformations?": anything, ...marked };
const document: Fields = {
  source: jsonObject,
  "citations?": anything,
  "context?": nullable(string),
  "title?": nullable(string),
  ...marked,
};
const searchResult: Fields = {
  content: list(tagged({ text })),
  source: string,
  title: string,
  "citations?": anything,
  ...marked,
};
/** Results of server tools pass with whatever they hold: the server makes none. */
const serverResult: Fields = { tool_use_id: id, content: anything, "caller?": anything, ...marked };

const toolUse: Fields = {
  id,
  name: length(1, 200), // R40
  input: jsonObject, // R41
  "caller?": anything,
  "toolset_name?": nullable(string),
  ...marked,
};
const toolResult: Fields = {
  tool_use_id: id,
  // R42
  "content?": stringOr(
    list(
      tagged({
        text,
        image,
        document,
        search_result: searchResult,
        tool_reference: { tool_name: string, ...marked },
        browser_state: { tabs: anything, "state_changes?": anything, ...marked },
      }),
    ),
  ),
  "is_error?": boolean,
  "toolset_name?": nullable(string),
  ...marked,
};

const userBlocks: Record<string, Fields> = {
  text,
  image,
  document,
  search_result: searchResult,
  tool_result: toolResult,
  container_upload: { file_id: string, ...marked },
};
const assistantBlocks: Record<string, Fields> = {
  text,
  thinking: { thinking: string, signature: string },
  redacted_thinking: { data: string },
  tool_use: toolUse,
  server_tool_use: { id, name: string, input: jsonObject, "caller?": anything, ...marked },
  web_search_tool_result: serverResult,
  web_fetch_tool_result: serverResult,
  code_execution_tool_result: serverResult,
  bash_code_execution_tool_result: serverResult,
  text_editor_code_execution_tool_result: serverResult,
  tool_search_tool_result: serverResult,
  container_upload: { file_id: string, ...marked },
};
const anyBlock = tagged({ ...userBlocks, ...assistantBlocks });

/** R30: each kind of block has its role. */
function blockOf(role: "user" | "assistant", version: string): Check {
  const own = role === "user" ? userBlocks : assistantBlocks;
  const other = role === "user" ? "assistant" : "user";
  const foreign = new Set(Object.keys(role === "user" ? assistantBlocks : userBlocks).filter((tag) => !(tag in own)));
  if (role === "assistant" && version !== STRICTEST) foreign.delete("document");
  return (block, path) => {
    const tag = isObject(block) ? String(block.type) : "";
    if (foreign.has(tag)) refuse(`${path}: \`${tag}\` blocks can only be in \`${other}\` messages`);
    anyBlock(block, path);
    if (role === "user" && version === STRICTEST) checkCitations(block, path);
  };
}

const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_IMAGE_SIDE = 8000;

/** R32: refuses an image source of a wrong kind, of more than 5 MB, or (PNG only) of more than 8000 pixels a side. */
function checkImage(value: unknown, path: string): void {
  imageSource(value, path);
  if (!isObject(value) || value.type !== "base64") return;
  const data = String(value.data);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data)) refuse(`${path}.base64.data: The image data is not valid base64`);
  if (data.length > MAX_IMAGE_BYTES) {
    refuse(`${path}.base64: image exceeds 5 MB maximum: ${data.length} bytes > ${MAX_IMAGE_BYTES} bytes`);
  }
  if (longerSide(Buffer.from(data.slice(0, 64), "base64")) > MAX_IMAGE_SIDE) {
    refuse(
      `${path}.base64.data: At least one of the image dimensions exceed max allowed size: ${MAX_IMAGE_SIDE} pixels`,
      {
        error_code: "image_dimensions_too_large",
        paths: [`${path}.base64.data`],
        max_side_length_pixels: MAX_IMAGE_SIDE,
      },
    );
  }
}

/** In pixels, from the header of a PNG; 0 for other files. */
function longerSide(header: Buffer): number {
  const isPng = header.length >= 24 && header.toString("latin1", 1, 4) === "PNG";
  return isPng ? Math.max(header.readUInt32BE(16), header.readUInt32BE(20)) : 0;
}

/** R31: a user quotes nothing. */
function checkCitations(block: unknown, path: string): void {
  if (!isObject(block)) return;
  if (block.type === "text" && Array.isArray(block.citations) && block.citations.length > 0) {
    refuse(`${path}.text.citations: citations are not permitted in \`user\` messages`);
  }
  if (block.type === "search_result" && Array.isArray(block.content)) {
    block.content.forEach((inner, index) => checkCitations(inner, `${path}.search_result.content.${index}`));
  }
}

function message(version: string): Check {
  const shapes: Record<string, Check> = {
    user: object({ role: anything, content: stringOr(list(blockOf("user", version))) }),
    assistant: object({ role: anything, content: stringOr(list(blockOf("assistant", version))) }),
    system: object({ role: anything, content: stringOr(list(textOnly)) }),
  };
  return (value, path) => {
    if (!isObject(value)) refuse(`${path}: Input should be an object`);
    if (!("role" in value)) refuse(`${path}.role: Field required`);
    const shape = typeof value.role === "string" && Object.hasOwn(shapes, value.role) ? shapes[value.role] : undefined;
    // R22
    if (!shape) refuse(`${path}.role: Input should be 'user', 'assistant' or 'system'`);
    shape(value, path);
  };
}

const messages =
  (version: string): Check =>
  (value, path) => {
    if (Array.isArray(value) && value.length === 0) refuse(`${path}: at least one message is required`); // R16
    if (Array.isArray(value) && value.length > 100_000) {
      refuse(`${path}: List should have at most 100000 items after validation, not ${value.length}`);
    }
    list(message(version))(value, path);
  };

/** R17 */
const textOnly: Check = (block, path) => {
  if (!isObject(block)) refuse(`${path}: Input should be an object`);
  if (block.type !== "text") refuse(`${path}.type: Input should be 'text'`);
  object({ type: anything, ...text })(block, path);
};

// R45: the API's own limit is 128, its documentation says 64; what is to work everywhere keeps to 64.
const toolName: Check = (value, path) => {
  pattern("^[a-zA-Z0-9_-]{1,128}$")(value, path);
  pattern("^[a-zA-Z0-9_-]{1,64}$")(value, path);
};

const anyTool: Fields = {
  "allowed_callers?": list(string),
  "defer_loading?": boolean,
  "strict?": boolean,
  ...marked,
};
const exampled: Fields = { ...anyTool, "input_examples?": list(jsonObject) };
const fetching: Fields = {
  ...anyTool,
  "max_uses?": anything,
  "allowed_domains?": anything,
  "blocked_domains?": anything,
  "response_inclusion?": anything,
};
const webSearch: Fields = { name: oneOf("web_search"), ...fetching, "user_location?": anything };
const webFetch: Fields = {
  name: oneOf("web_fetch"),
  ...fetching,
  "citations?": anything,
  "max_content_tokens?": anything,
  "url_sources?": anything,
  "use_cache?": anything,
};
const codeExecution: Fields = { name: oneOf("code_execution"), ...anyTool };
const toolset: Fields = { "configs?": anything, ...marked };

/** R48: our own tools, and the typed ones of the API. */
const toolShape = tagged(
  {
    custom: {
      name: toolName,
      input_schema: jsonObject,
      "description?": string,
      "eager_input_streaming?": nullable(boolean),
      ...exampled,
    },
    bash_20250124: { name: oneOf("bash"), ...exampled },
    text_editor_20250124: { name: oneOf("str_replace_editor"), ...exampled },
    text_editor_20250429: { name: oneOf("str_replace_based_edit_tool"), ...exampled },
    text_editor_20250728: { name: oneOf("str_replace_based_edit_tool"), ...exampled, "max_characters?": anything },
    memory_20250818: { name: oneOf("memory"), ...exampled },
    code_execution_20250522: codeExecution,
    code_execution_20250825: codeExecution,
    code_execution_20260120: codeExecution,
    code_execution_20260521: codeExecution,
    web_search_20250305: webSearch,
    web_search_20260209: webSearch,
    web_search_20260318: webSearch,
    web_fetch_20250910: webFetch,
    web_fetch_20260209: webFetch,
    web_fetch_20260309: webFetch,
    web_fetch_20260318: webFetch,
    tool_search_tool_bm25_20251119: { name: oneOf("tool_search_tool_bm25"), ...anyTool },
    tool_search_tool_bm25: { name: oneOf("tool_search_tool_bm25"), ...anyTool },
    tool_search_tool_regex_20251119: { name: oneOf("tool_search_tool_regex"), ...anyTool },
    tool_search_tool_regex: { name: oneOf("tool_search_tool_regex"), ...anyTool },
    browser_toolset_20260801: toolset,
    computer_toolset_20260801: toolset,
  },
  "custom",
);

const tool: Check = (value, path) => {
  toolShape(value, path);
  if (isObject(value) && isObject(value.input_schema)) checkInputSchema(value, value.input_schema, `${path}.custom`); // R47
};

/** R46 */
const tools: Check = (value, path) => {
  list(tool)(value, path);
  const names = Array.isArray(value) ? value.filter(isObject).flatMap(({ name }) => name ?? []) : [];
  if (new Set(names).size < names.length) refuse("tools: Tool names must be unique.");
};

/** R18 */
const stopSequence: Check = (value, path) => {
  string(value, path);
  if (!/\S/.test(String(value))) refuse("stop_sequences: each stop sequence must contain non-whitespace");
};

const outputFormat: Check = (value, path) => {
  object({ type: oneOf("json_schema"), schema: jsonObject })(value, path);
  if (isObject(value)) checkStrictSchema(value.schema, `${path}.schema`);
};

const single = { "disable_parallel_tool_use?": boolean };
const thinkingDisplay = { "display?": nullable(oneOf("summarized", "omitted")) };

/** What a count of tokens takes too (R65). */
const counted = (version: string): Fields => ({
  model: length(1, 256),
  messages: messages(version),
  "system?": stringOr(list(textOnly)),
  "tools?": tools,
  // R49
  "tool_choice?": tagged({ auto: single, any: single, tool: { name: string, ...single }, none: {} }),
  // R52, R53
  "thinking?": tagged({
    enabled: { budget_tokens: integer(1024), ...thinkingDisplay },
    adaptive: thinkingDisplay,
    disabled: {},
    between_tools: {},
  }),
  // R20
  "output_config?": object({
    "effort?": nullable(oneOf("low", "medium", "high", "xhigh", "max")),
    "format?": nullable(outputFormat),
  }),
  "speed?": nullable(oneOf("standard", "fast")),
  "cache_control?": cacheControl,
  "user_profile_id?": string,
  "workspace_id?": string,
});

const sampling: Fields = { "temperature?": number(0, 1), "top_p?": number(0, 1), "top_k?": integer(0) };

const complete = (version: string): Fields => ({
  max_tokens: integer(0), // R13, R14
  ...counted(version),
  "stream?": boolean,
  "stop_sequences?": list(stopSequence),
  "metadata?": object({ "user_id?": nullable(length(0, 256)) }), // R19
  "service_tier?": oneOf("auto", "standard_only"),
  "container?": anything,
  "diagnostics?": nullable(object({ "previous_message_id?": nullable(string) })),
  "inference_geo?": nullable(string),
  ...(version !== STRICTEST && sampling), // R12
});

/**
 * R12–R20, R30–R32, R39–R42, R45–R48: refuses a body of another shape than the API version takes.
 * `counting`: the body of a count of tokens (R65).
 */
export function checkFields(
  body: unknown,
  { version, counting }: { version: string; counting: boolean },
): asserts body is MessageCreateParams {
  object(counting ? counted(version) : complete(version))(body, "");
}
