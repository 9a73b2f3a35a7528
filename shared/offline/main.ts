/** `pnpm offline [--port N] [--log]`: the offline Messages API on its own, for any client. */
import { parseArgs } from "node:util";
import { logLine } from "./log.ts";
import { offlineModel } from "./model.ts";
import { startOfflineServer } from "./server.ts";

const DEFAULT_PORT = 8787;
/** Milliseconds between two pieces of text: about as fast as one can read. */
const PACE = 15;

try {
  const { values } = parseArgs({
    options: { port: { type: "string", default: String(DEFAULT_PORT) }, log: { type: "boolean", default: false } },
  });
  const { url } = await startOfflineServer({
    model: offlineModel,
    port: portNumber(values.port),
    faults: process.env.OFFLINE_FAULTS ?? "",
    pace: PACE,
    keepAlive: true,
    ...(values.log && { onAnswer: (request) => console.log(logLine(request)) }),
  });
  console.log(`The offline Messages API. In the terminal of your client:

export ANTHROPIC_BASE_URL=${url}
export ANTHROPIC_API_KEY=offline

Some clients (AI SDK, opencode) want the address with its version: ${url}/v1

Or by hand:

curl ${url}/v1/messages -H 'x-api-key: offline' -H 'anthropic-version: 2023-06-01' -H 'content-type: application/json' \\
  -d '{"model":"claude-sonnet-5","max_tokens":100,"messages":[{"role":"user","content":"hello"}]}'

Ctrl-C ends it.`);
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`"${text}" is not a port`);
  return port;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port }: Error & { code?: unknown; port?: unknown } = error;
  if (code === "EADDRINUSE") return `Port ${String(port)} is in use; choose another one with --port <number>.`;
  const isArgument = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
  return isArgument ? `Usage: pnpm offline [--port ${DEFAULT_PORT}] [--log]` : error.message;
}
