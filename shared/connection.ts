import { createRequire } from "node:module";
import type Anthropic from "@anthropic-ai/sdk";
import type { Message, MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "./agent-options.ts";
import { readReply } from "./reply.ts";
import type { Settings } from "./settings.ts";

const DEFAULT_MODEL = "claude-sonnet-5";
const MAX_TOKENS = 8000;

/** A request to the model; what it leaves out (`model`, `max_tokens`) is filled in. */
export type ModelRequest = Pick<MessageCreateParams, "messages"> & Partial<MessageCreateParams>;

/** The way to a model: the real API, an endpoint that speaks the same protocol, or the offline model. */
export interface Connection {
  /** The model that is asked when a request names none. */
  readonly model: string;
  /** No key and no address: the answers come from the offline model, inside this process. */
  readonly offline: boolean;
  /** The SDK's client. The first call loads the SDK, which takes longer than the rest of a start-up. */
  client: () => Promise<Anthropic>;
  /** Ends the offline model's server, if there is one. */
  close: () => Promise<void>;
}

/** Prepares the way to the model that the settings name. Nothing is loaded or connected before it is needed. */
export function createConnection(settings: Settings): Connection {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_AUTH_TOKEN: authToken, ANTHROPIC_BASE_URL: baseURL } = settings;
  const offline = !apiKey && !authToken && !baseURL;
  let ready: Promise<{ client: Anthropic; close(): Promise<void> }> | undefined;

  const open = async () => {
    if (!offline) return { client: createClient({ apiKey, authToken, baseURL }), close: async () => {} };
    const [{ startOfflineServer }, { offlineModel }] = await Promise.all([
      import("./offline/server.ts"),
      import("./offline/model.ts"),
    ]);
    const server = await startOfflineServer({
      model: offlineModel,
      pace: Number(settings.OFFLINE_PACE ?? 12),
      ...(settings.OFFLINE_FAULTS !== undefined && { faults: settings.OFFLINE_FAULTS }),
    });
    return { client: createClient({ baseURL: server.url }), close: server.close };
  };
  return {
    model: (!offline && settings.MODEL_ID) || DEFAULT_MODEL,
    offline,
    client: async () => (await (ready ??= open())).client,
    close: async () => (await ready)?.close(),
  };
}

function createClient({
  apiKey,
  authToken,
  baseURL,
}:
  | Record<"apiKey" | "authToken" | "baseURL", string | undefined>
  | { baseURL: string; apiKey?: undefined; authToken?: undefined }): Anthropic {
  // The CommonJS build of the SDK: tsx looks at every ES module on its own, and the SDK has hundreds (0.2 s for 0.6 s).
  const sdk: typeof import("@anthropic-ai/sdk") = createRequire(import.meta.url)("@anthropic-ai/sdk");
  // Explicit nulls keep the SDK from looking for credentials of its own; some endpoints need no key, the SDK always does.
  const credentials =
    authToken && !apiKey ? { apiKey: null, authToken } : { apiKey: apiKey ?? "no-key", authToken: null };
  return new sdk.default({ ...credentials, ...(baseURL && { baseURL }) });
}

/**
 * Sends one request and gives the whole reply, showing its text as it comes.
 * Rejects with the SDK's error, or with the signal's reason when the turn was interrupted.
 */
export async function send(
  { connection, terminal, signal }: Pick<AgentOptions, "connection" | "terminal" | "signal">,
  request: ModelRequest,
): Promise<Message> {
  const turn = signal();
  const client = await connection.client();
  const body = { model: connection.model, max_tokens: MAX_TOKENS, ...request, stream: true as const };
  try {
    const reply = await readReply(await client.messages.create(body, { signal: turn }), (text) => terminal.text(text));
    turn.throwIfAborted(); // an aborted stream ends as if it were complete
    return reply;
  } catch (error) {
    turn.throwIfAborted();
    throw error;
  }
}
