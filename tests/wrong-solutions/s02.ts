import type { WrongSolution } from "../variants.ts";

const UNKNOWN = "if (!tool) return toolResult(call, failure(`Error: no tool";
const FIRST_CHECK = "signal.throwIfAborted(); // after Ctrl-C nothing new starts";
const RUN = "const running = tool.run(call.input, { id: call.id, signal });";
const ANSWER = "return toolResult(call, await unlessAborted(signal, running, GRACE));";
const LATE_CHECK = "    signal.throwIfAborted();\n    return";
const FAILED = "return toolResult(call, failure(`Error: ${messageOf(error)}`));";

export const s02: WrongSolution[] = [
  {
    name: "the signal is not looked at before a call",
    noticedBy: "after Ctrl-C an unknown tool ends the turn as well",
    changes: [[FIRST_CHECK, ""]],
  },
  {
    name: "an unknown tool is answered after Ctrl-C",
    noticedBy: "after Ctrl-C an unknown tool ends the turn as well",
    changes: [
      [FIRST_CHECK, ""],
      ["    const running", "    signal.throwIfAborted();\n    const running"],
    ],
  },
  {
    name: "Ctrl-C in a tool is a failure of the tool",
    noticedBy: "Ctrl-C in a tool that waits is no failure of the tool: it ends the turn",
    changes: [[LATE_CHECK, "    return"]],
  },
  {
    name: "what a tool throws is taken for an Error",
    noticedBy: "a tool that throws a text has failed, too",
    changes: [[FAILED, "return toolResult(call, failure(`Error: ${error.message}`));"]],
  },
  {
    name: "what is thrown is looked into, even null",
    noticedBy: "a tool that throws a text has failed, too",
    changes: [[FAILED, 'return toolResult(call, failure(`Error: ${"message" in error ? error.message : error}`));']],
  },
  {
    name: "an unknown tool ends the turn",
    noticedBy: "answers a tool that is not there, with the names of those that are",
    changes: [[UNKNOWN, "if (!tool) throw new Error((`Error: no tool"]],
  },
  {
    name: "the registry is made an object, which has more names than its own",
    noticedBy: "constructor is no tool, though every object has one of that name",
    changes: [["const tool = tools.get(call.name);", "const tool = Object.fromEntries(tools)[call.name];"]],
  },
  {
    name: "an unknown tool is answered by the first one",
    noticedBy: "answers a tool that is not there, with the names of those that are",
    changes: [["tools.get(call.name);", "tools.get(call.name) ?? [...tools.values()][0];"]],
  },
  {
    name: "the other tools are not named",
    noticedBy: "answers a tool that is not there, with the names of those that are",
    changes: [["; there are ${[...tools.keys()].join(", "; there are ${[].join("]],
  },
  {
    name: "the wrong name is not named",
    noticedBy: "answers a tool that is not there, with the names of those that are",
    changes: [["no tool ${call.name};", "no such tool;"]],
  },
  {
    name: "a failure is no error",
    noticedBy: "answers wrong arguments, with what is wrong",
    changes: [[FAILED, "return toolResult(call, `Error: ${messageOf(error)}`);"]],
  },
  {
    name: "an unknown tool is no error",
    noticedBy: "answers a tool that is not there, with the names of those that are",
    changes: [[UNKNOWN, "if (!tool) return toolResult(call, (`Error: no tool"]],
  },
  {
    name: "a failure does not begin with Error",
    noticedBy: "answers wrong arguments, with what is wrong",
    changes: [["failure(`Error: ${messageOf(error)}`)", "failure(messageOf(error))"]],
  },
  {
    name: "a failure shows the stack",
    noticedBy: "answers an error of the tool",
    changes: [["failure(`Error: ${messageOf(error)}`)", "failure(`Error: ${error?.stack ?? error}`)"]],
  },
  {
    name: "the tool gets the whole call for its input",
    noticedBy: "runs the tool that is called and answers with what it gives",
    changes: [["tool.run(call.input,", "tool.run(call,"]],
  },
  {
    name: "the tool gets a signal that nobody aborts",
    noticedBy: "a tool learns which call it runs for, and the signal that ends it",
    changes: [[RUN, RUN.replace("signal }", "signal: new AbortController().signal }")]],
  },
  {
    name: "the tool does not learn the call's id",
    noticedBy: "a tool learns which call it runs for, and the signal that ends it",
    changes: [[RUN, RUN.replace("id: call.id", 'id: ""')]],
  },
  {
    name: "a failure ends the turn",
    noticedBy: "answers wrong arguments, with what is wrong",
    changes: [[FAILED, "throw error;"]],
  },
  {
    name: "nobody waits for the tool, so that its failure comes too late",
    noticedBy: "answers wrong arguments, with what is wrong",
    changes: [[ANSWER, "return running.then((output) => toolResult(call, output));"]],
  },
  {
    name: "only text is an answer",
    noticedBy: "an error ends neither the turn nor the calls beside it",
    changes: [[ANSWER, "return toolResult(call, String(await unlessAborted(signal, running, GRACE)));"]],
  },
  {
    name: "the failure of a tool that says so itself is lost",
    noticedBy: "a tool can say itself that it failed",
    changes: [[ANSWER, "const output = await running; return toolResult(call, output.content ?? output);"]],
  },
];
