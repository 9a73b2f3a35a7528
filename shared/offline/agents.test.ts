/** Loops that nobody here wrote work in a folder: they list, make, edit and run, and no request of theirs is refused. */
import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { ChatAnthropic } from "@langchain/anthropic";
import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool as langchainTool } from "@langchain/core/tools";
import { generateText, Output, stepCountIs, streamText, tool } from "ai";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { offlineModel } from "./model.ts";
import { call, type Model, say, type Step } from "./script.ts";
import { startOfflineServer } from "./server.ts";

const PROMPT = "Make hello.txt, correct it, and show it.";

/** What is to be called, one after the other; it goes by the calls in the request, so that a client may ask again. */
const WORK: Step[] = [
  call("list_files", { path: "." }),
  call("write_file", { path: "hello.txt", content: "good morning" }),
  call("edit_file", { path: "hello.txt", old_text: "morning", new_text: "evening" }),
  call("bash", { command: "cat hello.txt" }),
];

function worker({ messages }: MessageCreateParams): Step {
  const done = messages.filter(({ content }) => JSON.stringify(content).includes('"tool_use"')).length;
  return (
    WORK[done] ?? say(`It says: ${JSON.stringify(messages.at(-1)).includes("good evening") ? "good evening" : "?"}`)
  );
}

async function serve(model: Model = worker) {
  const server = await startOfflineServer({ model, record: true });
  onTestFinished(() => server.close());
  return { url: server.url, statuses: () => server.requests.map(({ status, error }) => error?.message ?? status) };
}

const path = z.string().describe("Relative to the folder");
const INPUTS = {
  list_files: z.object({ path }),
  write_file: z.object({ path, content: z.string() }),
  edit_file: z.object({ path, old_text: z.string(), new_text: z.string() }),
  bash: z.object({ command: z.string() }),
};

/** The four tools, at work in a folder of their own. */
async function workspace() {
  const folder = await mkdtemp(join(tmpdir(), "agents-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "notes.txt"), "buy bread\n");
  const run = {
    list_files: async (input: z.infer<typeof INPUTS.list_files>) =>
      (await readdir(join(folder, input.path))).join("\n"),
    write_file: async (input: z.infer<typeof INPUTS.write_file>) => {
      await writeFile(join(folder, input.path), input.content);
      return "";
    },
    edit_file: async (input: z.infer<typeof INPUTS.edit_file>) => {
      const file = join(folder, input.path);
      await writeFile(file, (await readFile(file, "utf8")).replace(input.old_text, input.new_text));
      return "edited";
    },
    bash: async ({ command }: z.infer<typeof INPUTS.bash>) =>
      (await promisify(execFile)("sh", ["-c", command], { cwd: folder })).stdout,
  };
  return { run, hello: () => readFile(join(folder, "hello.txt"), "utf8") };
}

const ALL_GOOD = [200, 200, 200, 200, 200];
const MODELS = ["claude-haiku-4-5", "claude-sonnet-5", "claude-opus-5-5"];
const BOTH = MODELS.flatMap((model) => [true, false].map((stream) => ({ model, stream })));

test.each(BOTH)("toolRunner of the SDK: $model, streaming: $stream", async ({ model, stream }) => {
  const { url, statuses } = await serve();
  const { run, hello } = await workspace();
  const description = "As its name says";
  const runner = new Anthropic({ apiKey: "key", baseURL: url, maxRetries: 0 }).beta.messages.toolRunner({
    model,
    max_tokens: 4000,
    stream,
    messages: [{ role: "user", content: PROMPT }],
    tools: [
      betaZodTool({ name: "list_files", description, inputSchema: INPUTS.list_files, run: run.list_files }),
      betaZodTool({ name: "write_file", description, inputSchema: INPUTS.write_file, run: run.write_file }),
      betaZodTool({ name: "edit_file", description, inputSchema: INPUTS.edit_file, run: run.edit_file }),
      betaZodTool({ name: "bash", description, inputSchema: INPUTS.bash, run: run.bash }),
    ],
  });
  expect(await runner).toMatchObject({ content: [{ text: "It says: good evening" }] });
  expect(await hello()).toBe("good evening");
  // It asks for a thread first, and is told to go on without.
  expect(statuses()).toEqual([expect.stringMatching(/^thread: /), ...ALL_GOOD]);
});

const REPORT = z.object({ answer: z.string(), files: z.number().int(), mood: z.enum(["good", "bad"]) });

async function aiSdk(model: string, modelBehind: Model = worker) {
  const { url, statuses } = await serve(modelBehind);
  const { run, hello } = await workspace();
  const options = {
    model: createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" })(model),
    tools: {
      list_files: tool({ inputSchema: INPUTS.list_files, execute: run.list_files }),
      write_file: tool({ inputSchema: INPUTS.write_file, execute: run.write_file }),
      edit_file: tool({ inputSchema: INPUTS.edit_file, execute: run.edit_file }),
      bash: tool({ inputSchema: INPUTS.bash, execute: run.bash }),
    },
    stopWhen: stepCountIs(8),
    maxRetries: 0,
    prompt: PROMPT,
  };
  return { options, statuses, hello };
}

test.each(MODELS)("AI SDK, with an object at the end: %s", async (model) => {
  const { options, statuses, hello } = await aiSdk(model);
  const { output } = await generateText({ ...options, output: Output.object({ schema: REPORT }) });
  expect(output).toEqual({ answer: "It says: good evening", files: expect.any(Number), mood: "good" });
  expect(await hello()).toBe("good evening");
  expect(statuses()).toEqual(ALL_GOOD);
});

test.each(MODELS)("AI SDK, streaming: %s", async (model) => {
  const { options, statuses, hello } = await aiSdk(model);
  const result = streamText(options);
  expect(await result.text).toBe("It says: good evening");
  expect(await hello()).toBe("good evening");
  expect(statuses()).toEqual(ALL_GOOD);
});

test("AI SDK, thinking", async () => {
  const { options, statuses } = await aiSdk("claude-sonnet-4-5");
  const thinking = { type: "enabled" as const, budgetTokens: 2000 };
  const { text, reasoningText } = await generateText({ ...options, providerOptions: { anthropic: { thinking } } });
  expect([text, reasoningText]).toEqual(["It says: good evening", expect.stringMatching(/\S/)]);
  expect(statuses()).toEqual(ALL_GOOD);
});

test("AI SDK, a search by the API", async () => {
  const { url, statuses } = await serve(() => call("web_search"));
  const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey: "key" });
  const { text } = await generateText({
    model: anthropic("claude-sonnet-4-5"),
    tools: { web_search: anthropic.tools.webSearch_20250305({ maxUses: 1 }) },
    toolChoice: { type: "tool", toolName: "web_search" },
    maxRetries: 0,
    prompt: "What is new?",
  });
  expect(text).toMatch(/\S/);
  expect(statuses()).toEqual([200]);
});

test.each(BOTH)("LangChain: $model, streaming: $stream", async ({ model, stream }) => {
  const { url, statuses } = await serve();
  const { run, hello } = await workspace();
  const tools = [
    langchainTool(run.list_files, { name: "list_files", description: "List", schema: INPUTS.list_files }),
    langchainTool(run.write_file, { name: "write_file", description: "Write", schema: INPUTS.write_file }),
    langchainTool(run.edit_file, { name: "edit_file", description: "Edit", schema: INPUTS.edit_file }),
    langchainTool(run.bash, { name: "bash", description: "Run", schema: INPUTS.bash }),
  ];
  const byName = new Map<string, StructuredToolInterface>(tools.map((each) => [each.name, each]));
  const options = { model, apiKey: "key", anthropicApiUrl: url, maxRetries: 0, maxTokens: 4000, streaming: stream };
  const chat = new ChatAnthropic(options).bindTools(tools);
  const history: BaseMessage[] = [new SystemMessage("You work in a folder."), new HumanMessage(PROMPT)];
  for (;;) {
    const answer = await chat.invoke(history);
    history.push(answer);
    const calls = answer.tool_calls ?? [];
    for (const asked of calls) {
      const result: unknown = await byName.get(asked.name)?.invoke({ ...asked, type: "tool_call" });
      if (result instanceof ToolMessage) history.push(result);
    }
    if (calls.length === 0) break;
  }
  expect(history.at(-1)?.text).toBe("It says: good evening");
  expect(await hello()).toBe("good evening");
  expect(statuses()).toEqual(ALL_GOOD);
});

test.each(["claude-sonnet-4-5", "claude-sonnet-5"])("LangChain, an object: %s", async (model) => {
  const { url, statuses } = await serve(offlineModel);
  const chat = new ChatAnthropic({ model, apiKey: "key", anthropicApiUrl: url, maxRetries: 0 });
  const schema = REPORT.omit({ mood: true }); // It tells the API of an enum in words only.
  const report = await chat.withStructuredOutput(schema, { method: "jsonSchema" }).invoke("How is it?");
  expect(schema.parse(report)).toEqual(report);
  expect(statuses()).toEqual([200]);
});
