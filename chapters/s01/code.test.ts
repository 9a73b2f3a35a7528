import type { Message, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import {
  brokenInput,
  call,
  cutOff,
  errorMidStream,
  fail,
  message,
  stageAgent,
  reply,
  runningProcesses,
  say,
  sayNothing,
  stall,
  think,
  toolUse,
} from "shared/test-kit";
import { unwatched } from "shared/unwatched";
import { describe, expect, test } from "vitest";
import { agentLoop, createAgent, type Agent } from "./code.ts";

const bash = (command: string) => ({ name: "bash", input: { command } });

/** An agent without a model: its replies are given, and it notes what it is asked to do. */
function puppet(...replies: Message[]) {
  const ran: string[] = [];
  const seen: string[][] = [];
  const agent: Agent = {
    prompt: {},
    options: unwatched(),
    model: async ({ messages }) => {
      seen.push(messages.map(({ role }) => role));
      return replies.shift() ?? done;
    },
    tool: async ({ id, name }) => {
      ran.push(name);
      return { type: "tool_result", tool_use_id: id, content: `${name} ran` };
    },
    turn: (messages) => agentLoop(agent, messages),
  };
  return { agent, ran, seen };
}
const text = (words: string) => ({ type: "text" as const, text: words, citations: null });
const use = (name: string) => toolUse(name, {}, `id-${name}`);
const done = message([text("done")]);

describe("the loop", () => {
  test("ends when a reply asks for no tool", async () => {
    const { agent, seen } = puppet(done);
    const messages: MessageParam[] = [{ role: "user", content: "hi" }];
    await agentLoop(agent, messages);
    expect(seen).toEqual([["user"]]);
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: [{ type: "text", text: "done" }] },
    ]);
  });

  test("runs the calls of a reply in order and answers all of them in one user message", async () => {
    const { agent, ran, seen } = puppet(message([text("first"), use("one"), use("two")]), done);
    const messages: MessageParam[] = [{ role: "user", content: "go" }];
    await agentLoop(agent, messages);
    expect(ran).toEqual(["one", "two"]);
    expect(seen[1]).toEqual(["user", "assistant", "user"]);
    expect(messages[2]).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "id-one", content: "one ran" },
        { type: "tool_result", tool_use_id: "id-two", content: "two ran" },
      ],
    });
  });

  test("goes on for as long as the model asks", async () => {
    const rounds = Array.from({ length: 30 }, (_, i) => message([use(`round-${i}`)]));
    const { agent, ran } = puppet(...rounds, done);
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(ran).toHaveLength(30);
  });

  test("asks the agent itself each time: a tool that was replaced in the meantime is the one that runs", async () => {
    const { agent, ran } = puppet(message([use("one"), use("two")]), done);
    const { tool } = agent;
    agent.tool = (one) => {
      agent.tool = (next) => tool({ ...next, name: "replaced" });
      return tool(one);
    };
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(ran).toEqual(["one", "replaced"]);
  });

  test("asks the agent itself each time: a model that was replaced in the meantime is the one that replies", async () => {
    const { agent, seen } = puppet(message([use("one")]), message([use("never")]));
    const { tool } = agent;
    agent.tool = (one) => {
      agent.model = async () => done;
      return tool(one);
    };
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(seen).toHaveLength(1);
  });

  test("hands the model the conversation itself: what is added to it there stays", async () => {
    const { agent } = puppet();
    const messages: MessageParam[] = [{ role: "user", content: "go" }];
    let given: MessageParam[] = [];
    agent.model = async (request) => {
      given = request.messages;
      return done;
    };
    await agentLoop(agent, messages);
    expect(given).toBe(messages);
  });

  test("begins a call when the one before it has ended", async () => {
    const { agent } = puppet(message([use("one"), use("two")]), done);
    const { tool } = agent;
    const steps: string[] = [];
    agent.tool = async (one) => {
      steps.push(`${one.name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${one.name} ends`);
      return tool(one);
    };
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(steps).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  });

  test("runs the same call as often as it is asked for", async () => {
    const { agent, ran } = puppet(message([use("one")]), message([use("one")]), done);
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(ran).toEqual(["one", "one"]);
  });

  test("looks at the calls of a reply, not at why it says it ended: some endpoints say end_turn beside a call", async () => {
    const { agent, ran } = puppet(message([use("one")], "end_turn"), done);
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(ran).toEqual(["one"]);
  });

  test("ends when there are no calls, whatever the reply says of its end", async () => {
    const { agent, seen } = puppet(message([text("done")], "stop_sequence"));
    const messages: MessageParam[] = [{ role: "user", content: "go" }];
    await agentLoop(agent, messages);
    expect(seen).toHaveLength(1);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("is one turn, however many rounds it takes: what stands around the turn is not called again", async () => {
    const { agent } = puppet(message([use("one")]), done);
    let turns = 0;
    agent.turn = async () => void turns++;
    await agentLoop(agent, [{ role: "user", content: "go" }]);
    expect(turns).toBe(0);
  });

  test("a model that fails ends the turn with its error", async () => {
    const { agent } = puppet();
    agent.model = () => Promise.reject(new Error("overloaded"));
    await expect(agentLoop(agent, [{ role: "user", content: "go" }])).rejects.toThrow("overloaded");
  });

  test("a call that throws leaves the results before it in the conversation", async () => {
    const { agent } = puppet(message([use("one"), use("two")]));
    const { tool } = agent;
    agent.tool = (one) => (one.name === "two" ? Promise.reject(new Error("stopped")) : tool(one));
    const messages: MessageParam[] = [{ role: "user", content: "go" }];
    await expect(agentLoop(agent, messages)).rejects.toThrow("stopped");
    expect(messages.at(-1)?.content).toMatchObject([{ tool_use_id: "id-one", content: "one ran" }]);
  });
});

describe("the agent", () => {
  test("offers bash alone and names its workspace", async () => {
    const stage = await stageAgent(createAgent, { script: [say("hi")] });
    await stage.prompt("hello");
    expect(stage.request(1).tools).toMatchObject([{ name: "bash", input_schema: { required: ["command"] } }]);
    expect(stage.request(1).system).toContain(stage.workspace);
  });

  test("shows the model's words as they come, and keeps them", async () => {
    const stage = await stageAgent(createAgent, { script: [say("first answer"), say("second answer")] });
    await stage.prompt("one");
    await stage.prompt("two");
    expect(stage.output.text).toBe("first answer\nsecond answer\n");
    expect(JSON.stringify(stage.request(2).messages)).toMatch(/one.*first answer.*two/);
  });

  test.each([
    ["what is printed, in the order written", "echo a; echo b >&2; echo c; echo d >&2", "a\nb\nc\nd", false],
    ["that nothing was printed", "true", "(no output)", false],
    ["nothing but blanks as no output", "echo; echo '  '", "(no output)", false],
    ["the exit code of a failure", "echo out; echo why >&2; exit 4", "out\nwhy\n[exit code 4]", true],
    ["a silent failure", "exit 41", "(no output)\n[exit code 41]", true],
    ["a command that is not there", "no-such-command 2>/dev/null", "(no output)\n[exit code 127]", true],
    ["a shell that was killed", "echo bye; kill -9 $$", "bye\n[killed by a signal]", true],
    ["output without a line end", "printf x", "x", false],
    ["an empty input at once", 'cat; read -r answer; echo "got [$answer]"', "got []", false],
    ["bytes that are no text, replaced", "printf 'a\\377b'", "a\ufffdb", false],
  ])("a command's result is %s", async (_what, command, right, isError) => {
    const stage = await stageAgent(createAgent, { script: [reply(bash(command)), say("ok")] });
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results()).toEqual([{ text: right, isError }]);
  });

  test.each([
    ["other arguments", call("bash", { cmd: "ls" }), "command"],
    ["no arguments", call("bash"), "command"],
    ["another tool", call("serch", { command: "touch never" }), "bash"],
    ["arguments that are no JSON", brokenInput("bash", '{"command": "ls'), "command"],
    ["arguments that are a list", brokenInput("bash", '["ls"]'), "command"],
  ])("a call with %s is answered with what is wrong, and the turn goes on", async (_what, wrong, word) => {
    const stage = await stageAgent(createAgent, { script: [wrong, say("sorry")] });
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results()).toEqual([
      { text: expect.stringMatching(new RegExp(`^Error: [^]*${word}`)), isError: true },
    ]);
    expect(stage.output.text).toBe("sorry\n");
  });

  test("calls with ids that the API would refuse get others: none, the same twice, one of an earlier turn, a strange one", async () => {
    const stage = await stageAgent(createAgent, {
      script: [
        reply(
          { ...bash("echo 1"), id: "call_1" },
          { ...bash("echo 2"), id: "call_1" },
          { ...bash("echo 3"), id: null },
        ),
        reply({ ...bash("echo 4"), id: "call_1" }, { ...bash("echo 5"), id: "functions.bash:0" }),
        say("ok"),
      ],
    });
    expect(await stage.prompt("go")).toBeUndefined();
    expect(stage.results().map((result) => result.text)).toEqual(["1", "2", "3", "4", "5"]);
  });
});

describe("whatever happens, the conversation can go on", () => {
  const endings = {
    "an empty reply": [sayNothing()],
    "a reply of white space": [say(" \n")],
    "white space beside a call": [reply("\n", bash("true")), say("ok")],
    thoughts: [think("hm", bash("true")), think("done", "ok")],
    "a cut off text": [cutOff(say("one two three four"), { inside: true })],
    "a cut off call": [cutOff(reply("I run it.", bash("touch never")))],
    "a call cut off inside": [cutOff(call("bash", { command: "touch never" }), { inside: true })],
    "a call of nothing but a cut": [cutOff(call("bash", { command: "touch never" }))],
    "thoughts that were cut off": [cutOff(think("I wonder", bash("touch never")))],
    "a refused request": [fail(400, { message: "no" })],
    "an error in the middle of a reply": [reply(bash("true")), errorMidStream(say("half of an answer"))],
    "half a surrogate pair": [
      reply("\ud83d", { name: "bash", input: { command: "printf '\\xf0\\x9f'; echo \ud83d", "\ud83d": "" } }),
      say("ok"),
    ],
    "a tool without a name": [call(" "), call("x".repeat(201)), say("ok")],
  };
  test.each(Object.entries(endings))("after %s", async (_what, steps) => {
    const stage = await stageAgent(createAgent, { script: [...steps, say("still here")] });
    await stage.prompt("first");
    expect(await stage.prompt("second")).toBeUndefined();
    expect(stage.output.text).toContain("still here");
    expect(() => stage.read("never")).toThrow(/ENOENT/);
  });

  test("a reply that was cut off keeps its words", async () => {
    const stage = await stageAgent(createAgent, { script: [cutOff(reply("I run it.", bash("true"))), say("ok")] });
    await stage.prompt("first");
    await stage.prompt("second");
    expect(stage.request(2).messages[1]).toMatchObject({ role: "assistant", content: [{ text: "I run it." }] });
  });

  test("Ctrl-C ends a waiting model call", async () => {
    const waiting = stall(say("late"));
    const stage = await stageAgent(createAgent, { script: [waiting, say("still here")] });
    const turn = stage.prompt("first");
    await waiting.reached;
    stage.interrupt();
    expect(await turn).toBeInstanceOf(Error);
    expect(await stage.prompt("second")).toBeUndefined();
  });

  test("Ctrl-C ends a running command with all it started; what it printed is kept, the next call does not start", async () => {
    const nap = `sleep ${1000 + Math.random()}`; // a command line that no other test has
    const slow = bash(`echo begun; ${nap} & setsid ${nap} & touch started; ${nap}`);
    const stage = await stageAgent(createAgent, { script: [reply(slow, bash("touch never")), say("still here")] });
    const turn = stage.prompt("first");
    await expect.poll(() => stage.exists("started")).toBe(true);
    stage.interrupt();
    expect(await turn).toBeInstanceOf(Error);
    expect(stage.results()).toEqual([
      { text: "begun\n[interrupted by the user; it may have run in part]", isError: true },
      { text: expect.stringContaining("Interrupted by the user"), isError: true },
    ]);
    expect(stage.exists("never")).toBe(false);
    expect(runningProcesses(nap)).toEqual([]);
    expect(await stage.prompt("second")).toBeUndefined();
  });
});
