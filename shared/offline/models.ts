/** The models the offline server has, and what each allows: the rules and `GET /v1/models` read this one table. */
import type { ModelCapabilities, ModelInfo, ModelLine } from "@anthropic-ai/sdk/resources/models";
import { ApiError, refuse } from "./rules/shape.ts";

type ThinkingType = keyof ModelCapabilities["thinking"]["types"];

export interface KnownModel {
  id: string;
  line: ModelLine;
  released: string;
  lifecycle: ModelInfo["lifecycle"];
  /** Day of retirement, where there is one. */
  retires?: string;
  /** Tokens of input and output together. */
  contextWindow: number;
  maxOutput: number;
  /** The values of `thinking.type` it takes (R52). */
  thinking: readonly ThinkingType[];
  /** R20; empty: it has no such parameter. */
  effort: readonly string[];
  /** At the highest efforts thinking may not be off (R20). */
  highEffortNeedsThinking?: boolean;
  /** The conversation may end with a part of the answer (R24). */
  prefill?: boolean;
  /** `system` messages between the others (R23). */
  systemMessages?: boolean;
  /** `tool_choice` of type `any` or `tool` (R49). */
  forcedTools: boolean;
  /** Of `temperature` and `top_p` it takes both, `one`, or (`top_k` too) `none` but at its default. */
  sampling: "both" | "one" | "none";
  /** A request that says nothing of thinking gets it. */
  thinksUnasked?: boolean;
  /** With `context-1m-2025-08-07` its window has a million tokens. */
  longWindow?: boolean;
  /** A thinking block holds only behind the very messages it was made for (R57). */
  boundThinking?: boolean;
  /** It refuses input + `max_tokens` beyond the window; newer ones stop there (R51). */
  refusesOverrun?: boolean;
}

const EFFORT = ["low", "medium", "high", "xhigh", "max"];

const small = { lifecycle: "active", contextWindow: 200_000, maxOutput: 64_000, forcedTools: true } as const;
const gen45 = { ...small, sampling: "one", thinking: ["enabled", "disabled"], effort: [], prefill: true } as const;
const opus45 = { ...gen45, effort: ["low", "medium", "high"], lifecycle: "deprecated", retires: "2027-01-22" } as const;
const sonnet45 = { ...gen45, longWindow: true, lifecycle: "deprecated", retires: "2026-11-30" } as const;
const gen46 = {
  ...small,
  contextWindow: 1_000_000,
  maxOutput: 128_000,
  sampling: "one",
  thinking: ["enabled", "adaptive", "disabled"],
  effort: ["low", "medium", "high", "max"],
} as const;
const gen47 = { ...gen46, sampling: "none", thinking: ["adaptive", "disabled"], effort: EFFORT } as const;
const gen5 = { ...gen47, thinksUnasked: true } as const;
/** Thinking is always on. */
const deep = { ...gen5, thinking: ["adaptive"], systemMessages: true } as const;
const gen55 = { ...deep, forcedTools: false, boundThinking: true } as const;

/** Not known here, as the API writes it. */
const SOME_DAY = "1970-01-01";

const MODELS: readonly KnownModel[] = [
  { id: "claude-fable-5-2", line: "fable", released: SOME_DAY, ...gen55 },
  { id: "claude-mythos-5-2", line: "mythos", released: SOME_DAY, ...gen55 },
  { id: "claude-haiku-5-5", line: "haiku", released: SOME_DAY, ...gen5, forcedTools: false, systemMessages: true },
  { id: "claude-sonnet-5-5", line: "sonnet", released: SOME_DAY, ...gen55, thinking: ["adaptive", "between_tools"] },
  { id: "claude-fable-5-1", line: "fable", released: SOME_DAY, ...gen55 },
  { id: "claude-opus-5-5", line: "opus", released: SOME_DAY, ...gen55 },
  { id: "claude-mythos-5-1", line: "mythos", released: SOME_DAY, ...gen55 },
  { id: "claude-sonnet-5", line: "sonnet", released: "2026-06-30", ...gen5, systemMessages: true },
  { id: "claude-fable-5", line: "fable", released: SOME_DAY, ...deep },
  { id: "claude-mythos-5", line: "mythos", released: SOME_DAY, ...deep },
  {
    id: "claude-opus-5",
    line: "opus",
    released: "2026-07-24",
    ...gen5,
    systemMessages: true,
    highEffortNeedsThinking: true,
  },
  { id: "claude-opus-4-8", line: "opus", released: SOME_DAY, ...gen47, systemMessages: true },
  { id: "claude-opus-4-7", line: "opus", released: SOME_DAY, ...gen47 },
  {
    id: "claude-mythos-preview",
    line: "mythos",
    released: SOME_DAY,
    ...gen5,
    contextWindow: 200_000,
    thinking: ["adaptive"],
    lifecycle: "deprecated",
    retires: "2026-06-30",
  },
  { id: "claude-opus-4-6", line: "opus", released: SOME_DAY, ...gen46 },
  { id: "claude-sonnet-4-6", line: "sonnet", released: SOME_DAY, ...gen46 },
  { id: "claude-haiku-4-5", line: "haiku", released: "2025-10-01", ...gen45 },
  { id: "claude-haiku-4-5-20251001", line: "haiku", released: "2025-10-01", ...gen45 },
  { id: "claude-opus-4-5", line: "opus", released: "2025-11-01", ...opus45 },
  { id: "claude-opus-4-5-20251101", line: "opus", released: "2025-11-01", ...opus45 },
  { id: "claude-sonnet-4-5", line: "sonnet", released: "2025-09-29", ...sonnet45 },
  { id: "claude-sonnet-4-5-20250929", line: "sonnet", released: "2025-09-29", ...sonnet45 },
  {
    id: "claude-sonnet-4-20250514",
    line: "sonnet",
    released: "2025-05-14",
    ...sonnet45,
    sampling: "both",
    refusesOverrun: true,
  },
  {
    id: "claude-3-7-sonnet-20250219",
    line: "sonnet",
    released: "2025-02-19",
    ...gen45,
    sampling: "both",
    lifecycle: "retired",
  },
];

/** R8: throws a 404 for an id that is unknown or does not answer any more. */
export function findModel(id: string): KnownModel {
  const model = MODELS.find((known) => known.id === id && known.lifecycle !== "retired");
  if (!model) throw new ApiError(404, "not_found_error", `model: ${id}`);
  return model;
}

/** A page of `GET /v1/models`, newest models first (R66). */
export function modelPage(query: URLSearchParams): unknown {
  const limit = Number(query.get("limit") ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) refuse("limit: Input should be between 1 and 1000");
  const asked = [...query.getAll("lifecycle"), ...query.getAll("lifecycle[]")];
  const stages = asked.length > 0 ? asked : ["active", "deprecated"];
  const all = MODELS.filter(({ lifecycle }) => stages.includes(lifecycle));
  const after = all.findIndex(({ id }) => id === query.get("after_id"));
  const before = all.findIndex(({ id }) => id === query.get("before_id"));
  const page = before === -1 ? all.slice(after + 1, after + 1 + limit) : all.slice(Math.max(0, before - limit), before);
  return {
    data: page.map(modelInfo),
    has_more: before === -1 ? page.at(-1) !== all.at(-1) : page[0] !== all[0],
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

/** The model as `GET /v1/models` shows it (R66). */
export function modelInfo(model: KnownModel): ModelInfo {
  return {
    type: "model",
    id: model.id,
    display_name: displayName(model.id),
    created_at: `${model.released}T00:00:00Z`,
    lifecycle: model.lifecycle,
    deprecated_at: model.lifecycle === "active" ? null : `${SOME_DAY}T00:00:00Z`,
    retires_at: model.retires ? `${model.retires}T00:00:00Z` : null,
    line: model.line,
    max_input_tokens: model.contextWindow,
    max_tokens: model.maxOutput,
    capabilities: capabilities(model),
  };
}

function capabilities({ thinking, effort }: KnownModel): ModelCapabilities {
  const yes = { supported: true };
  const no = { supported: false };
  const has = (names: readonly string[], name: string): { supported: boolean } => (names.includes(name) ? yes : no);
  return {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      supported: false,
      clear_thinking_20251015: no,
      clear_tool_uses_20250919: no,
      compact_20260112: no,
    },
    effort: {
      supported: effort.length > 0,
      low: has(effort, "low"),
      medium: has(effort, "medium"),
      high: has(effort, "high"),
      xhigh: has(effort, "xhigh"),
      max: has(effort, "max"),
    },
    image_input: yes,
    pdf_input: yes,
    server_tools: { supported: false, code_execution: no, web_search: no },
    structured_outputs: yes,
    thinking: {
      supported: true,
      types: {
        adaptive: has(thinking, "adaptive"),
        between_tools: has(thinking, "between_tools"),
        disabled: has(thinking, "disabled"),
        enabled: has(thinking, "enabled"),
      },
    },
  };
}

/** `claude-opus-4-8` → Claude Opus 4.8 */
function displayName(id: string): string {
  return id
    .replace(/-\d{8}$/, "")
    .replace(/(\d)-(\d)/, "$1.$2")
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
