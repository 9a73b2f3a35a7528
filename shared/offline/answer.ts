/** From the model's step to the bytes of an answer. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { InputUsage, PromptCache } from "./cache.ts";
import { finish, type FinishedReply } from "./finish.ts";
import { ApiError, type Terms } from "./rules/shape.ts";
import { conversationSeal, sealOf, type SentThoughts } from "./rules/thinking.ts";
import type { ApiFault, Failure, Model, Reply, Step } from "./script.ts";
import {
  type Block,
  blocksOfReply,
  eventsOf,
  eventText,
  isThought,
  newId,
  stopReason,
  type WireMessage,
} from "./stream.ts";

/** What all requests to a server share. */
export interface Service {
  model: Model;
  apiKey: string | undefined;
  contextWindow: number | undefined;
  pace: number;
  /** Told of every request as it comes. */
  onRequest: (request: SeenRequest) => void;
  /** Told of every request when its answer has gone out, or the client has. */
  onAnswer: (request: SeenRequest) => void;
  cache: PromptCache;
  thoughts: SentThoughts;
}

/** A request, and what came of it. */
export interface SeenRequest {
  /** `POST /v1/messages?beta=true` */
  line: string;
  headers: IncomingHttpHeaders;
  /** The JSON that came, whatever it is. */
  sent: unknown;
  /** The same once it has passed the rules; absent when it was refused. */
  body?: MessageCreateParams;
  /** Absent while the client waits, and when its connection was dropped. */
  status?: number;
  usage?: InputUsage & { output_tokens: number };
  /** An error answer, or an error in the middle of a stream. */
  error?: ApiFault & { hint?: string };
  /** The client hung up before the end of the answer. */
  left?: boolean;
}

/** One request on its way. */
export interface Exchange {
  incoming: IncomingMessage;
  response: ServerResponse;
  service: Service;
  requestId: string;
  /** The server has ended the connection itself. */
  dropped?: boolean;
  seen: SeenRequest;
}

/** A request that has passed the rules, and what it may have. */
export interface Accepted {
  request: MessageCreateParams;
  contextWindow: number;
  allows: Terms["allows"];
}

/** The model's answer to a request that has passed the rules. */
export async function answer(exchange: Exchange, accepted: Accepted): Promise<void> {
  const { seen } = exchange;
  const { request } = accepted;
  const left = whenLeft(exchange, seen);
  // R14: no token is asked for, only the cache is filled.
  const step: Step = request.max_tokens === 0 ? PRE_WARMED : await exchange.service.model(request);
  const waitsMidway = step.kind === "reply" && step.midway === "wait";
  if (!waitsMidway) await hold(step, left);
  if (left.aborted) return;
  if (step.kind === "drop") return drop(exchange);
  if (step.kind === "fail") throw failure(step);
  const reply = compose(step, exchange, accepted);
  const fault = typeof step.midway === "object" ? step.midway : undefined;
  if (fault && !request.stream) throw failure({ kind: "fail", status: STATUS.get(fault.type) ?? 500, ...fault });
  seen.usage = reply.usage;
  seen.status = 200;
  const { contentType, firstHalf, rest } = request.stream ? asEvents(reply) : asJson(reply);
  exchange.response.writeHead(200, {
    ...commonHeaders(exchange),
    "content-type": contentType,
    "cache-control": "no-cache",
  });
  await send(exchange, firstHalf, left);
  if (step.midway === "drop") return drop(exchange);
  if (waitsMidway) await hold(step, left);
  if (fault) seen.error = fault;
  await send(exchange, fault ? [eventText({ type: "error", ...errorBody(exchange, fault) })] : rest, left);
  exchange.response.end();
}

const PRE_WARMED: Reply = { kind: "reply", parts: [], stop: "max_tokens" };

/** Aborts when the client hangs up. */
function whenLeft(exchange: Exchange, seen: SeenRequest): AbortSignal {
  const left = new AbortController();
  exchange.response.on("close", () => {
    if (exchange.response.writableFinished || exchange.dropped) return;
    seen.left = true;
    left.abort();
  });
  return left.signal;
}

/** Waits as the step wants, but not longer than the client does. */
async function hold({ wait }: Step, left: AbortSignal): Promise<void> {
  if (!wait || left.aborted) return;
  const gone = new Promise((resolve) => {
    left.addEventListener("abort", resolve, { once: true });
  });
  await Promise.race([wait(left).catch(() => undefined), gone]);
}

/** Ends the connection, with what was sent on its way. */
function drop(exchange: Exchange): void {
  exchange.dropped = true;
  exchange.response.socket?.destroySoon();
}

interface Composed {
  blocks: Block[];
  message: WireMessage;
  usage: InputUsage & { output_tokens: number };
}

function compose(step: Reply, exchange: Exchange, { request, contextWindow, allows }: Accepted): Composed {
  const reply: FinishedReply = step === PRE_WARMED ? step : finish(step, request);
  const conversation = conversationSeal(request);
  const { thinking } = request;
  const blocks = blocksOfReply(reply, {
    seal: (thought) => sealOf(thought, conversation),
    showThinking: !(thinking && "display" in thinking && thinking.display === "omitted"),
  });
  remember(blocks, exchange.service);
  const input = exchange.service.cache(request);
  const output = blocks.reduce((total, { tokens }) => total + tokens, 0);
  const thinkingTokens = blocks.reduce(
    (total, { whole, tokens }) => total + (whole.type === "thinking" ? tokens : 0),
    0,
  );
  const total = input.input_tokens + input.cache_read_input_tokens + input.cache_creation_input_tokens + output;
  const usage = { ...input, output_tokens: Math.max(1, output) };
  const message: WireMessage = {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model: request.model,
    content: blocks.map(({ whole }) => whole),
    container: null,
    diagnostics: null,
    stop_details: null,
    stop_reason: total > contextWindow ? "model_context_window_exceeded" : stopReason(reply), // R51
    stop_sequence: reply.stopSequence ?? null,
    usage: {
      ...usage,
      output_tokens_details: { thinking_tokens: thinkingTokens },
      server_tool_use: null,
      service_tier: "standard",
      inference_geo: null,
      speed: null,
    },
    ...("context_management" in request && { context_management: { applied_edits: [] } }),
    ...(allows("answer input_transformations") && { input_transformations: [] }),
  };
  return { blocks, message, usage };
}

/** R54 */
function remember(blocks: Block[], { thoughts }: Service): void {
  const sent = blocks.flatMap(({ whole }) => (isThought(whole) ? whole : []));
  for (const { whole } of blocks) {
    if (whole.type === "tool_use" && typeof whole.id === "string" && sent.length > 0) thoughts.set(whole.id, sent);
  }
  // Only the latest calls are compared with what was sent.
  const surplus = [...thoughts.keys()].slice(0, Math.max(0, thoughts.size - MAX_REMEMBERED));
  for (const id of surplus) thoughts.delete(id);
}

const MAX_REMEMBERED = 200;

interface Wire {
  contentType: string;
  firstHalf: string[];
  rest: string[];
}

function asEvents({ message, blocks }: Composed): Wire {
  const { firstHalf, rest } = eventsOf(message, blocks);
  return {
    contentType: "text/event-stream; charset=utf-8",
    firstHalf: firstHalf.map(eventText),
    rest: rest.map(eventText),
  };
}

function asJson({ message }: Composed): Wire {
  const json = JSON.stringify(message);
  const middle = json.indexOf('"content"');
  return { contentType: "application/json", firstHalf: [json.slice(0, middle)], rest: [json.slice(middle)] };
}

async function send({ response, service: { pace } }: Exchange, pieces: string[], left: AbortSignal): Promise<void> {
  for (const piece of pieces) {
    if (left.aborted) return;
    if (pace > 0) await setTimeout(pace);
    response.write(piece);
  }
}

/** A JSON answer with the headers that every answer has. */
export function sendJson(
  exchange: Exchange,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  exchange.seen.status = status;
  exchange.response.writeHead(status, { ...commonHeaders(exchange), "content-type": "application/json", ...headers });
  exchange.response.end(JSON.stringify(body));
}

/** An error answer; nothing when the client is gone, and the end of the connection when an answer has begun. */
export function sendError(exchange: Exchange, { status, type, message, headers, details, hint }: ApiError): void {
  const { response, seen } = exchange;
  Object.assign(seen, { status, error: { type, message, ...(hint !== undefined && { hint }) } });
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  // R7: this one answer comes from the machine before the API.
  const body =
    status === 413
      ? { error: { type, message } }
      : { type: "error", ...errorBody(exchange, { type, message, details }) };
  sendJson(exchange, status, body, headers);
}

function errorBody(
  { requestId }: Exchange,
  { type, message, details = null }: ApiFault & { details?: ApiError["details"] },
) {
  return { error: { details, type, message }, request_id: requestId };
}

/** R62 */
function commonHeaders({ requestId, seen }: Exchange): Record<string, string> {
  const input = Math.round((seen.usage?.input_tokens ?? 0) / 1000) * 1000;
  const output = Math.round((seen.usage?.output_tokens ?? 0) / 1000) * 1000;
  const used = { requests: 1, tokens: input + output, "input-tokens": input, "output-tokens": output };
  const reset = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  const limits = Object.entries(used).flatMap(([name, count]) => [
    [`anthropic-ratelimit-${name}-limit`, String(RATE_LIMIT)],
    [`anthropic-ratelimit-${name}-remaining`, String(RATE_LIMIT - count)],
    [`anthropic-ratelimit-${name}-reset`, reset],
  ]);
  return {
    "request-id": requestId,
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-workspace-id": "wrkspc_offline",
    ...Object.fromEntries(limits),
  };
}

/** A minute; nothing enforces it. */
const RATE_LIMIT = 4_000_000;

/** R10, R11, R61, R63: what the API says with each status. */
const FAILURES = new Map<number, ApiFault>([
  [400, { type: "invalid_request_error", message: "Bad Request" }],
  [401, { type: "authentication_error", message: "invalid x-api-key" }],
  [402, { type: "billing_error", message: "Your credit balance is too low to access the Anthropic API." }],
  [403, { type: "permission_error", message: "Your API key does not have permission to use the specified resource" }],
  [404, { type: "not_found_error", message: "Not Found" }],
  [409, { type: "conflict_error", message: "Conflict" }],
  [413, { type: "request_too_large", message: "Request exceeds the maximum size" }],
  [
    429,
    {
      type: "rate_limit_error",
      message: "This request would exceed your account's rate limit. Please try again later.",
    },
  ],
  [500, { type: "api_error", message: "Internal server error" }],
  [504, { type: "timeout_error", message: "Request timed out" }],
  [529, { type: "overloaded_error", message: "Overloaded" }],
]);
const STATUS = new Map([...FAILURES].map(([status, { type }]) => [type, status]));

function failure({ status, type, message, headers }: Failure): ApiError {
  const usual = FAILURES.get(status) ?? FAILURES.get(status < 500 ? 400 : 500);
  return new ApiError(
    status,
    type ?? usual?.type ?? "api_error",
    message ?? usual?.message ?? "",
    headers && { headers },
  );
}
