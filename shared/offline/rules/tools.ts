/** Section E: tools, our own and those of the API (R45–R48). */
import { checkInputSchema } from "./json-schema.ts";
import { marked } from "./marks.ts";
import {
  anything,
  beta,
  boolean,
  type Check,
  type Fields,
  integer,
  isObject,
  jsonObject,
  list,
  nullable,
  object,
  oneOf,
  pattern,
  refuse,
  string,
  tagged,
} from "./shape.ts";

const anyTool: Fields = {
  "allowed_callers?": list(string),
  "defer_loading?": boolean,
  "strict?": boolean,
  ...marked,
};
const exampled: Fields = { ...anyTool, "input_examples?": list(jsonObject) };
const limited: Fields = { "max_uses?": nullable(integer(1)) };
const fetching: Fields = {
  ...anyTool,
  ...limited,
  "allowed_domains?": nullable(list(string)),
  "blocked_domains?": nullable(list(string)),
};
const webSearch: Fields = { name: oneOf("web_search"), ...fetching, "user_location?": nullable(jsonObject) };
const webFetch: Fields = {
  name: oneOf("web_fetch"),
  ...fetching,
  "citations?": anything,
  "max_content_tokens?": nullable(integer(1)),
  "url_sources?": anything,
};
const cached: Fields = { "use_cache?": boolean };
const inclusion: Fields = { "response_inclusion?": oneOf("full", "excluded") };
const bash: Fields = { name: oneOf("bash"), ...exampled };
const editor: Fields = { name: oneOf("str_replace_editor"), ...exampled };
const editTool: Fields = { name: oneOf("str_replace_based_edit_tool"), ...exampled };
const codeExecution: Fields = { name: oneOf("code_execution"), ...anyTool };
const searchByText: Fields = { name: oneOf("tool_search_tool_bm25"), ...anyTool };
const searchByPattern: Fields = { name: oneOf("tool_search_tool_regex"), ...anyTool };
const toolset: Fields = { "configs?": anything, ...marked };
const computer: Fields = {
  name: oneOf("computer"),
  display_width_px: integer(1),
  display_height_px: integer(1),
  "display_number?": nullable(integer(0)),
  ...exampled,
};

/** R48 */
const shape = tagged(
  {
    custom: {
      name: pattern("^[a-zA-Z0-9_-]{1,128}$"), // R45
      input_schema: jsonObject,
      "description?": string,
      "eager_input_streaming?": nullable(boolean),
      ...exampled,
    },
    bash_20250124: bash,
    text_editor_20250124: editor,
    text_editor_20250429: editTool,
    text_editor_20250728: { ...editTool, "max_characters?": nullable(integer(1)) },
    memory_20250818: { name: oneOf("memory"), ...exampled },
    code_execution_20250522: codeExecution,
    code_execution_20250825: codeExecution,
    code_execution_20260120: codeExecution,
    code_execution_20260521: codeExecution,
    web_search_20250305: webSearch,
    web_search_20260209: webSearch,
    web_search_20260318: { ...webSearch, ...inclusion },
    web_fetch_20250910: webFetch,
    web_fetch_20260209: webFetch,
    web_fetch_20260309: { ...webFetch, ...cached },
    web_fetch_20260318: { ...webFetch, ...cached, ...inclusion },
    tool_search_tool_bm25_20251119: searchByText,
    tool_search_tool_bm25: searchByText,
    tool_search_tool_regex_20251119: searchByPattern,
    tool_search_tool_regex: searchByPattern,
    browser_toolset_20260801: toolset,
    computer_toolset_20260801: toolset,
  },
  {
    whenAbsent: "custom",
    beta: [
      "tool",
      {
        bash_20241022: bash,
        text_editor_20241022: editor,
        computer_20241022: computer,
        computer_20250124: computer,
        computer_20251124: { ...computer, "enable_zoom?": boolean },
        advisor_20260301: {
          name: oneOf("advisor"),
          model: string,
          "caching?": anything,
          "max_tokens?": nullable(integer(1)),
          ...limited,
          ...anyTool,
        },
        mcp_toolset: {
          mcp_server_name: string,
          "configs?": nullable(jsonObject),
          "default_config?": object({ "enabled?": boolean, "defer_loading?": boolean }),
          "tools?": beta("tool mcp_toolset.tools", nullable(list(jsonObject))),
          ...marked,
        },
      },
    ],
  },
);

/** One entry of `tools`. */
export const toolDefinition: Check = (value, path, terms) => {
  shape(value, path, terms);
  if (isObject(value) && isObject(value.input_schema)) checkInputSchema(value, value.input_schema, `${path}.custom`); // R47
};

/** R46 */
export const tools: Check = (value, path, terms) => {
  list(toolDefinition)(value, path, terms);
  const all = Array.isArray(value) ? value.filter(isObject) : [];
  const names = all.flatMap(({ name }) => name ?? []);
  if (new Set(names).size < names.length) refuse("tools: Tool names must be unique.");
  if (all.length > 0 && all.every(({ defer_loading }) => defer_loading === true)) {
    refuse("All tools have defer_loading set. At least one tool must be non-deferred.");
  }
};
