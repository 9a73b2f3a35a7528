/** An agent of your own: the one of s04, and it may not stop before the tests have run. */
import type { AgentOptions } from "shared/agent-options";
import { runChapter } from "shared/chapter";
import { createAgent as createHookedAgent } from "./code.ts";

function createAgent(options: AgentOptions) {
  const agent = createHookedAgent(options);
  agent.hooks.registerHook("Stop", (messages) => {
    const haveRun = JSON.stringify(messages).includes('"command":"node --test');
    return haveRun ? null : "Run node --test";
  });
  return agent;
}

await runChapter(import.meta, createAgent);
