import type { AgentOptions } from "./agent-options.ts";
import { realClock } from "./clock.ts";
import { createConnection } from "./connection.ts";
import { createInbox } from "./inbox.ts";
import { createProcesses } from "./processes.ts";

/** Options for an agent that nobody watches and nothing interrupts: to look at it, or to call one function of it. */
export function unwatched(given: Partial<AgentOptions> = {}): AgentOptions {
  const { signal } = new AbortController();
  return {
    workspace: process.cwd(),
    connection: createConnection({}),
    processes: createProcesses(),
    inbox: createInbox(),
    settings: {},
    clock: realClock,
    signal: () => signal,
    emit: () => {},
    ask: async () => undefined,
    defer: () => {},
    ...given,
  };
}
