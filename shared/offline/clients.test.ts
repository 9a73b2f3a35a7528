/** Clients that nobody here wrote hold a conversation with the server. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Model, reply, say, script } from "./script.ts";
import { startOfflineServer } from "./server.ts";

async function serve(model: Model) {
  const server = await startOfflineServer({ model, record: true });
  onTestFinished(() => server.close());
  return server;
}

/** Two calls at once, then the answer that quotes the last result. */
const conversation = () =>
  script([
    reply("I look.", { name: "weather", input: { city: "東京" } }, { name: "weather", input: { city: "Bonn" } }),
    ({ messages }) =>
      say(
        `It said: ${JSON.stringify(messages.at(-1)?.content).includes("sunny in Bonn") ? "sunny in Bonn" : "nothing"}`,
      ),
  ]);

const city = z.object({ city: z.string() });
const forecast = ({ city: name }: z.infer<typeof city>): string => `sunny in ${name}`;

test("AI SDK", async () => {
  const { url, requests } = await serve(conversation());
  const asked: string[] = [];
  const options = {
    model: createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" })("claude-sonnet-4-5"),
    tools: {
      weather: tool({
        description: "The weather of a city",
        inputSchema: city,
        execute: (input) => {
          asked.push(input.city);
          return forecast(input);
        },
      }),
    },
    stopWhen: stepCountIs(3),
    system: "You are a forecaster.",
    temperature: 0.5,
    maxRetries: 0,
    prompt: "The weather?",
  };
  const { text } = await generateText(options);
  expect(text).toBe("It said: sunny in Bonn");
  expect(asked).toEqual(["東京", "Bonn"]);
  expect(requests.map(({ status }) => status)).toEqual([200, 200]);
});

test("AI SDK, streaming", async () => {
  const { url, requests } = await serve(conversation());
  const result = streamText({
    model: createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" })("claude-sonnet-4-5"),
    tools: { weather: tool({ description: "The weather of a city", inputSchema: city, execute: forecast }) },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
    prompt: "The weather?",
  });
  const pieces: string[] = [];
  for await (const piece of result.textStream) pieces.push(piece);
  expect(pieces.join("")).toBe("I look.It said: sunny in Bonn");
  expect((await result.totalUsage).inputTokens).toBeGreaterThan(0);
  expect(requests.map(({ status, body }) => [status, body?.stream])).toEqual([
    [200, true],
    [200, true],
  ]);
});

test.each([false, true])("LangChain, streaming: %s", async (streaming) => {
  const { url, requests } = await serve(conversation());
  const weather = langchainTool(forecast, { name: "weather", description: "The weather of a city", schema: city });
  const model = new ChatAnthropic({
    model: "claude-sonnet-4-5",
    apiKey: "key",
    anthropicApiUrl: url,
    maxRetries: 0,
    temperature: 0.5,
    streaming,
  }).bindTools([weather]);
  const history = [new HumanMessage("The weather?")];
  const first = await model.invoke(history);
  expect(first.tool_calls).toMatchObject([{ args: { city: "東京" } }, { args: { city: "Bonn" } }]);
  const results = (first.tool_calls ?? []).map(
    ({ id = "", args }) => new ToolMessage({ tool_call_id: id, content: forecast(city.parse(args)) }),
  );
  const last = await model.invoke([...history, new AIMessage(first), ...results]);
  expect(last.text).toBe("It said: sunny in Bonn");
  expect(last.usage_metadata?.input_tokens).toBeGreaterThan(0);
  expect(requests.map(({ status }) => status)).toEqual([200, 200]);
});
