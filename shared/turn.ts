import type { MessageParam } from "@anthropic-ai/sdk/resources/messages";
import { settle } from "./conversation.ts";

/**
 * Runs one turn on a prompt. However it ends, the conversation can go on: calls that were left open are answered.
 * @param signal aborts when the user interrupts the turn
 * @returns what ended the turn early, undefined when nothing did
 */
export async function runTurn(
  agent: { turn(messages: MessageParam[]): Promise<void> },
  messages: MessageParam[],
  prompt: string,
  signal: AbortSignal,
): Promise<Error | undefined> {
  messages.push({ role: "user", content: prompt.toWellFormed() });
  try {
    await agent.turn(messages);
    return undefined;
  } catch (error) {
    const why = signal.aborted ? "Interrupted by the user" : "The turn ended in an error";
    settle(messages, `${why}; this call may have run in part.`);
    return error instanceof Error ? error : new Error(String(error));
  }
}
