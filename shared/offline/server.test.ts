import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import Anthropic, { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { call, fail, type Model, promptTooLong, say, sayNothing, script } from "./script.ts";
import { type OfflineOptions, type OfflineServer, startOfflineServer } from "./server.ts";

const HELLO = { model: "claude-sonnet-5", max_tokens: 100, messages: [{ role: "user" as const, content: "hello" }] };

/** A server for one test, and a client that tries once. */
async function serve(
  model: Model,
  options: Partial<OfflineOptions> = {},
): Promise<OfflineServer & { client: Anthropic }> {
  const server = await startOfflineServer({ model, record: true, ...options });
  onTestFinished(() => server.close());
  return { ...server, client: new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 }) };
}

describe("transport", () => {
  let server: OfflineServer;
  beforeAll(async () => {
    server = await startOfflineServer({ model: () => say("yes"), apiKey: "right" });
  });
  afterAll(() => server.close());

  const good = { "content-type": "application/json", "x-api-key": "right", "anthropic-version": "2026-10-21" };

  /** A null takes the header away. */
  async function send(
    headers: Record<string, string | null>,
    {
      body = JSON.stringify(HELLO),
      path = "/v1/messages",
      method = "POST",
    }: { body?: string | Uint8Array; path?: string; method?: string } = {},
  ) {
    const all = Object.entries({ ...good, ...headers }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as [string, string]],
    );
    const response = await fetch(server.url + path, { method, headers: all, ...(method === "POST" && { body }) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const refusal = (status: number, type: string, message: unknown) => ({
    status,
    body: { type: "error", error: { type, message }, request_id: expect.any(String) },
  });

  test.each<[string, Record<string, string | null>, number, string, string]>([
    ["R1: no credential", { "x-api-key": null }, 401, "authentication_error", "x-api-key header is required"],
    ["R2: wrong key", { "x-api-key": "wrong" }, 401, "authentication_error", "invalid x-api-key"],
    [
      "R3: wrong bearer",
      { "x-api-key": null, authorization: "Bearer wrong" },
      401,
      "authentication_error",
      "Invalid bearer token",
    ],
    [
      "R2: wrong key, right bearer",
      { "x-api-key": "wrong", authorization: "Bearer right" },
      401,
      "authentication_error",
      "invalid x-api-key",
    ],
    [
      "R4: no version",
      { "anthropic-version": null },
      400,
      "invalid_request_error",
      "anthropic-version: header is required",
    ],
    [
      "R4: unknown version",
      { "anthropic-version": "2020-01-01" },
      400,
      "invalid_request_error",
      'anthropic-version: "2020-01-01" is not a valid version',
    ],
    [
      "R5: not JSON by its header",
      { "content-type": "text/plain" },
      400,
      "invalid_request_error",
      "content-type: Input should be 'application/json'",
    ],
  ])("%s", async (_rule, headers, status, type, message) => {
    expect(await send(headers)).toMatchObject(refusal(status, type, message));
  });

  test.each<[string, Record<string, string | null>]>([
    ["a key", {}],
    ["a bearer", { "x-api-key": null, authorization: "Bearer right" }],
    ["a right key beside a wrong bearer", { authorization: "Bearer wrong" }],
    ["an old version", { "anthropic-version": "2023-06-01" }],
    ["a charset", { "content-type": "application/json; charset=utf-8" }],
  ])("%s is accepted", async (_what, headers) => {
    expect(await send(headers)).toMatchObject({ status: 200 });
  });

  test.each([
    ["R5: no JSON", "{", "The request body is not valid JSON: "],
    ["R5: no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "The request body is not valid JSON: invalid UTF-8"],
    [
      "R5: half a surrogate pair",
      String.raw`{"a":"\\ 😀 \ud83d\ude00 \ud83d"}`,
      "The request body is not valid JSON: no low surrogate in string: line 1 column 26 (char 25)",
    ],
    [
      "R5: the other half",
      '{\n"a":"\\ude00"}',
      "The request body is not valid JSON: no low surrogate in string: line 2 column 6 (char 7)",
    ],
  ])("%s", async (_rule, body, message) => {
    expect(await send({}, { body })).toMatchObject(
      refusal(400, "invalid_request_error", expect.stringContaining(message)),
    );
  });

  test("an escaped pair is whole", async () => {
    const body = JSON.stringify(HELLO).replace("hello", String.raw`\ud83d\ude00`);
    expect(await send({}, { body })).toMatchObject({ status: 200 });
  });

  test.each(["/v1/messages", "/v1/messages/count_tokens"])("R6, R7: a body over 32 MB to %s", async (path) => {
    const answer = await send({}, { path, body: " ".repeat(32 * 1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ error: { type: "request_too_large", message: "Request exceeds the maximum size" } });
  });

  test("R9: an unknown path", async () => {
    expect(await send({}, { path: "/v1/complete" })).toMatchObject(refusal(404, "not_found_error", "Not Found"));
  });

  test("R9: a path without its version is told so", async () => {
    const message = "Not Found: this client wants an address that ends in /v1";
    expect(await send({}, { path: "/messages" })).toMatchObject(refusal(404, "not_found_error", message));
  });

  test("someone who looks whether there is a server needs no key", async () => {
    expect(await fetch(server.url, { method: "HEAD" })).toMatchObject({ status: 200 });
    expect(await (await fetch(server.url)).json()).toMatchObject({ name: "the offline Messages API" });
  });

  test.each([
    ["unknown ones", "claude-code-20250219,effort-2025-11-24 , no-such-beta"],
    ["one", "context-1m-2025-08-07"],
  ])("betas: %s pass", async (_what, betas) => {
    expect(await send({ "anthropic-beta": betas }, { path: "/v1/messages?beta=true" })).toMatchObject({ status: 200 });
  });

  test.each(["", "a,", ",a"])('betas: "%s" has an empty one', async (betas) => {
    const message = "Unexpected value(s) `` for the `anthropic-beta` header.";
    expect(await send({ "anthropic-beta": betas })).toMatchObject(refusal(400, "invalid_request_error", message));
  });

  test.each([
    ["GET", "/v1/messages"],
    ["POST", "/v1/models"],
    ["DELETE", "/v1/models/claude-sonnet-5"],
  ])("R9: %s %s", async (method, path) => {
    expect(await send({}, { method, path })).toMatchObject(refusal(405, "invalid_request_error", "Method Not Allowed"));
  });

  test("R62: what all answers have in their headers", async () => {
    const answers = [
      await send({}),
      await send({ "x-api-key": "wrong" }),
      await send({}, { method: "GET", path: "/v1/models" }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("request-id")).toMatch(/^req_/);
      expect(headers.get("anthropic-organization-id")).toBeTruthy();
      expect(headers.get("anthropic-ratelimit-requests-remaining")).toMatch(/^\d+$/);
      expect(headers.get("anthropic-ratelimit-input-tokens-limit")).toMatch(/^\d+000$/);
      expect(Date.parse(headers.get("anthropic-ratelimit-tokens-reset") ?? "")).not.toBeNaN();
    }
  });

  test("the request id is the same in header and body", async () => {
    const { headers, body } = await send({ "x-api-key": "wrong" });
    expect(body).toMatchObject({ request_id: headers.get("request-id") });
  });

  test("R64: a bad request is not worth another try", async () => {
    const { headers } = await send({}, { body: "{}" });
    expect(headers.get("x-should-retry")).toBe("false");
  });

  test("a client that hangs up while it sends disturbs no one", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    await new Promise<void>((resolve) => {
      socket.write("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{", () => resolve());
    });
    socket.destroy();
    expect(await send({})).toMatchObject({ status: 200 });
  });
});

describe("models (R66)", () => {
  test("the SDK lists them all, newest first, without retired ones", async () => {
    const { client } = await serve(script([]));
    const ids: string[] = [];
    for await (const { id } of client.models.list({ limit: 5 })) ids.push(id);
    expect(ids).toContain("claude-sonnet-5");
    expect(ids.indexOf("claude-opus-5")).toBeLessThan(ids.indexOf("claude-opus-4-5"));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain("claude-3-7-sonnet-20250219");
  });

  test("retired ones come when they are asked for", async () => {
    const { client } = await serve(script([]));
    const page = await client.models.list({ lifecycle: ["retired"] });
    expect(page.data).toMatchObject([{ id: "claude-3-7-sonnet-20250219", lifecycle: "retired" }]);
  });

  test("a page ends before a model", async () => {
    const { client } = await serve(script([]));
    const [first, second, third] = (await client.models.list()).data;
    const page = await client.models.list({ before_id: third?.id ?? "", limit: 1 });
    expect(page.data).toEqual([second]);
    expect(page.has_more).toBe(true);
    expect(first).toBeDefined();
  });

  test.each([0, 1001])("a page of %i is refused", async (limit) => {
    const { client } = await serve(script([]));
    await expect(client.models.list({ limit })).rejects.toMatchObject({ status: 400 });
  });

  test("one model, with its limits and what it can do", async () => {
    const { client } = await serve(script([]));
    expect(await client.models.retrieve("claude-opus-4-6")).toMatchObject({
      display_name: "Claude Opus 4.6",
      line: "opus",
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      capabilities: {
        effort: { max: { supported: true }, xhigh: { supported: false } },
        thinking: { types: { enabled: { supported: true } } },
      },
    });
  });

  test.each([
    ["claude-haiku-4-5", 200_000, 64_000],
    ["claude-opus-4-5", 200_000, 64_000],
    ["claude-sonnet-4-6", 1_000_000, 128_000],
    ["claude-opus-4-7", 1_000_000, 128_000],
    ["claude-opus-4-8", 1_000_000, 128_000],
    ["claude-sonnet-5-5", 1_000_000, 128_000],
  ])("%s has a window of %i tokens and answers with up to %i", async (id, max_input_tokens, max_tokens) => {
    const { client } = await serve(script([]));
    expect(await client.models.retrieve(id)).toMatchObject({ max_input_tokens, max_tokens });
  });

  test("an unknown model", async () => {
    const { client } = await serve(script([]));
    await expect(client.models.retrieve("gpt-5")).rejects.toMatchObject({
      status: 404,
      type: "not_found_error",
      apiMessage: "model: gpt-5",
    });
  });
});

describe("answers", () => {
  test("the model sees the request, the client its words", async () => {
    const { client } = await serve((request) => say(`${request.messages.length} message`));
    expect(await client.messages.create(HELLO)).toMatchObject({
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5",
      content: [{ type: "text", text: "1 message" }],
      stop_reason: "end_turn",
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
  });

  test("a call has an id of its own, or the one that is wanted", async () => {
    const { client } = await serve(
      script([call("bash", { command: "ls" }), call("bash"), call("bash", {}, "toolu_mine")]),
    );
    const replies = [
      await client.messages.create(HELLO),
      await client.messages.create(HELLO),
      await client.messages.create(HELLO),
    ];
    const calls = replies.flatMap(({ content }) => content);
    expect(calls[0]).toMatchObject({
      type: "tool_use",
      id: expect.stringMatching(/^toolu_/),
      name: "bash",
      input: { command: "ls" },
    });
    expect(calls[0]).not.toMatchObject({ id: calls[1] && "id" in calls[1] ? calls[1].id : "" });
    expect(calls[2]).toMatchObject({ id: "toolu_mine" });
    expect(replies[0]?.stop_reason).toBe("tool_use");
  });

  test("end_turn with nothing to say", async () => {
    const { client } = await serve(script([sayNothing()]));
    expect(await client.messages.create(HELLO)).toMatchObject({ content: [], stop_reason: "end_turn" });
  });

  test("max_tokens 0 asks the model nothing (R14)", async () => {
    const { client } = await serve(script([]));
    expect(await client.messages.create({ ...HELLO, max_tokens: 0 })).toMatchObject({
      content: [],
      stop_reason: "max_tokens",
    });
  });

  test("an answer that does not fit in the window stops there (R51)", async () => {
    const { client } = await serve(script([say("word ".repeat(100))]), { contextWindow: 50 });
    expect(await client.messages.create(HELLO)).toMatchObject({ stop_reason: "model_context_window_exceeded" });
  });

  test("a window of our own refuses longer prompts (R50)", async () => {
    const { client } = await serve(script([say("yes")]), { contextWindow: 50 });
    const long = { ...HELLO, messages: [{ role: "user" as const, content: "word ".repeat(60) }] };
    await expect(client.messages.create(long)).rejects.toMatchObject({
      status: 400,
      apiMessage: expect.stringMatching(/^prompt is too long: \d+ tokens > 50 maximum$/),
    });
    expect(await client.messages.create(HELLO)).toMatchObject({ stop_reason: "end_turn" });
  });

  test("a script that has ended says so, once", async () => {
    const { url, requests } = await serve(script([say("yes")]));
    const client = new Anthropic({ apiKey: "key", baseURL: url });
    await client.messages.create(HELLO);
    await expect(client.messages.create(HELLO)).rejects.toMatchObject({
      status: 500,
      apiMessage: expect.stringContaining("the script has ended"),
    });
    expect(requests).toHaveLength(2);
  });

  test("a step can be a function of the request, also in a script", async () => {
    const { client } = await serve(script([say("first"), ({ max_tokens }) => say(`${max_tokens} tokens`)]));
    await client.messages.create(HELLO);
    expect(await client.messages.create(HELLO)).toMatchObject({ content: [{ text: "100 tokens" }] });
  });

  test("a model that throws is a 500 with its reason", async () => {
    const { client } = await serve(() => {
      throw new Error("no idea");
    });
    await expect(client.messages.create(HELLO)).rejects.toMatchObject({
      status: 500,
      apiMessage: "the offline model failed: no idea",
    });
  });

  test.each<[number, string, string]>([
    [401, "authentication_error", "invalid x-api-key"],
    [402, "billing_error", "Your credit balance is too low to access the Anthropic API."],
    [403, "permission_error", "Your API key does not have permission to use the specified resource"],
    [409, "conflict_error", "Conflict"],
    [413, "request_too_large", "Request exceeds the maximum size"],
    [418, "invalid_request_error", "Bad Request"],
    [429, "rate_limit_error", "This request would exceed your account's rate limit. Please try again later."],
    [500, "api_error", "Internal server error"],
    [503, "api_error", "Internal server error"],
    [504, "timeout_error", "Request timed out"],
    [529, "overloaded_error", "Overloaded"],
  ])("a failure %i has its usual type and text", async (status, type, message) => {
    const { client } = await serve(script([fail(status)]));
    await expect(client.messages.create(HELLO)).rejects.toMatchObject({ status, type, apiMessage: message });
  });

  test("a failure may say more, and when to come again", async () => {
    const { client } = await serve(script([fail(429, { message: "not now", type: "odd_error", retryAfter: 7 })]));
    const error: unknown = await client.messages.create(HELLO).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      status: 429,
      type: "odd_error",
      apiMessage: "not now",
      requestID: expect.stringMatching(/^req_/),
    });
    expect(error instanceof APIError && error.headers?.get("retry-after")).toBe("7");
  });

  test("a prompt that is too long is a bad request like any other", async () => {
    const { client } = await serve(script([promptTooLong()]));
    await expect(client.messages.create(HELLO)).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      apiMessage: expect.stringContaining("prompt is too long"),
    });
  });
});

describe("record of requests", () => {
  test("keeps what came, its answer, and what was wrong", async () => {
    const { client, requests } = await serve(script([say("yes"), fail(529)]));
    await client.messages.create(HELLO, { headers: { "x-test": "1" } });
    await expect(client.messages.create(HELLO)).rejects.toThrow("Overloaded");
    await expect(client.messages.create({ ...HELLO, messages: [] })).rejects.toThrow("at least one message");
    expect(requests).toMatchObject([
      { status: 200, body: HELLO, headers: { "x-test": "1" }, usage: { output_tokens: 1 } },
      { status: 529, body: HELLO, error: { type: "overloaded_error", message: "Overloaded" } },
      { status: 400, sent: { messages: [] }, error: { message: "messages: at least one message is required" } },
    ]);
    expect(requests[2]).not.toHaveProperty("body");
    expect(requests.some(({ left }) => left)).toBe(false);
  });
});

test("nothing is kept unless a test asks for it", async () => {
  const seen: (number | undefined)[] = [];
  const { client, requests } = await serve(script([say("yes")]), {
    record: false,
    onAnswer: ({ status }) => seen.push(status),
  });
  await client.messages.create(HELLO);
  await expect.poll(() => seen).toEqual([200]);
  expect(requests).toEqual([]);
});

test("a port in use is an error", async () => {
  const { url } = await serve(script([]));
  const port = Number(new URL(url).port);
  await expect(startOfflineServer({ model: script([]), port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("two servers know nothing of each other", async () => {
  const [one, two] = [await serve(script([say("one")])), await serve(script([say("two")]))];
  expect(await two.client.messages.create(HELLO)).toMatchObject({ content: [{ text: "two" }] });
  expect(one.requests).toEqual([]);
});

test("a server that nobody closes keeps no process alive", { timeout: 30_000 }, async () => {
  const program = `
    import { startOfflineServer } from "${new URL("server.ts", import.meta.url).href}";
    const { url } = await startOfflineServer({ model: () => ({ kind: "reply", parts: [] }) });
    await (await fetch(url)).text();`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("close ends open connections", async () => {
  const server = await startOfflineServer({ model: () => new Promise(() => {}) });
  const client = new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 });
  const waiting = client.messages.create(HELLO);
  const failed = waiting.catch((reason: unknown) => reason);
  await server.close();
  expect(await failed).toBeInstanceOf(APIConnectionError);
});
