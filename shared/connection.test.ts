import { describe, expect, onTestFinished, test } from "vitest";
import { createConnection, send } from "./connection.ts";
import { describeError } from "./errors.ts";
import { dropMidway, errorMidStream, fail, reply, say, script, stall, type Step } from "./offline/script.ts";
import { startOfflineServer } from "./offline/server.ts";
import type { AgentEvent } from "./events.ts";
import type { Settings } from "./settings.ts";

/** A connection to a server with this script; `ask` sends one request. */
async function connect(steps: Step[], settings: Settings = { ANTHROPIC_API_KEY: "right" }) {
  const server = await startOfflineServer({ model: script(steps), apiKey: "right", record: true });
  const connection = createConnection({ ANTHROPIC_BASE_URL: server.url, ...settings });
  onTestFinished(async () => {
    await connection.close();
    await server.close();
  });
  const events: AgentEvent[] = [];
  const shown: string[] = [];
  const emit = (event: AgentEvent) => {
    events.push(event);
    if (event.type === "text") shown.push(event.text);
  };
  const abort = new AbortController();
  const ask = (side: { side?: string } = {}) =>
    send({ connection, emit, signal: () => abort.signal }, { ...side, messages: [{ role: "user", content: "hi" }] });
  return { server, ask, events, shown, abort };
}
const explained = (asked: Promise<unknown>) => asked.then(() => "no error", describeError);

describe("where the model is", () => {
  test.each<[string, Settings, Record<string, string>]>([
    ["a key", { ANTHROPIC_API_KEY: "right" }, { authorization: "Bearer right" }],
    ["a token", { ANTHROPIC_AUTH_TOKEN: "right" }, { authorization: "Bearer right" }],
    ["both: the key", { ANTHROPIC_API_KEY: "right", ANTHROPIC_AUTH_TOKEN: "wrong" }, { authorization: "Bearer right" }],
  ])("%s is sent", async (_what, settings, headers) => {
    const { server, ask } = await connect([say("hello")], settings);
    await ask();
    expect(server.requests[0]?.headers).toMatchObject(headers);
  });

  test("an address without a key is asked too: many local endpoints need none", async () => {
    const { server, ask } = await connect([say("hello")], {});
    await explained(ask());
    expect(server.requests).toHaveLength(1);
  });

  test("MODEL_ID is asked", async () => {
    const settings = { ANTHROPIC_API_KEY: "right", MODEL_ID: "claude-opus-5" };
    const { server, ask } = await connect([say("hello")], settings);
    await ask();
    expect(server.requests[0]?.body).toMatchObject({ model: "claude-opus-5", max_tokens: 8000, stream: true });
  });

  test("with neither key nor address the offline model answers, whatever MODEL_ID says", async () => {
    const connection = createConnection({ MODEL_ID: "made-up", OFFLINE_PACE: "0" });
    onTestFinished(connection.close);
    expect(connection.description).toMatch(/^Offline model/);
    const client = await connection.client();
    expect(client.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const message = await client.messages.create({
      model: connection.model,
      max_tokens: 100,
      messages: [{ role: "user", content: "hello" }],
    });
    expect(message.content).toMatchObject([{ type: "text" }]);
  });
});

describe("a key that no header can carry is one line that names it, and does not tell it", () => {
  test.each([
    "“secret”",
    "sec\u200bret",
    "sec\nret",
    "sec\r\nret",
    "sec\u00a0ret",
    "ключ-secret",
    "sec\u0000ret",
    "sec\tret",
  ])("%j", async (key) => {
    for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]) {
      const { ask, server } = await connect([say("never")], { [name]: key });
      const line = await explained(ask());
      expect(line).toMatch(new RegExp(`^Error: ${name} `));
      expect(line).not.toMatch(/sec|ret\b|\n/);
      expect(server.requests).toEqual([]);
    }
  });

  test("a line end around a key is none of it", async () => {
    const { ask } = await connect([say("hello")], { ANTHROPIC_API_KEY: "right\r\n" });
    expect(await explained(ask())).toBe("no error");
  });
});

describe("send", () => {
  test("shows the text as it comes, ends its line, and gives the whole reply", async () => {
    const { ask, shown } = await connect([
      reply("你好，世界 😀! How are you today?", { name: "ls", input: { a: [1] } }),
    ]);
    const message = await ask();
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.join("")).toBe("你好，世界 😀! How are you today?\n");
    expect(message).toMatchObject({
      stop_reason: "tool_use",
      content: [{ text: "你好，世界 😀! How are you today?" }, { name: "ls", input: { a: [1] } }],
    });
    expect(message.usage.output_tokens).toBeGreaterThan(1);
  });

  test("of a side call nothing is shown; whoever watches is told what it was asked for", async () => {
    const { ask, events, server } = await connect([say("a summary")]);
    await ask({ side: "summary" });
    expect(events.map(({ type }) => type)).toEqual(["request", "reply"]);
    expect(events.at(-1)).toMatchObject({ side: "summary" });
    expect(server.requests[0]?.body).not.toHaveProperty("side");
  });

  test("half a reply that failed does not count, and whoever watches is told so", async () => {
    const { ask, events } = await connect([errorMidStream(say("half of an answer"))]);
    await explained(ask());
    expect(events.at(-1)).toEqual({ type: "discard" });
  });

  test.each([
    ["before the reply", false],
    ["in the middle of it", true],
  ])("an interruption %s rejects with the signal's reason", async (_when, midway) => {
    const waiting = stall(say("a long answer"), { midway });
    const { ask, abort, server } = await connect([waiting]);
    const asked = ask();
    await Promise.all([
      expect(asked).rejects.toThrow("stop it"),
      waiting.reached.then(() => abort.abort(new Error("stop it"))),
    ]);
    await expect.poll(() => server.requests[0]?.left).toBe(true);
  });
});

describe("what went wrong is one line", () => {
  test.each<[string, Step[], Settings, RegExp]>([
    ["a wrong key", [], { ANTHROPIC_API_KEY: "wrong" }, /^API error 401 \(authentication_error\): .*ANTHROPIC_API_KEY/],
    [
      "an unknown model",
      [],
      { ANTHROPIC_API_KEY: "right", MODEL_ID: "gpt" },
      /^API error 404 \(not_found_error\): .*MODEL_ID/,
    ],
    ["a refused request", [fail(400, { message: "no way" })], {}, /^API error 400 \(invalid_request_error\): no way$/],
    [
      "an error in mid-stream",
      [errorMidStream(say("half"))],
      {},
      /^API error in a reply \(overloaded_error\): Overloaded$/,
    ],
    ["a connection that broke", [dropMidway(say("half of an answer"))], {}, /^Error: .*terminated/],
    [
      "an address where nobody is",
      [],
      { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" },
      /^Error: Connection error.*ECONNREFUSED|^Error: .*bad port/,
    ],
    ["a key in smart quotes", [], { ANTHROPIC_API_KEY: "“right”" }, /^Error: ANTHROPIC_API_KEY is no key/],
    ["a key with something invisible", [], { ANTHROPIC_API_KEY: "ri\u200bght" }, /^Error: ANTHROPIC_API_KEY is no key/],
    [
      "a token that is broken in two",
      [],
      { ANTHROPIC_API_KEY: "", ANTHROPIC_AUTH_TOKEN: "ri\nght" },
      /^Error: ANTHROPIC_AUTH_TOKEN is no key/,
    ],
    ["an address that is none", [], { ANTHROPIC_BASE_URL: "nowhere" }, /^Error: .*nowhere|^Error: .*URL/],
  ])("%s", async (_what, steps, settings, right) => {
    const { ask } = await connect(steps, { ANTHROPIC_API_KEY: "right", ...settings });
    const line = await explained(ask());
    expect(line).toMatch(right);
    expect(line).not.toMatch(/\n|“right|ri\Wght/);
  });
});
