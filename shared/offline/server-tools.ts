/** Calls of the API's own tools. It runs them itself, so they leave the server with their result: here there is none. */
import type { MessageCreateParams, ToolUnion } from "@anthropic-ai/sdk/resources/messages";
import { type CallPart, isCall, type Part, type WireBlock } from "./script.ts";
import { newId } from "./stream.ts";

/** By the beginning of a tool's type: how a result with nothing in it looks. */
const EMPTY: [begins: string, result: string, content: unknown][] = [
  ["web_search_", "web_search_tool_result", []],
  ["web_fetch_", "web_fetch_tool_result", { type: "web_fetch_tool_result_error", error_code: "unavailable" }],
  [
    "code_execution_",
    "code_execution_tool_result",
    { type: "code_execution_tool_result_error", error_code: "unavailable" },
  ],
  ["tool_search_tool_", "tool_search_tool_result", { type: "tool_search_tool_search_result", tool_references: [] }],
  ["advisor_", "advisor_tool_result", { type: "advisor_tool_result_error", error_code: "unavailable" }],
];

const NOTHING = "Nothing came back: there is no way out of this machine.";

/** The parts of a reply, with each call of a server tool done; a reply does not end with one. */
export function serverWork(parts: Part[], { tools = [], messages }: MessageCreateParams): Part[] {
  const question = lastText(messages);
  const done = parts.flatMap((part): Part[] => {
    const tool = tools.find((offered) => isCall(part) && nameOf(offered) === part.name);
    const empty = EMPTY.find(([begins]) => tool?.type?.startsWith(begins));
    return empty && isCall(part) ? blocksFor(part, empty, question) : [part];
  });
  const last = done.at(-1);
  return typeof last === "object" && "block" in last && done.length > parts.length ? [...done, NOTHING] : done;
}

const nameOf = (tool: ToolUnion): string | undefined => ("name" in tool ? tool.name : undefined);

function blocksFor(
  { name, input }: CallPart,
  [begins, type, content]: (typeof EMPTY)[number],
  question: string,
): Part[] {
  const id = newId("srvtoolu");
  const isSearch = begins === "web_search_";
  const asked = isSearch && JSON.stringify(input) === "{}" ? { query: question } : input;
  const call: WireBlock = { type: "server_tool_use", id, name, input: asked, caller: { type: "direct" } };
  return [{ block: call }, { block: { type, tool_use_id: id, content } }];
}

function lastText(messages: MessageCreateParams["messages"]): string {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  return content.findLast((block) => block.type === "text")?.text ?? "";
}
