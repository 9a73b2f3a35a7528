/** What every agent is given. Nothing in a chapter is global: two agents can live in one process, each with its own. */
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import type { Emit } from "./events.ts";
import type { Inbox } from "./inbox.ts";
import type { Processes } from "./processes.ts";
import type { Settings } from "./settings.ts";

/** Read each of them where it is used (`agent.options.workspace`): some change while an agent lives. */
export interface AgentOptions {
  /** The folder that the agent works in, as an absolute path. */
  workspace: string;
  /** Where the model is. */
  connection: Connection;
  /** Everything the agent starts; it ends with the agent. */
  processes: Processes;
  /** Aborts when the running turn is to stop (Ctrl-C). A function, because each turn has a signal of its own. */
  signal: () => AbortSignal;
  /** Tells whoever watches what happens. */
  emit: Emit;
  /** Asks whoever watches. Undefined: nobody answers. Rejects with the signal's reason. */
  ask: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  /** What came from outside and waits to join a turn, or to start one. */
  inbox: Inbox;
  /** The environment and the `.env` files. */
  settings: Settings;
  clock: Clock;
  /** Has something done when the program ends, however it ends. What takes time is waited for, but not for long. */
  defer: (end: () => unknown) => void;
}
