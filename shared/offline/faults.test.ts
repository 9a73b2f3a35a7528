import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { expect, onTestFinished, test } from "vitest";
import { call, fail, say, script } from "./script.ts";
import { startOfflineServer } from "./server.ts";

const HELLO = { model: "claude-sonnet-5", max_tokens: 100, messages: [{ role: "user" as const, content: "hello" }] };

/** What the client sees of so many requests to a server with these faults: the text, or the error's status or name. */
async function outcomes(
  faults: string,
  count: number,
  model = script(Array.from({ length: count }, () => say("fine, thanks"))),
) {
  const server = await startOfflineServer({ model, faults, record: true });
  onTestFinished(() => server.close());
  const client = new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
  const seen: unknown[] = [];
  for (let i = 0; i < count; i++) {
    try {
      const { content, stop_reason } = await client.messages.stream(HELLO).finalMessage();
      seen.push(stop_reason === "end_turn" && content[0]?.type === "text" ? content[0].text : stop_reason);
    } catch (error) {
      if (error instanceof APIError) seen.push(error.status ?? error.type ?? error.name);
      else seen.push(error instanceof Error ? error.message : error);
    }
  }
  return { seen, requests: server.requests };
}

test.each([
  ["529", [529, "fine, thanks"]],
  ["529x3", [529, 529, 529, "fine, thanks"]],
  ["429x2:retry-after=1", [429, 429, "fine, thanks"]],
  ["500, ok ,529", [500, "fine, thanks", 529, "fine, thanks"]],
  ["okx2,404", ["fine, thanks", "fine, thanks", 404]],
  ["drop", ["APIConnectionError", "fine, thanks"]],
  ["drop-midway", ["terminated", "fine, thanks"]],
  ["overloaded-midway", ["overloaded_error", "fine, thanks"]],
  ["max_tokens", ["max_tokens", "fine, thanks"]],
  ["prompt-too-long", [400, "fine, thanks"]],
  ["stall=0.01s", ["fine, thanks"]],
  ["", ["fine, thanks"]],
])("%s", async (faults, expected) => {
  const { seen } = await outcomes(faults, expected.length);
  expect(seen).toEqual(expected);
});

test("retry-after is in the header", async () => {
  const server = await startOfflineServer({ model: script([]), faults: "429:retry-after=3" });
  onTestFinished(() => server.close());
  const client = new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
  const error: unknown = await client.messages.create(HELLO).catch((reason: unknown) => reason);
  expect(error instanceof APIError && error.headers?.get("retry-after")).toBe("3");
});

test("a fault in place of the answer leaves the model's next step for the next request", async () => {
  const { seen } = await outcomes("529,drop", 3, script([say("first")]));
  expect(seen).toEqual([529, "APIConnectionError", "first"]);
});

test("a failure cannot be broken once more", async () => {
  const { seen } = await outcomes("drop-midway", 1, script([fail(500)]));
  expect(seen).toEqual([500]);
});

test("max_tokens cuts a call in the middle of its input", async () => {
  const server = await startOfflineServer({
    model: script([call("bash", { command: "ls", description: "list" })]),
    faults: "max_tokens",
  });
  onTestFinished(() => server.close());
  const client = new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
  const { content, stop_reason } = await client.messages.stream(HELLO).finalMessage();
  expect(stop_reason).toBe("max_tokens");
  expect(content).toMatchObject([{ type: "tool_use", input: { command: "ls" } }]);
  expect(content).not.toMatchObject([{ input: { description: "list" } }]);
});

test.each([
  "nonsense",
  "529x",
  "x3",
  "200",
  "600",
  "drop=5s",
  "stall",
  "stall=5",
  "drop:retry-after=1",
  "529:retry-after=soon",
  "529 529",
])("%s is refused, with what is known", async (faults) => {
  await expect(startOfflineServer({ model: script([]), faults })).rejects.toThrow(
    /^unknown fault ".*"; known: .*drop-midway/,
  );
});
