/** Section H and the prompt cache's account: what of a request was sent before, up to a mark. */
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParams,
  ToolResultBlockParam,
  ToolUnion,
} from "@anthropic-ai/sdk/resources/messages";
import { createHash } from "node:crypto";
import { blocksOf } from "./rules/conversation.ts";
import { refuse } from "./rules/shape.ts";
import { isObject } from "./rules/shape.ts";
import { estimateTokens } from "./tokens.ts";

export interface InputUsage {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  cache_creation: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
}

/** A tool, a block of the system prompt or a block of a message: the steps in which a prompt is cached. */
interface Piece {
  json: string;
  tokens: number;
  mark: CacheControlEphemeral | undefined;
}

interface Mark {
  path: string;
  ttl: "5m" | "1h";
}

const MAX_MARKS = 4;
/** How many pieces before a mark the cache is looked through. */
const LOOK_BACK = 20;
/** Prompts the cache holds. */
const MAX_CACHED = 1000;
/** Tokens of a message beside its text. */
const MESSAGE_OVERHEAD = 4;
/** Tokens of an image or a document, whatever its size. */
const MEDIA_TOKENS = 1500;

/** R58, R59 */
export function checkCacheMarks(request: MessageCreateParams): void {
  const marks = [
    ...marksIn(request.tools ?? [], "tools"),
    ...marksIn(request.system ?? [], "system"),
    ...marksIn(request.messages, "messages"),
    ...(request.cache_control ? [markAt(request.cache_control, "cache_control")] : []),
  ];
  if (marks.length > MAX_MARKS) {
    refuse(`A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`);
  }
  const short = marks.findIndex(({ ttl }) => ttl === "5m");
  const late = marks.find(({ ttl }, index) => ttl === "1h" && short !== -1 && index > short);
  if (late) {
    refuse(
      `${late.path}.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ` +
        "Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    );
  }
}

const markAt = ({ ttl = "5m" }: CacheControlEphemeral, path: string): Mark => ({ path, ttl });

/** Every mark within, but not in what is a tool's own: its schema, its input. */
function marksIn(value: unknown, path: string): Mark[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => marksIn(item, `${path}.${index}`));
  if (!isObject(value)) return [];
  const { cache_control: mark, content } = value;
  const own = isObject(mark)
    ? [markAt({ type: "ephemeral", ttl: mark.ttl === "1h" ? "1h" : "5m" }, `${path}.cache_control`)]
    : [];
  return [...own, ...marksIn(content, `${path}.content`)];
}

/** How many tokens a request has, about. */
export function countTokens(request: MessageCreateParams): number {
  return sum(piecesOf(request));
}

/** What the cache says of a request; it then holds the request too. */
export type PromptCache = (request: MessageCreateParams) => InputUsage;

/**
 * A prompt cache. Simpler than the real one: also short prompts are cached (the real one asks for about a thousand
 * tokens), and entries do not grow old, but the oldest make place for new ones.
 */
export function createPromptCache(): PromptCache {
  const cached = new Set<string>();
  return (request) => {
    const pieces = piecesOf(request);
    const keys = prefixKeys(request.model, pieces);
    const marked = pieces.flatMap(({ mark }, index) => (mark ? [{ index, ttl: mark.ttl ?? "5m" }] : []));
    const read = Math.max(0, ...marked.map(({ index }) => cachedUpTo(keys, index, cached)));
    const created = { "5m": 0, "1h": 0 };
    let from = read;
    for (const { index, ttl } of marked) {
      created[ttl] += sum(pieces.slice(from, index + 1));
      from = Math.max(from, index + 1);
      const key = keys[index] ?? "";
      cached.delete(key); // What is used is young again.
      cached.add(key);
    }
    for (const oldest of cached) {
      if (cached.size <= MAX_CACHED) break;
      cached.delete(oldest);
    }
    return {
      input_tokens: sum(pieces.slice(from)),
      cache_read_input_tokens: sum(pieces.slice(0, read)),
      cache_creation_input_tokens: created["5m"] + created["1h"],
      cache_creation: { ephemeral_5m_input_tokens: created["5m"], ephemeral_1h_input_tokens: created["1h"] },
    };
  };
}

/** How many pieces the longest cached prefix has that a mark at this index finds; 0: none. */
function cachedUpTo(keys: string[], mark: number, cached: Set<string>): number {
  for (let index = mark; index >= 0 && index > mark - LOOK_BACK; index--) {
    if (cached.has(keys[index] ?? "")) return index + 1;
  }
  return 0;
}

/** For each piece a key of all that stands up to it. */
function prefixKeys(model: string, pieces: Piece[]): string[] {
  const hash = createHash("sha256").update(model);
  return pieces.map(({ json }) => hash.update(`\n${json}`).copy().digest("base64"));
}

function sum(pieces: Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

/** In the order of the cache: tools, system, messages. The choice of tool and the thinking are a part of the messages. */
function piecesOf(request: MessageCreateParams): Piece[] {
  const { tools = [], system = [], messages, tool_choice, thinking } = request;
  const mode = JSON.stringify([tool_choice, thinking]);
  const pieces = [
    ...tools.map((tool) => pieceOf(tool, "tool")),
    ...blocksOf(system).map((block) => pieceOf(block, "system")),
    ...messages.flatMap(({ role, content }) =>
      blocksOf(content).map((block, index) => pieceOf(block, `${role} ${mode}`, index === 0)),
    ),
  ];
  const last = pieces.at(-1);
  if (last && request.cache_control) last.mark ??= request.cache_control;
  return pieces;
}

type Inner = Exclude<ToolResultBlockParam["content"], string | undefined>[number];
type Part = ContentBlockParam | ToolUnion | Inner;

function pieceOf(part: Part, place: string, opensMessage = false): Piece {
  const json = JSON.stringify(part, (key, value: unknown) => (key === "cache_control" ? undefined : value));
  const overhead = opensMessage ? MESSAGE_OVERHEAD : 0;
  return { json: `${place}\n${json}`, tokens: tokensIn(part, json) + overhead, mark: markOf(part) };
}

/** The mark of a block, or the last one inside a result. */
function markOf(part: Part): CacheControlEphemeral | undefined {
  const inner = part.type === "tool_result" && Array.isArray(part.content) ? part.content.map(markOf) : [];
  const own = "cache_control" in part ? part.cache_control : undefined;
  return own ?? inner.findLast((mark) => mark !== undefined);
}

function tokensIn(part: Part, json: string): number {
  switch (part.type) {
    case "text":
      return estimateTokens(part.text);
    case "thinking":
      return estimateTokens(part.thinking);
    case "image":
    case "document":
      return MEDIA_TOKENS;
    case "tool_result":
      return typeof part.content === "string"
        ? estimateTokens(part.content)
        : (part.content ?? []).reduce((total, inner) => total + tokensIn(inner, JSON.stringify(inner)), 0);
    default:
      return estimateTokens(json);
  }
}
