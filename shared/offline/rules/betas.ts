/** Which `anthropic-beta` header allows what. Without it the API does not know the field, the block or the tool (R12). */

/** A field by its path, or a kind and a name: `block compaction`. The shapes beside this file use these names. */
export type BetaThing = string;

/**
 * Every row: the headers, any of which is enough, and the things. What is not here needs no header. A header that is not
 * here changes nothing and is no fault: many in daily use are in no list.
 */
const BETAS: [headers: string[], things: BetaThing[]][] = [
  [["context-management-2025-06-27"], ["context_management"]],
  [["compact-2026-01-12"], ["context_management", "edit compact_20260112", "block compaction"]],
  [["compact-2026-09-04"], ["compaction", "block compaction"]],
  [["structured-outputs-2025-11-13"], ["output_format"]],
  [["task-budgets-2026-03-13"], ["output_config.task_budget"]],
  [["thinking-binding-controls-2026-08-01"], ["thinking.block_binding", "answer input_transformations"]],
  [["thinking-display-updates-2026-08-18"], ["thinking.display updates"]],
  [["interleaved-thinking-2025-05-14"], ["thinking.budget_tokens beyond max_tokens"]],
  [["message-threads-2026-08-12"], ["thread"]],
  [["dangerous-tool-use-2026-09-03"], ["safeguards"]],
  [["user-profiles-billing-2026-10-01"], ["billing_policy"]],
  [["context-1m-2025-08-07"], ["window of a million tokens"]],

  // Messages of the role `system`
  [["mid-conversation-output-config-2026-07-01", "per-turn-control-2026-07-01"], ["system message.output_config"]],
  [["mid-conversation-system-clear-at-2026-08-21"], ["system message.clear_at"]],
  [["mid-conversation-tool-changes-2026-07-01"], ["block tool_addition", "block tool_removal"]],
  [["inline-tools-2026-09-15"], ["reference tool_definition"]],

  // Other models that step in
  [
    ["server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01"],
    ["fallbacks", "block fallback"],
  ],
  [["fallback-credit-2026-06-01", "fallback-credit-2026-07-01"], ["fallback_credit_token"]],

  // Tools
  [
    ["mcp-client-2025-04-04", "mcp-client-2025-11-20", "mcp-client-2026-09-15"],
    ["mcp_servers", "tool mcp_toolset", "block mcp_tool_use", "block mcp_tool_result"],
  ],
  [["mcp-client-2026-09-15"], ["tool mcp_toolset.tools", "block mcp_tool_listing"]],
  [["advisor-tool-2026-03-01"], ["tool advisor_20260301", "block advisor_tool_result"]],
  [["computer-use-2024-10-22"], ["tool computer_20241022", "tool bash_20241022", "tool text_editor_20241022"]],
  [["computer-use-2025-01-24"], ["tool computer_20250124"]],
  [["computer-use-2025-11-24"], ["tool computer_20251124"]],
];

/** What these betas allow. */
export function allowedBy(betas: readonly string[]): (thing: BetaThing) => boolean {
  const rows = BETAS.filter(([headers]) => headers.some((header) => betas.includes(header)));
  const things = new Set(rows.flatMap(([, allowed]) => allowed));
  return (thing) => things.has(thing);
}

/** The headers that allow it: `a` or `a or b`. */
export function headersFor(thing: BetaThing): string {
  return BETAS.flatMap(([headers, things]) => (things.includes(thing) ? headers : [])).join(" or ");
}
