/** A Messages API on loopback: as strict as the real one, with a model of ours behind it. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answer, type Exchange, type SeenRequest, sendError, sendJson, type Service } from "./answer.ts";
import { countTokens, createPromptCache } from "./cache.ts";
import { findModel, modelInfo, modelPage } from "./models.ts";
import { checkRequest, checkSize } from "./rules.ts";
import { allowedBy } from "./rules/betas.ts";
import { ApiError, type Terms } from "./rules/shape.ts";
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
  /** Keep all requests, in `requests`: for tests. */
  record?: boolean;
  /** Told of every request when it is over. */
  onAnswer?: (request: SeenRequest) => void;
  /** The process lives as long as the server; otherwise the server keeps nothing alive. */
  keepAlive?: boolean;
}

export interface OfflineServer {
  /** For the client's `baseURL`. */
  url: string;
  /** All requests for a message, in the order in which they came; none unless `record` was asked for. */
  requests: SeenRequest[];
  /** Ends the server and all its connections. */
  close: () => Promise<void>;
}

/** Listens on 127.0.0.1. Rejects when the port is taken, or for `faults` that mean nothing. */
export async function startOfflineServer(options: OfflineOptions): Promise<OfflineServer> {
  const requests: SeenRequest[] = [];
  const { withFaults } = options.faults ? await import("./faults.ts") : {};
  const service: Service = {
    model: withFaults?.(options.model, options.faults ?? "") ?? options.model,
    apiKey: options.apiKey,
    contextWindow: options.contextWindow,
    pace: options.pace ?? 0,
    onRequest: (request) => {
      if (options.record) requests.push(request);
    },
    onAnswer: options.onAnswer ?? (() => {}),
    cache: createPromptCache(),
    thoughts: new Map(),
  };
  // On a busy machine Node's five seconds end connections on which the next request is already on its way.
  const http = createServer(
    { keepAliveTimeout: 60_000 },
    (incoming, response) => void serve(incoming, response, service),
  );
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
    requests,
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
  const line = `${incoming.method ?? ""} ${incoming.url ?? ""}`;
  const seen: SeenRequest = { line, headers: incoming.headers, sent: undefined };
  const exchange: Exchange = { incoming, response, service, requestId: newId("req"), seen };
  response.on("close", () => service.onAnswer(seen));
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
  const { method = "" } = exchange.incoming;
  if (pathname === "/" && (method === "GET" || method === "HEAD")) return sendJson(exchange, 200, HERE);
  const known = /^\/v1\/(messages|messages\/count_tokens|models|models\/(?<id>[^/]+))$/.exec(pathname);
  const id = known?.groups?.id;
  if (pathname === "/v1/messages" && method === "POST") return createMessage(exchange, body);
  const { version, betas } = checkHeaders(exchange.incoming.headers, exchange.service.apiKey);
  switch (`${method === "HEAD" ? "GET" : method} ${id === undefined ? pathname : "/v1/models/{id}"}`) {
    case "POST /v1/messages/count_tokens":
      return sendJson(exchange, 200, countRequest(exchange, body, { version, allows: allowedBy(betas) }));
    case "GET /v1/models":
      return sendJson(exchange, 200, modelPage(searchParams));
    case "GET /v1/models/{id}":
      return sendJson(exchange, 200, modelInfo(findModel(id ?? "")));
    default: // R9
      if (!known) throw new ApiError(404, "not_found_error", `Not Found${MISSING_V1.test(pathname) ? ADD_V1 : ""}`);
      throw new ApiError(405, "invalid_request_error", "Method Not Allowed");
  }
}

const HERE = {
  name: "the offline Messages API",
  endpoints: ["/v1/messages", "/v1/messages/count_tokens", "/v1/models"],
};
const MISSING_V1 = /^\/(messages|models)\b/;
const ADD_V1 = ": this client wants an address that ends in /v1";

async function createMessage(exchange: Exchange, body: Body): Promise<void> {
  const { service, incoming, seen } = exchange;
  service.onRequest(seen);
  const { version, betas } = checkHeaders(incoming.headers, service.apiKey);
  const allows = allowedBy(betas);
  seen.sent = parseBody(body, incoming.headers);
  const { request, model } = checkRequest(seen.sent, { version, allows, counting: false, sent: service.thoughts });
  seen.body = request;
  const own = model.longWindow && allows("window of a million tokens") ? 1_000_000 : model.contextWindow;
  const contextWindow = service.contextWindow ?? own;
  checkSize(countTokens(request), request, { ...model, contextWindow });
  await answer(exchange, { request, contextWindow, allows });
}

/** R65 */
function countRequest({ incoming, service, seen }: Exchange, body: Body, terms: Terms): unknown {
  seen.sent = parseBody(body, incoming.headers);
  const { request } = checkRequest(seen.sent, { ...terms, counting: true, sent: service.thoughts });
  const tokens = countTokens(request);
  const managed = "context_management" in request && { context_management: { original_input_tokens: tokens } };
  return { input_tokens: tokens, ...managed };
}

/** A fault of the model's function is a bug of ours, which no second try mends. */
function modelFailed(error: unknown): ApiError {
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(500, "api_error", `the offline model failed: ${message}`, {
    headers: { "x-should-retry": "false" },
  });
}
