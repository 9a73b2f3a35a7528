import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import Anthropic from "@anthropic-ai/sdk";
import { expect, onTestFinished, test } from "vitest";
import { say, script } from "./script.ts";
import { startOfflineServer } from "./server.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

function offline(args: string[], env: NodeJS.ProcessEnv = {}): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const pieces: string[] = [];
  child.stdout.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  child.stderr.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  return { child, output: () => pieces.join("") };
}

/** Starting a process takes long on a busy machine. */
const SLOW = { timeout: 30_000 };

test("says what to set, serves any client, and ends on Ctrl-C", SLOW, async () => {
  const { child, output } = offline(["--port", "0"], { OFFLINE_FAULTS: "418" });
  await expect.poll(output, { timeout: 20_000 }).toContain("Ctrl-C");
  const baseURL = /ANTHROPIC_BASE_URL=(http:\S+)/.exec(output())?.[1] ?? "";
  const apiKey = /ANTHROPIC_API_KEY=(\S+)/.exec(output())?.[1] ?? "";
  const client = new Anthropic({ baseURL, apiKey, maxRetries: 0 });
  const hello = { model: "claude-sonnet-5", max_tokens: 1000, messages: [{ role: "user" as const, content: "hello" }] };
  await expect(client.messages.create(hello)).rejects.toMatchObject({ status: 418 });
  expect(await client.messages.create(hello)).toMatchObject({ content: [{ type: "text" }] });
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([null, "SIGINT"]);
});

test("with --log every request has a line: what became of it, and by which rule", SLOW, async () => {
  const { output } = offline(["--port", "0", "--log"]);
  await expect.poll(output, { timeout: 20_000 }).toContain("Ctrl-C");
  const baseURL = /ANTHROPIC_BASE_URL=(http:\S+)/.exec(output())?.[1] ?? "";
  expect(output()).toContain(`${baseURL}/v1\n`);
  const client = new Anthropic({ baseURL, apiKey: "offline", maxRetries: 0 });
  const look = { name: "look", input_schema: { type: "object" as const } };
  const hello = { max_tokens: 1000, messages: [{ role: "user" as const, content: "hello" }], tools: [look] };
  await client.messages.stream({ ...hello, model: "claude-sonnet-5" }).finalMessage();
  const threaded = { ...hello, model: "claude-opus-5", thread: { type: "create" as const } };
  await expect(client.beta.messages.create({ ...threaded, betas: ["some-beta"] })).rejects.toMatchObject({
    status: 400,
  });
  await fetch(`${baseURL}/health`);
  await expect.poll(output).toContain("/health");
  const [streamed, refused, unknown] = output().trimEnd().split("\n").slice(-3);
  expect(streamed).toMatch(
    /^200 POST \/v1\/messages claude-sonnet-5 stream \| tokens: \d+ in, \d+ out \| tools: look$/,
  );
  expect(refused).toBe(
    "400 POST /v1/messages claude-opus-5 | thread: Extra inputs are not permitted " +
      "(allowed with anthropic-beta: message-threads-2026-08-12) | betas: some-beta | tools: look",
  );
  expect(unknown).toBe("401 GET /health | x-api-key header is required");
});

test("one line when it cannot start", SLOW, async () => {
  const busy = await startOfflineServer({ model: script([say("hi")]) });
  onTestFinished(() => busy.close());
  const { port } = new URL(busy.url);
  const starts = [
    { ...offline(["--port", port]), reason: `Port ${port} is in use; choose another one with --port <number>.` },
    { ...offline(["9000"]), reason: "Usage: pnpm offline [--port 8787] [--log]" },
    { ...offline(["--port", "many"]), reason: '"many" is not a port' },
    { ...offline(["--port", "0"], { OFFLINE_FAULTS: "rain" }), reason: 'unknown fault "rain"; known: ' },
    { ...offline(["--prot", "0"]), reason: "Usage: pnpm offline [--port 8787]" },
  ];
  for (const { child, output, reason } of starts) {
    const [code] = child.exitCode === null ? await once(child, "close") : [child.exitCode];
    expect(code).toBe(1);
    expect(output()).toMatch(/^.*\n$/);
    expect(output()).toContain(reason);
  }
});
