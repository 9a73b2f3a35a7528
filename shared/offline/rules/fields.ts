/** Section B: which fields a request has, and what may stand in them. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { effort, messages, STRICTEST, textOnly } from "./blocks.ts";
import { checkStrictSchema } from "./json-schema.ts";
import { cacheControl } from "./marks.ts";
import {
  anything,
  beta,
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
  refuse,
  string,
  stringOr,
  tagged,
  type Terms,
} from "./shape.ts";
import { tools } from "./tools.ts";

/** R18 */
const stopSequence: Check = (value, path, terms) => {
  string(value, path, terms);
  if (!/\S/.test(String(value))) refuse("stop_sequences: each stop sequence must contain non-whitespace");
};

const outputFormat: Check = (value, path, terms) => {
  object({ type: oneOf("json_schema"), schema: jsonObject })(value, path, terms);
  if (isObject(value)) checkStrictSchema(value.schema, `${path}.schema`);
};

const single = { "disable_parallel_tool_use?": boolean };

const display: Check = (value, path, terms) => {
  const updates = terms.allows("thinking.display updates") ? ["updates"] : [];
  oneOf("summarized", "omitted", ...updates)(value, path, terms);
};
const shown: Fields = {
  "display?": nullable(display),
  "block_binding?": beta(
    "thinking.block_binding",
    nullable(object({ "prefix_mismatch_behavior?": nullable(oneOf("error", "drop_block")) })),
  ),
};

const amount = (type: string): Check => object({ type: oneOf(type), value: integer(0) });
const inputTokens = amount("input_tokens");
const toolUses = amount("tool_uses");
const contextManagement = object({
  "edits?": list(
    tagged(
      {
        clear_tool_uses_20250919: {
          "trigger?": tagged({ input_tokens: { value: integer(0) }, tool_uses: { value: integer(0) } }),
          "keep?": toolUses,
          "clear_at_least?": nullable(inputTokens),
          "clear_tool_inputs?": anything,
          "exclude_tools?": nullable(list(string)),
        },
        clear_thinking_20251015: {
          "keep?": stringOr(tagged({ thinking_turns: { value: integer(1) }, all: {} })),
        },
      },
      {
        beta: [
          "edit",
          {
            compact_20260112: {
              "instructions?": nullable(string),
              "pause_after_compaction?": boolean,
              "trigger?": nullable(inputTokens),
            },
          },
        ],
      },
    ),
  ),
});

const mcpServer = object({
  type: oneOf("url"),
  url: string,
  name: string,
  "authorization_token?": nullable(string),
  "tool_configuration?": nullable(object({ "enabled?": nullable(boolean), "allowed_tools?": nullable(list(string)) })),
});

const skill = object({ skill_id: string, type: oneOf("anthropic", "custom"), "version?": string });

/** We keep no threads. Clients of the SDK know this answer, and go on without. */
const thread: Check = () =>
  refuse("thread: message threads are not supported here; send the full conversation without `thread`", {
    error_code: "thread_unsupported_request",
    unsupported: ["thread"],
  });

/** What a count of tokens takes too (R65). */
const counted: Fields = {
  model: length(1, 256),
  messages,
  "system?": stringOr(list(textOnly)),
  "tools?": tools,
  // R49
  "tool_choice?": tagged({ auto: single, any: single, tool: { name: string, ...single }, none: {} }),
  // R52, R53
  "thinking?": tagged({
    enabled: { budget_tokens: integer(1024), ...shown },
    adaptive: shown,
    disabled: {},
    between_tools: {},
  }),
  "output_config?": object({
    "effort?": effort,
    "format?": nullable(outputFormat),
    "task_budget?": beta(
      "output_config.task_budget",
      nullable(object({ type: oneOf("tokens"), total: integer(1), "remaining?": nullable(integer(0)) })),
    ),
  }),
  "output_format?": beta("output_format", nullable(outputFormat)),
  "context_management?": beta("context_management", nullable(contextManagement)),
  "compaction?": beta("compaction", nullable(object({ type: oneOf("summarize"), "instructions?": nullable(string) }))),
  "mcp_servers?": beta("mcp_servers", list(mcpServer)),
  "billing_policy?": beta("billing_policy", anything),
  "speed?": nullable(oneOf("standard", "fast")),
  "cache_control?": cacheControl,
  "user_profile_id?": string,
  "workspace_id?": string,
};

/** R12: the newest version has lost them. */
const older =
  (check: Check): Check =>
  (value, path, terms) => {
    if (terms.version === STRICTEST) refuse(`${path}: Extra inputs are not permitted`);
    check(value, path, terms);
  };

const complete: Fields = {
  max_tokens: integer(0), // R13, R14
  ...counted,
  "stream?": boolean,
  "stop_sequences?": list(stopSequence),
  "metadata?": object({ "user_id?": nullable(length(0, 256)) }), // R19
  "service_tier?": oneOf("auto", "standard_only"),
  "container?": nullable(stringOr(object({ "id?": nullable(string), "skills?": nullable(list(skill)) }))),
  "diagnostics?": nullable(object({ "previous_message_id?": nullable(string) })),
  "inference_geo?": nullable(string),
  "temperature?": older(number(0, 1)),
  "top_p?": older(number(0, 1)),
  "top_k?": older(integer(0)),
  "thread?": beta("thread", nullable(thread)),
  "fallbacks?": beta("fallbacks", nullable(stringOr(list(jsonObject)))),
  "fallback_credit_token?": beta("fallback_credit_token", nullable(stringOr(jsonObject))),
  "safeguards?": beta("safeguards", anything),
};

/**
 * R12–R20, R30–R32, R39–R42, R45–R48: refuses a body of another shape than the API version and the betas take.
 * `counting`: the body of a count of tokens (R65).
 */
export function checkFields(
  body: unknown,
  { counting, ...terms }: Terms & { counting: boolean },
): asserts body is MessageCreateParams {
  object(counting ? counted : complete)(body, "", terms);
}
