import Anthropic, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AnthropicError,
} from "@anthropic-ai/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  brokenInput,
  call,
  callWithoutId,
  cutOff,
  dropConnection,
  dropMidway,
  errorMidStream,
  type Model,
  reply,
  say,
  sayNothing,
  script,
  stall,
  stallFor,
  type Step,
  think,
} from "./script.ts";
import { startOfflineServer } from "./server.ts";

const HELLO = { model: "claude-sonnet-5", max_tokens: 1000, messages: [{ role: "user" as const, content: "hello" }] };
const LONG = "An answer that is long enough to be sent in some pieces. 長い答え 👩‍💻🎉";

async function serve(model: Model, options: { pace?: number } = {}) {
  const server = await startOfflineServer({ model, record: true, ...options });
  onTestFinished(() => server.close());
  return { ...server, client: new Anthropic({ apiKey: "key", baseURL: server.url, maxRetries: 0 }) };
}

/** Why a promise is rejected; undefined when it is not. */
function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
}

/** What both ways of the SDK to stream make of a step: the events or the error. */
async function both(step: Step) {
  const { client } = await serve(() => step);
  const raw: Anthropic.RawMessageStreamEvent[] = [];
  let rawError: unknown;
  try {
    for await (const event of await client.messages.create({ ...HELLO, stream: true })) raw.push(event);
  } catch (error) {
    rawError = error;
  }
  const stream = client.messages.stream(HELLO);
  return { raw, rawError, stream, error: await errorOf(stream.finalMessage()) };
}

describe("events", () => {
  test("are on the wire with their names, in their order", async () => {
    const { url } = await serve(() => reply("Hi", { name: "bash", input: { command: "ls" } }));
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "key", "anthropic-version": "2026-10-21" },
      body: JSON.stringify({ ...HELLO, stream: true }),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = (await response.text()).split("\n\n").slice(0, -1);
    const parts = events.map((event) => /^event: (\w+)\ndata: (.*)$/.exec(event)?.slice(1) ?? []);
    expect(parts.map(([name]) => name)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    for (const [name, data = ""] of parts) expect(JSON.parse(data)).toMatchObject({ type: name });
  });

  test("message_start has no content and no stop reason; message_delta has both counts", async () => {
    const { raw } = await both(say(LONG));
    expect(raw[0]).toMatchObject({
      message: {
        content: [],
        stop_reason: null,
        usage: { input_tokens: expect.any(Number), cache_read_input_tokens: 0, output_tokens: 1 },
      },
    });
    expect(raw.at(-2)).toMatchObject({
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
  });

  test("a call starts with an empty input and an empty piece", async () => {
    const { raw } = await both(call("bash", { command: "ls" }));
    expect(raw[1]).toMatchObject({
      content_block: { type: "tool_use", name: "bash", input: {}, caller: { type: "direct" } },
    });
    expect(raw[2]).toMatchObject({ delta: { type: "input_json_delta", partial_json: "" } });
  });

  test("a call without arguments has the empty piece only", async () => {
    const { raw, stream } = await both(call("list"));
    expect(raw.filter(({ type }) => type === "content_block_delta")).toMatchObject([{ delta: { partial_json: "" } }]);
    expect((await stream.finalMessage()).content).toMatchObject([{ input: {} }]);
  });

  test("no piece parts a surrogate pair", async () => {
    const { raw } = await both(say("🎉".repeat(100)));
    const pieces = raw.flatMap((event) =>
      event.type === "content_block_delta" && event.delta.type === "text_delta" ? event.delta.text : [],
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
    expect(pieces.join("")).toBe("🎉".repeat(100));
  });

  test("come one after another when they are paced", async () => {
    const { client } = await serve(() => say("12345678901234567890"), { pace: 1 });
    expect(await client.messages.stream(HELLO).finalText()).toBe("12345678901234567890");
  });
});

describe("the SDK puts together", () => {
  test.each<[string, Step, unknown[], string]>([
    ["text", say(LONG), [{ type: "text", text: LONG }], "end_turn"],
    ["nothing", sayNothing(), [], "end_turn"],
    [
      "text and several calls",
      reply(
        "I look.",
        { name: "read_file", input: { path: "ä 日本.txt" } },
        { name: "bash", input: { command: 'echo "\\n"', n: [1, { a: null }] }, id: "toolu_2" },
      ),
      [
        { type: "text", text: "I look." },
        { type: "tool_use", name: "read_file", input: { path: "ä 日本.txt" } },
        { type: "tool_use", id: "toolu_2", input: { command: 'echo "\\n"', n: [1, { a: null }] } },
      ],
      "tool_use",
    ],
    [
      "thinking",
      think(LONG, "So."),
      [
        { type: "thinking", thinking: LONG, signature: expect.stringMatching(/./) },
        { type: "text", text: "So." },
      ],
      "end_turn",
    ],
    [
      "redacted thinking",
      reply({ redacted: "c2VjcmV0" }, "So."),
      [{ type: "redacted_thinking", data: "c2VjcmV0" }, { text: "So." }],
      "end_turn",
    ],
    ["an input that is no object", call("bash", [1]), [{ type: "tool_use", input: [1] }], "tool_use"],
    [
      "a call that is complete at max_tokens",
      cutOff(call("bash", { command: "ls" })),
      [{ input: { command: "ls" } }],
      "max_tokens",
    ],
    [
      "a call cut inside",
      cutOff(call("bash", { a: "1", command: "ls -la" }), { inside: true }),
      [{ input: { a: "1" } }],
      "max_tokens",
    ],
    ["text cut inside", cutOff(say("one two "), { inside: true }), [{ text: "one " }], "max_tokens"],
    [
      "thinking cut inside",
      cutOff(think("one two "), { inside: true }),
      [{ thinking: "one ", signature: "" }],
      "max_tokens",
    ],
    ["another stop", { ...say("No."), stop: "refusal" }, [{ text: "No." }], "refusal"],
  ])("%s, streamed or not", async (_what, step, content, stop) => {
    const { client } = await serve(() => step);
    for (const message of [await client.messages.stream(HELLO).finalMessage(), await client.messages.create(HELLO)]) {
      expect(message).toMatchObject({ content, stop_reason: stop });
      expect(message.content).toHaveLength(content.length);
    }
  });

  test("a call without an id", async () => {
    const { raw } = await both(callWithoutId("bash"));
    expect(raw[1]).toMatchObject({ content_block: { name: "bash" } });
    expect(raw[1]).not.toHaveProperty("content_block.id");
  });
});

test("omitted thinking is a signature only", async () => {
  const { client } = await serve(() => think("secret", "So."));
  const { content, usage } = await client.messages
    .stream({ ...HELLO, thinking: { type: "adaptive", display: "omitted" } })
    .finalMessage();
  expect(content[0]).toEqual({ type: "thinking", thinking: "", signature: expect.stringMatching(/./) });
  expect(usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
});

describe("what breaks is seen by the SDK as", () => {
  test("an error event: an APIError without a status", async () => {
    const { error, rawError, stream } = await both(errorMidStream(say(LONG)));
    for (const seen of [error, rawError]) {
      expect(seen).toMatchObject({
        status: undefined,
        type: "overloaded_error",
        apiMessage: "Overloaded",
        requestID: expect.stringMatching(/^req_/),
      });
    }
    expect(stream.currentMessage?.content).toMatchObject([{ type: "text", text: expect.stringMatching(/^An answer/) }]);
  });

  test("an error event of another type", async () => {
    const { error } = await both(errorMidStream(say(LONG), { type: "api_error", message: "Internal server error" }));
    expect(error).toMatchObject({ type: "api_error", apiMessage: "Internal server error" });
  });

  test("an error in an answer that is not streamed: its status", async () => {
    const { client } = await serve(() => errorMidStream(say(LONG)));
    await expect(client.messages.create(HELLO)).rejects.toMatchObject({ status: 529, type: "overloaded_error" });
  });

  test("a connection that is cut midway: terminated, with what came before", async () => {
    const { raw, rawError, error, stream } = await both(dropMidway(say(LONG)));
    expect(rawError).toBeInstanceOf(TypeError);
    expect(rawError).toMatchObject({ message: "terminated" });
    expect(error).toMatchObject({ message: "terminated" });
    expect(error).not.toBeInstanceOf(APIError);
    expect(raw.some(({ type }) => type === "content_block_delta")).toBe(true);
    expect(stream.currentMessage?.content).toMatchObject([{ text: expect.stringMatching(/^An answer/) }]);
  });

  test("a cut connection of an answer that is not streamed", async () => {
    const { client } = await serve(() => dropMidway(say(LONG)));
    await expect(client.messages.create(HELLO)).rejects.toThrow("terminated");
  });

  test("a connection that is dropped at once: a connection error", async () => {
    const { error, rawError } = await both(dropConnection());
    expect(error).toBeInstanceOf(APIConnectionError);
    expect(rawError).toBeInstanceOf(APIConnectionError);
  });

  test("an input that is not JSON: an error of stream(), raw pieces for who parses himself", async () => {
    const { raw, error } = await both(brokenInput("bash", '{"command": ls}'));
    expect(error).toBeInstanceOf(AnthropicError);
    const json = raw.flatMap((event) =>
      event.type === "content_block_delta" && event.delta.type === "input_json_delta" ? event.delta.partial_json : [],
    );
    expect(json.join("")).toBe('{"command": ls}');
  });
});

describe("a client that waits", () => {
  test("gets its answer on release", async () => {
    const stalled = stall(say("at last"));
    const { client } = await serve(() => stalled);
    const waiting = client.messages.stream(HELLO).finalText();
    await stalled.reached;
    stalled.release();
    expect(await waiting).toBe("at last");
  });

  test("is seen to leave", async () => {
    const stalled = stall(say("never"));
    const { client, requests } = await serve(() => stalled);
    const turn = new AbortController();
    const waiting = client.messages.create(HELLO, { signal: turn.signal });
    const failed = errorOf(waiting);
    await stalled.reached;
    expect(requests[0]?.left).toBeUndefined();
    turn.abort();
    expect(await failed).toBeInstanceOf(APIUserAbortError);
    await expect.poll(() => requests[0]?.left).toBe(true);
    expect(requests[0]).not.toHaveProperty("status");
  });

  test("has half of the answer when the silence comes midway", async () => {
    const stalled = stall(say(LONG), { midway: true });
    const { client, requests } = await serve(() => stalled);
    const stream = client.messages.stream(HELLO);
    const failed = errorOf(stream.finalMessage());
    await stalled.reached;
    await expect
      .poll(() => stream.currentMessage?.content)
      .toMatchObject([{ text: expect.stringMatching(/^An answer/) }]);
    stream.abort();
    expect(await failed).toBeInstanceOf(APIUserAbortError);
    await expect.poll(() => requests[0]?.left).toBe(true);
  });

  test("midway, gets the rest on release, streamed or not", async () => {
    const stalled = [stall(say(LONG), { midway: true }), stall(say(LONG), { midway: true })] as const;
    const { client } = await serve(script(stalled));
    for (const [index, ask] of [
      () => client.messages.create(HELLO),
      () => client.messages.stream(HELLO).finalMessage(),
    ].entries()) {
      const waiting = ask();
      await stalled[index]?.reached;
      stalled[index]?.release();
      expect(await waiting).toMatchObject({ content: [{ text: LONG }] });
    }
  });

  test("for so many milliseconds", async () => {
    const { client } = await serve(() => stallFor(say("soon"), 5));
    expect(await client.messages.stream(HELLO).finalText()).toBe("soon");
  });

  test("and leaves before the time is over", async () => {
    const { client, requests } = await serve(() => stallFor(say("late"), 600_000));
    expect(await errorOf(client.messages.create(HELLO, { timeout: 20 }))).toBeInstanceOf(APIConnectionTimeoutError);
    await expect.poll(() => requests[0]?.left).toBe(true);
  });
});

test("a connection that the server drops does not count as a client that left", async () => {
  const { client, requests } = await serve(script([dropMidway(say(LONG)), dropConnection(), say("yes")]));
  await expect(client.messages.create(HELLO)).rejects.toThrow("terminated");
  await expect(client.messages.create(HELLO)).rejects.toThrow("Connection error");
  await client.messages.create(HELLO);
  expect(requests.map(({ left }) => left)).toEqual([undefined, undefined, undefined]);
});
