/** What can be read off an agent that lives: what it offers the model, and the layers around its three functions. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Agent as LoopAgent } from "../../chapters/s01/code.ts";
import type { Agent as ToolAgent } from "../../chapters/s02/code.ts";
import type { AgentOptions } from "../agent-options.ts";
import { createConnection } from "../connection.ts";
import { say, script } from "../offline/script.ts";
import { startOfflineServer } from "../offline/server.ts";
import { createProcesses } from "../processes.ts";
import { unwatched } from "../unwatched.ts";
import type { Chapter } from "./chapters.ts";

/** Of any chapter: s01's has neither a registry nor layers. */
type LiveAgent = LoopAgent & Partial<ToolAgent>;

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
  /** The layers of each function, the outermost first, the function itself last. */
  model: string[];
  tool: string[];
  turn: string[];
}

/** Builds a chapter's agent and reads what it is made of. For its tools it is asked for one request, which goes nowhere. */
export async function dissect(chapter: Chapter): Promise<Anatomy> {
  const { createAgent } = await importChapter(chapter);
  const workspace = mkdtempSync(join(tmpdir(), "course-"));
  const server = await startOfflineServer({ model: script([say("ok")]), record: true });
  const processes = createProcesses();
  const connection = createConnection({ ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: server.url });
  try {
    const agent = createAgent(unwatched({ workspace, processes, connection }));
    await agent.model({ messages: [{ role: "user", content: "hello" }] });
    const offered = server.requests[0]?.body?.tools ?? [];
    return {
      tools: offered.map((tool) => ("name" in tool ? tool.name : tool.type)),
      prompt: Object.keys(agent.prompt),
      model: layersOf(agent, "model"),
      tool: layersOf(agent, "tool"),
      turn: layersOf(agent, "turn"),
    };
  } finally {
    processes.endAll();
    await server.close();
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** The functions of s01, which has no layers yet, by the names they could have. */
const BARE = { model: "send", tool: "bash", turn: "loop" };

const layersOf = ({ layers }: LiveAgent, step: keyof ToolAgent["layers"]): string[] =>
  layers ? layers[step].map(({ name }) => name).toReversed() : [BARE[step]];
