/** A line for each request, for people who look on: what came, what became of it, and by which rule. */
import type { SeenRequest } from "./answer.ts";
import { isObject } from "./rules/shape.ts";

/** `400 POST /v1/messages claude-sonnet-5 | thread: Extra inputs are not permitted (…) | betas: a, b | tools: bash` */
export function logLine({ line, status, error, left, sent, headers, usage }: SeenRequest): string {
  const body = isObject(sent) ? sent : {};
  const outcome = status ?? (left ? "left" : "dropped");
  const hint = error?.hint === undefined ? "" : ` (${error.hint})`;
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject).map(({ name, type }) => name ?? type) : [];
  return [
    [outcome, line, body.model, body.stream === true ? "stream" : undefined].filter(Boolean).join(" "),
    error && `${error.message}${hint}`,
    usage &&
      `tokens: ${usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens} in, ${usage.output_tokens} out`,
    headers["anthropic-beta"] !== undefined && `betas: ${[headers["anthropic-beta"]].flat().join(",")}`,
    tools.length > 0 && `tools: ${tools.join(", ")}`,
  ]
    .filter(Boolean)
    .join(" | ");
}
