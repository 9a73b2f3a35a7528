/** What every agent is given. Nothing in a chapter is global: two agents can live in one process. */
import type { Connection } from "./connection.ts";
import type { Processes } from "./processes.ts";
import type { Terminal } from "./terminal.ts";

export interface AgentOptions {
  /** The folder that the agent works in, as an absolute path. */
  workspace: string;
  /** Where the model is. */
  connection: Connection;
  /** The person in front of the agent: what is shown to them, what they are asked. */
  terminal: Pick<Terminal, "text" | "print" | "note" | "ask">;
  /** Everything the agent starts; it ends with the agent. */
  processes: Processes;
  /** Aborts when the running turn is to stop (Ctrl-C). A function, because each turn has a signal of its own. */
  signal: () => AbortSignal;
}
