import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { Agent } from "../chapters/s01/code.ts";
import { settle } from "./conversation.ts";
import { messageOf } from "./errors.ts";

/**
 * Runs one turn of an agent on a prompt. However it ends, the conversation can go on: open calls are answered.
 * @returns what ended the turn early, undefined when nothing did
 */
export async function runTurn(
  { turn, options }: Pick<Agent, "turn" | "options">,
  messages: MessageParam[],
  prompt: string,
): Promise<Error | undefined> {
  const signal = options.signal();
  messages.push({ role: "user", content: prompt.toWellFormed() });
  try {
    await turn(messages);
    return undefined;
  } catch (error) {
    const why = signal.aborted ? "Interrupted by the user" : "The turn ended in an error";
    settle(messages, `${why}; this call may have run in part.`);
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}
