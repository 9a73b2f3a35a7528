/** What can be read off an agent that lives: what it offers the model, and the layers around its three functions. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Message, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { AgentOptions } from "../agent-options.ts";
import { createConnection, type ModelRequest } from "../connection.ts";
import { say, script } from "../offline/script.ts";
import { startOfflineServer } from "../offline/server.ts";
import { createProcesses } from "../processes.ts";
import type { Chapter } from "./chapters.ts";

/** A function of an agent; s02's `wrap` puts on each layer its name and the function below it. */
interface Layer {
  layer?: string;
  next?: Layer;
}

interface LiveAgent {
  prompt: Record<string, () => string>;
  model: Layer & ((request: ModelRequest) => Promise<Message>);
  tool: Layer;
  turn: Layer & ((messages: MessageParam[]) => Promise<void>);
}

interface ChapterModule {
  createAgent: (options: AgentOptions) => LiveAgent;
}

/** A chapter's program as a module. Importing it starts nothing. */
export async function importChapter({ code }: Chapter): Promise<ChapterModule> {
  return import(pathToFileURL(code).href);
}

export interface Anatomy {
  /** The names of the tools that the model is offered, and of the prompt's sections. */
  tools: string[];
  prompt: string[];
  /** The layers around each function, the outermost first; none around a function that is as s01 made it. */
  model: string[];
  tool: string[];
  turn: string[];
}

/** Builds a chapter's agent and reads what it is made of. For its tools it is asked for one request, which goes nowhere. */
export async function dissect(chapter: Chapter): Promise<Anatomy> {
  const { createAgent } = await importChapter(chapter);
  const workspace = mkdtempSync(join(tmpdir(), "course-"));
  const server = await startOfflineServer({ model: script([say("ok")]) });
  const processes = createProcesses();
  const nothing = () => {};
  const { signal } = new AbortController();
  try {
    const agent = createAgent({
      workspace,
      processes,
      connection: createConnection({ ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: server.url }),
      terminal: { text: nothing, print: nothing, note: nothing, ask: async () => undefined },
      signal: () => signal,
    });
    await agent.model({ messages: [{ role: "user", content: "hello" }] });
    const offered = server.requests[0]?.body?.tools ?? [];
    return {
      tools: offered.map((tool) => ("name" in tool ? tool.name : tool.type)),
      prompt: Object.keys(agent.prompt),
      model: layersOf(agent.model),
      tool: layersOf(agent.tool),
      turn: layersOf(agent.turn),
    };
  } finally {
    processes.endAll();
    await server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}

const layersOf = ({ layer, next }: Layer): string[] => [
  ...(layer === undefined ? [] : [layer]),
  ...(next ? layersOf(next) : []),
];
