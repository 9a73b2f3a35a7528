/** Sections C and D: what stands in messages. */
import { marked } from "./marks.ts";
import { mediaFields } from "./media.ts";
import {
  anything,
  beta,
  boolean,
  type Check,
  type Fields,
  isObject,
  jsonObject,
  length,
  list,
  nullable,
  object,
  oneOf,
  pattern,
  refuse,
  string,
  stringOr,
  tagged,
  type Terms,
} from "./shape.ts";
import { toolDefinition } from "./tools.ts";

/** R12, R30, R31: what this version no longer takes, the older ones do. */
export const STRICTEST = "2026-10-21";

const id = pattern("^[a-zA-Z0-9_-]+$"); // R39

const text: Fields = { text: string, "citations?": nullable(list(jsonObject)), ...marked };
const { image, document } = mediaFields(text);
const searchResult: Fields = {
  content: list(tagged({ text })),
  source: string,
  title: string,
  "citations?": anything,
  ...marked,
};

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
/** Results of server tools pass with whatever they hold: only the API that made them can tell. */
const serverResult: Fields = { tool_use_id: id, content: anything, "caller?": anything, ...marked };

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
/** Those of the assistant that need a header. */
const betaBlocks: Record<string, Fields> = {
  advisor_tool_result: serverResult,
  mcp_tool_use: { id, name: string, input: jsonObject, server_name: string, ...marked },
  mcp_tool_result: {
    tool_use_id: id,
    "content?": stringOr(list(tagged({ text }))),
    "is_error?": boolean,
    ...marked,
  },
  mcp_tool_listing: { mcp_server_name: string, tools: list(jsonObject) },
  compaction: {
    "content?": nullable(string),
    "encrypted_content?": nullable(string),
    "signature?": nullable(string),
    "tool_changes?": anything,
    ...marked,
  },
  fallback: { from: object({ model: string }), to: object({ model: string }), "trigger?": anything },
};
const anyBlock = tagged({ ...userBlocks, ...assistantBlocks }, { beta: ["block", betaBlocks] });

/** R30: each kind of block has its role. */
function blockOf(role: "user" | "assistant"): Check {
  const own = role === "user" ? userBlocks : { ...assistantBlocks, ...betaBlocks };
  const other = role === "user" ? "assistant" : "user";
  const all = Object.keys({ ...userBlocks, ...assistantBlocks, ...betaBlocks });
  const foreign = new Set(all.filter((tag) => !(tag in own)));
  return (block, path, terms) => {
    const tag = isObject(block) ? String(block.type) : "";
    const wasAllowed = tag === "document" && terms.version !== STRICTEST;
    if (foreign.has(tag) && !wasAllowed) refuse(`${path}: \`${tag}\` blocks can only be in \`${other}\` messages`);
    anyBlock(block, path, terms);
    if (role === "user" && terms.version === STRICTEST) checkCitations(block, path);
  };
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

/** R17 */
export const textOnly: Check = (block, path, terms) => {
  if (!isObject(block)) refuse(`${path}: Input should be an object`);
  if (block.type !== "text") refuse(`${path}.type: Input should be 'text'`);
  object({ type: anything, ...text })(block, path, terms);
};

const reference = { name: string };
const toolset = { server_name: string };
const mcpTool = { name: string, server_name: string };
const references = { tool_reference: reference, mcp_tool_reference: mcpTool, mcp_toolset_reference: toolset };
const toolChanges = tagged(
  {},
  {
    beta: [
      "block",
      {
        tool_addition: {
          tool: tagged(references, { beta: ["reference", { tool_definition: { definition: toolDefinition } }] }),
          ...marked,
        },
        tool_removal: { tool: tagged(references), ...marked },
      },
    ],
  },
);

/** Text, or a tool that comes or goes. */
const systemBlock: Check = (block, path, terms) => {
  const isChange = isObject(block) && (block.type === "tool_addition" || block.type === "tool_removal");
  (isChange ? toolChanges : textOnly)(block, path, terms);
};

const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
export const effort = nullable(oneOf(...EFFORTS)); // R20

const userMessage = object({ role: anything, content: stringOr(list(blockOf("user"))) });
const assistantMessage = object({ role: anything, content: stringOr(list(blockOf("assistant"))) });
const systemContent = stringOr(list(systemBlock));
const systemMessage: Check = (value, path, terms) => {
  // A message that only sets what comes next may do without content.
  const isDirective = isObject(value) && isObject(value.output_config);
  object({
    role: anything,
    [isDirective ? "content?" : "content"]: systemContent,
    "output_config?": beta("system message.output_config", nullable(object({ "effort?": effort }))),
    "clear_at?": beta("system message.clear_at", nullable(oneOf("next_user_message", "never"))),
  })(value, path, terms);
};
const messageOf = new Map([
  ["user", userMessage],
  ["assistant", assistantMessage],
  ["system", systemMessage],
]);

function message(value: unknown, path: string, terms: Terms): void {
  if (!isObject(value)) refuse(`${path}: Input should be an object`);
  if (!("role" in value)) refuse(`${path}.role: Field required`);
  const shape = messageOf.get(String(value.role));
  // R22
  if (!shape) refuse(`${path}.role: Input should be 'user', 'assistant' or 'system'`);
  shape(value, path, terms);
}

/** R16 */
export const messages: Check = (value, path, terms) => {
  if (Array.isArray(value) && value.length === 0) refuse(`${path}: at least one message is required`);
  if (Array.isArray(value) && value.length > 100_000) {
    refuse(`${path}: List should have at most 100000 items after validation, not ${value.length}`);
  }
  list(message)(value, path, terms);
};
