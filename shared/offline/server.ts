/** A Messages API on loopback: as strict as the real one, with a model of ours behind it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answer, type Exchange, type SeenRequest, sendError, sendJson, type Service } from "./answer.ts";
import { countTokens, createPromptCache } from "./cache.ts";
import { findModel, modelInfo, modelPage } from "./models.ts";
import { checkRequest, checkSize } from "./rules.ts";
import { ApiError } from "./rules/shape.ts";
import { type Body, checkHeaders, MAX_BODY_BYTES, parseBody } from "./rules/transport.ts";
import type { Model } from "./script.ts";
import { newId } from "./stream.ts";

export type { SeenRequest } from "./answer.ts";

export interface OfflineOptions {
  /** Who answers. */
  model: Model;
  /** The one key that is accepted; default: any. */
  apiKey?: string;
  /** In tokens, in place of the asked model's own. */
  contextWindow?: number;
  /** What goes wrong with the first requests, see `faults.ts`. */
  faults?: string;
  /** Milliseconds between the pieces of a streamed answer, for people who watch. */
  pace?: number;
  /** Default: any free one. */
  port?: number;
  /** The process lives as long as the server; otherwise the server keeps nothing alive. */
  keepAlive?: boolean;
}

export interface OfflineServer {
  /** For the client's `baseURL`. */
  url: string;
  /** All requests for a message, in the order in which they came. */
  requests: SeenRequest[];
  /** Ends the server and all its connections. */
  close: () => Promise<void>;
}

/** Listens on 127.0.0.1. Rejects when the port is taken, or for `faults` that mean nothing. */
export async function startOfflineServer(options: OfflineOptions): Promise<OfflineServer> {
  const { withFaults } = options.faults ? await import("./faults.ts") : {};
  const service: Service = {
    model: withFaults?.(options.model, options.faults ?? "") ?? options.model,
    apiKey: options.apiKey,
    contextWindow: options.contextWindow,
    pace: options.pace ?? 0,
    requests: [],
    cache: createPromptCache(),
    thoughts: new Map(),
  };
  const http = createServer((incoming, response) => void serve(incoming, response, service));
  // A client that waits for its answer is alive by itself; an idle connection should not hold anyone.
  if (!options.keepAlive) http.on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  if (!options.keepAlive) http.unref();
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: service.requests,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function serve(incoming: IncomingMessage, response: ServerResponse, service: Service): Promise<void> {
  const body = await readBody(incoming).catch(() => undefined);
  if (!body) return; // The client hung up while it was sending.
  const exchange: Exchange = { incoming, response, service, requestId: newId("req") };
  try {
    await route(exchange, body);
  } catch (error) {
    sendError(exchange, error instanceof ApiError ? error : modelFailed(error));
  }
}

async function readBody(incoming: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!(chunk instanceof Buffer)) continue;
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), size };
}

async function route(exchange: Exchange, body: Body): Promise<void> {
  const { pathname, searchParams } = new URL(exchange.incoming.url ?? "/", "http://127.0.0.1");
  const known = /^\/v1\/(messages|messages\/count_tokens|models|models\/(?<id>[^/]+))$/.exec(pathname);
  const id = known?.groups?.id;
  if (pathname === "/v1/messages" && exchange.incoming.method === "POST") return createMessage(exchange, body);
  const version = checkHeaders(exchange.incoming.headers, exchange.service.apiKey);
  switch (`${exchange.incoming.method} ${id === undefined ? pathname : "/v1/models/{id}"}`) {
    case "POST /v1/messages/count_tokens":
      return sendJson(exchange, 200, { input_tokens: count(exchange, { body, version }) });
    case "GET /v1/models":
      return sendJson(exchange, 200, modelPage(searchParams));
    case "GET /v1/models/{id}":
      return sendJson(exchange, 200, modelInfo(findModel(id ?? "")));
    default: // R9
      if (!known) throw new ApiError(404, "not_found_error", "Not Found");
      throw new ApiError(405, "invalid_request_error", "Method Not Allowed");
  }
}

async function createMessage(exchange: Exchange, body: Body): Promise<void> {
  const { service, incoming } = exchange;
  const seen: SeenRequest = { headers: incoming.headers, sent: undefined };
  exchange.seen = seen;
  service.requests.push(seen);
  const version = checkHeaders(incoming.headers, service.apiKey);
  seen.sent = parseBody(body, incoming.headers);
  const { request, model } = checkRequest(seen.sent, { version, counting: false, sent: service.thoughts });
  seen.body = request;
  const contextWindow = service.contextWindow ?? model.contextWindow;
  checkSize(countTokens(request), request, { ...model, contextWindow });
  await answer(exchange, seen, { request, contextWindow });
}

/** R65 */
function count({ incoming, service }: Exchange, { body, version }: { body: Body; version: string }): number {
  const sent = parseBody(body, incoming.headers);
  return countTokens(checkRequest(sent, { version, counting: true, sent: service.thoughts }).request);
}

/** A fault of the model's function is a bug of ours, which no second try mends. */
function modelFailed(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(500, "api_error", `the offline model failed: ${message}`, {
    headers: { "x-should-retry": "false" },
  });
}
