import { createRequire } from "node:module";
import type Anthropic from "@anthropic-ai/sdk";
import type { Message, MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { unlessAborted } from "./abort.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { OfflineServer } from "./offline/server.ts";
import { readReply } from "./reply.ts";
import type { Settings } from "./settings.ts";

const DEFAULT_MODEL = "claude-sonnet-5";
const MAX_TOKENS = 8000;
const PACE = 12; // ms between the pieces of a text of the offline model, so that one sees it come

const OFFLINE = "Offline model: set ANTHROPIC_API_KEY, in the environment or in .env, to talk to a real one";

const CREDENTIALS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];

/** The SDK neither tries again by itself (s11 does) nor logs beside the terminal. */
const QUIET = { maxRetries: 0, logLevel: "off" } as const;

/**
 * A request to the model; what it leaves out (`model`, `max_tokens`) is filled in.
 * `side`: why it is asked beside the conversation (a summary, say). Its text is not shown; all else is as with any other.
 */
export type ModelRequest = Pick<MessageCreateParams, "messages"> & Partial<MessageCreateParams> & { side?: string };

/** The way to a model: the real API, an endpoint that speaks the same protocol, or the offline model. */
export interface Connection {
  /** The model that is asked when a request names none. */
  readonly model: string;
  /** No key and no address: the answers come from the offline model, inside this process. */
  readonly offline: boolean;
  /** Who answers, in a line for the user. */
  readonly description: string;
  /** The SDK's client. The first call loads the SDK, which takes longer than the rest of a start-up. */
  client: () => Promise<Anthropic>;
  /** Ends the offline model's server, if there is one; it also ends with the process. */
  close: () => Promise<void>;
}

/** Prepares the way to the model that the settings name. Nothing is loaded or connected before it is needed. */
export function createConnection(settings: Settings): Connection {
  const { ANTHROPIC_BASE_URL, MODEL_ID } = settings;
  // A line end around a key comes from the file it was read from.
  const [ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN] = CREDENTIALS.map((name) => settings[name]?.trim());
  const offline = !ANTHROPIC_API_KEY && !ANTHROPIC_AUTH_TOKEN && !ANTHROPIC_BASE_URL;
  let server: Promise<OfflineServer> | undefined;
  let client: Promise<Anthropic> | undefined;

  const open = async (): Promise<Anthropic> => {
    // The CommonJS build of the SDK: tsx looks at every ES module, and the SDK has hundreds (0.3 s for 0.6 s).
    const sdk: typeof import("@anthropic-ai/sdk") = createRequire(import.meta.url)("@anthropic-ai/sdk");
    if (ANTHROPIC_BASE_URL && !/^https?:\/\/./.test(ANTHROPIC_BASE_URL)) {
      throw new Error(`ANTHROPIC_BASE_URL is no address like http://127.0.0.1:8787: ${ANTHROPIC_BASE_URL}`);
    }
    for (const name of CREDENTIALS) checkKey(name, settings[name]?.trim());
    if (offline) {
      const { url } = await (server = startEmbedded(settings));
      return new sdk.Anthropic({ baseURL: url, apiKey: "offline", ...QUIET });
    }
    // Some endpoints need no key, the SDK always does. The null keeps it from looking for the other kind itself.
    const credentials =
      ANTHROPIC_AUTH_TOKEN && !ANTHROPIC_API_KEY
        ? { authToken: ANTHROPIC_AUTH_TOKEN, apiKey: null }
        : { apiKey: ANTHROPIC_API_KEY ?? "no-key", authToken: null };
    return new sdk.Anthropic({ ...credentials, baseURL: ANTHROPIC_BASE_URL ?? null, ...QUIET });
  };
  const model = offline ? DEFAULT_MODEL : (MODEL_ID ?? DEFAULT_MODEL);
  return {
    model,
    offline,
    description: offline ? OFFLINE : `Model: ${model} at ${ANTHROPIC_BASE_URL ?? "the Claude API"}`,
    client: () => (client ??= open()),
    close: async () => (await server)?.close(),
  };
}

/** @throws when no header can carry the key; the error names the variable, and says nothing of its value */
function checkKey(name: string, key = ""): void {
  if (/^[\u0020-\u007e]*$/.test(key)) return;
  throw new Error(
    `${name} is no key: it has a character that no key has (a curly quote, a line break …); copy it anew`,
  );
}

/** Starts the offline model's server inside this process; it keeps nothing alive. */
async function startEmbedded({ OFFLINE_PACE, OFFLINE_FAULTS }: Settings): Promise<OfflineServer> {
  const [{ startOfflineServer }, { offlineModel }] = await Promise.all([
    import("./offline/server.ts"),
    import("./offline/model.ts"),
  ]);
  return startOfflineServer({ model: offlineModel, faults: OFFLINE_FAULTS ?? "", pace: Number(OFFLINE_PACE ?? PACE) });
}

/**
 * Sends one request and gives the whole reply, telling its text as it comes.
 * Rejects with the SDK's error, or with the signal's reason when the turn was interrupted.
 */
export async function send(
  { connection, emit, signal }: Pick<AgentOptions, "connection" | "signal" | "emit">,
  { side, ...request }: ModelRequest,
): Promise<Message> {
  const stop = signal();
  const client = await connection.client();
  const body = { model: connection.model, max_tokens: MAX_TOKENS, ...request, stream: true as const };
  const from = side === undefined ? {} : { side };
  let shown = "";
  const show = (text: string) => {
    if (side !== undefined || stop.aborted) return;
    shown += text;
    emit({ type: "text", text });
  };
  try {
    emit({ type: "request", body, ...from });
    const events = await client.messages.create(body, { signal: stop });
    const message = await unlessAborted(stop, readReply(events, show));
    if (shown && !shown.endsWith("\n")) emit({ type: "text", text: "\n" });
    stop.throwIfAborted(); // an aborted stream ends as if it were complete
    emit({ type: "reply", message, ...from });
    return message;
  } catch (error) {
    if (shown && !stop.aborted) emit({ type: "discard" });
    else if (shown && !shown.endsWith("\n")) emit({ type: "text", text: "\n" });
    stop.throwIfAborted();
    throw error;
  }
}
