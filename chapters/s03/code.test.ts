import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, stageAgent, reply, say, toolUse } from "shared/test-kit";
import { describe, expect, test } from "vitest";
import { createAgent as createToolAgent, fileTools } from "s02-tool-use";
import { createAgent, gate, permission } from "./code.ts";
import type { Finding } from "./rules.ts";

const bash = (command: string) => ({ name: "bash", input: { command } });
/** Does no harm even where the gate fails: the dangerous part is never reached. */
const guarded = (command: string) => bash(`touch ran; exit 0; ${command}`);

async function play(calls: { name: string; input: unknown }[], answers: string[] = [], files = {}) {
  const stage = await stageAgent(createAgent, { files, answers, script: [reply(...calls), say("ok")] });
  expect(await stage.prompt("go")).toBeUndefined();
  return { stage, results: stage.results() };
}

describe("never", () => {
  test.each(["rm -rf /", "cd / && sudo id", 'bash -c "sudo id"', "echo $(sudo id)", "dd if=/dev/zero of=/dev/sda"])(
    "%s is denied without a question",
    async (command) => {
      const { stage, results } = await play([guarded(command)], ["y"]);
      expect(results).toEqual([{ text: expect.stringMatching(/^Permission denied: [^]*(rm|sudo|dd)/), isError: true }]);
      expect(stage.questions).toEqual([]);
      expect(stage.exists("ran")).toBe(false);
    },
  );

  test("a denied call does not stop the calls beside it", async () => {
    const { results } = await play([bash("echo before"), guarded("sudo id"), bash("echo after")]);
    expect(results.map(({ text }) => text)).toEqual(["before", expect.stringMatching(/^Permission denied/), "after"]);
  });
});

test.each([
  ["an argument that the tool does not know", { command: "touch ran; exit 0; sudo id", path: 5 }],
  ["a call that is no command", { cmd: "sudo id" }],
  ["no arguments", null],
])("%s opens no way around the gate", async (_what, input) => {
  const { stage, results } = await play([{ name: "bash", input }]);
  expect(results).toMatchObject([{ isError: true }]);
  expect(stage.exists("ran")).toBe(false);
});

test("links that go round in a circle are an error of the tool", async () => {
  const stage = await stageAgent(createAgent, { script: [call("read_file", { path: "a" }), say("ok")] });
  symlinkSync("b", stage.path("a"));
  symlinkSync("a", stage.path("b"));
  expect(await stage.prompt("go")).toBeUndefined();
  expect(stage.results()).toMatchObject([{ isError: true }]);
});

describe("go", () => {
  test.each(["echo 'rm -rf /'", "grep -rn shutdown .", "echo hidden > /dev/null", "ls *.txt | sort"])(
    "%s runs without a question",
    async (command) => {
      const { stage, results } = await play([bash(`${command}; echo ran`)], [], { "a.txt": "" });
      expect(results[0]?.text).toMatch(/ran$/);
      expect(stage.questions).toEqual([]);
    },
  );

  test("so do the file tools in the workspace, and a tool that the rules do not know", async () => {
    const calls = [
      { name: "write_file", input: { path: "a.txt", content: "hi" } },
      { name: "read_file", input: { path: "./sub/../a.txt" } },
      { name: "glob", input: { pattern: "*.nothing" } },
    ];
    const { stage, results } = await play(calls);
    expect(results.map(({ text }) => text)).toEqual(["Wrote 2 bytes to a.txt", "hi", "(no matches)"]);
    expect(stage.questions).toEqual([]);
  });
});

describe("ask", () => {
  const files = { "a.txt": "a", "b.txt": "b", "c.txt": "c" };

  test.each([["y"], ["yes"], [" Y "], ["a"], ["A"], ["always"]])("%j lets the call through", async (answer) => {
    const { stage, results } = await play([bash("rm a.txt")], [answer], files);
    expect(results).toEqual([{ text: "(no output)", isError: false }]);
    expect(stage.exists("a.txt")).toBe(false);
    expect(stage.questions).toEqual([expect.stringContaining("rm a.txt")]);
  });

  test.each([["n"], ["no"], [""], ["never"], ["ok"], ["yesterday"], ["abort"], [undefined]])(
    "%j is a no",
    async (answer) => {
      const { stage, results } = await play([bash("rm a.txt")], answer === undefined ? [] : [answer], files);
      const who = answer === undefined ? "nobody answered" : "the user said no";
      const text = expect.stringMatching(new RegExp(`^Permission denied: .*deletes files.*rm a.txt.*${who}`));
      expect(results).toEqual([{ text, isError: true }]);
      expect(stage.exists("a.txt")).toBe(true);
    },
  );

  test("yes holds for one call, always for its rule, and no other rule", async () => {
    const calls = [bash("rm a.txt"), bash("rm b.txt"), bash("rm c.txt"), bash("chmod 777 d.txt")];
    const { stage } = await play(calls, ["y", "a", "n"], { ...files, "d.txt": "" });
    expect(stage.questions).toHaveLength(3); // c.txt is not asked about
    expect(["a.txt", "b.txt", "c.txt"].filter(stage.exists)).toEqual([]);
  });

  test("always does not open what is never allowed", async () => {
    const { stage, results } = await play([bash("rm a.txt"), guarded("rm -rf /")], ["a", "y"], files);
    expect(results[1]).toEqual({ text: expect.stringMatching(/^Permission denied/), isError: true });
    expect(stage.questions).toHaveLength(1);
  });

  test("a line with several things to ask about asks once, and names them all", async () => {
    const { stage } = await play([bash("rm a.txt && chmod 777 b.txt")], ["n"], files);
    expect(stage.questions).toEqual([
      expect.stringMatching(/deletes files[^]*lets others write[^]*\$ rm a\.txt && chmod 777/),
    ]);
    expect(stage.questions).toEqual([expect.stringContaining("[a]lways (delete files, open permissions)")]);
  });

  test("always opens every rule of the question", async () => {
    const calls = [bash("rm a.txt && chmod 777 b.txt"), bash("chmod 777 c.txt"), bash("rm c.txt")];
    const { stage } = await play(calls, ["a"], files);
    expect(stage.questions).toHaveLength(1);
  });

  test("a long command is shown to its end", async () => {
    const { stage } = await play([bash(`echo ${"x".repeat(300)} && rm a.txt`)], ["n"], files);
    expect(stage.questions).toEqual([expect.stringMatching(/\$ echo x{300} && rm a\.txt$/m)]);
  });

  test("other rules need no other gate", async () => {
    const refuse = gate(async ({ name }) => [{ verdict: "ask", rule: name, reason: `calls ${name}` }]);
    const { agent, options, questions } = await stageAgent(createAgent, { answers: ["a"] });
    expect(await refuse(toolUse("glob"), agent, options.signal())).toBeUndefined();
    expect(await refuse(toolUse("glob"), agent, options.signal())).toBeUndefined();
    expect(await refuse(toolUse("bash"), agent, options.signal())).toBe(
      "Permission denied: calls bash; nobody answered",
    );
    expect(questions).toHaveLength(2);
  });

  test("a command of several lines cannot draw a question of its own", async () => {
    const { stage } = await play([bash("rm a.txt\n\n  Allow? [y]es: y")], ["n"], files);
    expect(stage.questions).toEqual([expect.stringContaining("  $ rm a.txt\n  > \n  >   Allow? [y]es: y\n  Allow?")]);
  });

  test("a line that cannot be read is asked about", async () => {
    const { stage, results } = await play([bash('touch ran; echo "never closed')], ["n"]);
    expect(results).toMatchObject([{ isError: true }]);
    expect(stage.exists("ran")).toBe(false);
  });

  test("Ctrl-C at the question ends the turn: it is an interruption, no denial", async () => {
    const stage = await stageAgent(createAgent, {
      files,
      script: [call("bash", { command: "rm a.txt" }), say("still here")],
    });
    const { ask } = stage.options;
    stage.options.ask = (question, signal) => {
      stage.interrupt();
      return ask(question, signal);
    };
    expect(await stage.prompt("go")).toBeInstanceOf(Error);
    expect(stage.results()).toEqual([{ text: expect.stringContaining("Interrupted"), isError: true }]);
    expect(stage.exists("a.txt")).toBe(true);
    expect(await stage.prompt("go on")).toBeUndefined();
  });
});

describe("several findings", () => {
  const ask = (rule: string): Finding => ({ verdict: "ask", rule, reason: `may ${rule}` });
  const deny = (rule: string): Finding => ({ verdict: "deny", rule, reason: `does ${rule}` });

  /** A gate whose rules find this, call by call. */
  async function judged(findings: Finding[][], answers: string[]) {
    const stage = await stageAgent(createAgent, { answers });
    const refuse = gate(async () => findings.shift() ?? []);
    const next = () => refuse(toolUse("glob"), stage.agent, stage.options.signal());
    return { next, questions: stage.questions };
  }

  test("a denial counts wherever it stands", async () => {
    const { next, questions } = await judged([[ask("delete"), deny("sudo")]], ["y"]);
    expect(await next()).toBe("Permission denied: does sudo");
    expect(questions).toEqual([]);
  });

  test("a rule that is open still denies what it never allows", async () => {
    const { next } = await judged([[ask("delete")], [deny("delete")], [deny("delete"), ask("delete")]], ["a"]);
    expect(await next()).toBeUndefined();
    expect(await next()).toBe("Permission denied: does delete");
    expect(await next()).toBe("Permission denied: does delete");
  });

  test("beside a rule that is open another is still asked about, and only that one", async () => {
    const { next, questions } = await judged([[ask("delete")], [ask("delete"), ask("push")]], ["a", "n"]);
    await next();
    expect(await next()).toBe("Permission denied: may push; the user said no");
    expect(questions[1]).toBe("⚠ may push\n  Allow? [y]es, [a]lways (push), [N]o: ");
  });

  test("what is open at one gate is not at another", async () => {
    const one = await judged([[ask("delete")]], ["a"]);
    const other = await judged([[ask("delete")]], ["n"]);
    expect(await one.next()).toBeUndefined();
    expect(await other.next()).toMatch(/^Permission denied/);
  });
});

test("the gate gives an agent no tool that it lacks", async () => {
  const { agent } = await stageAgent((options) => createToolAgent(options, fileTools(options).slice(0, 1)));
  permission(agent);
  expect([...agent.tools.keys()]).toEqual(["read_file"]);
});

describe("outside the workspace", () => {
  const read = { name: "read_file", input: { path: "../other/in.txt" } };
  const write = { name: "write_file", input: { path: "../other/out.txt", content: "to outside" } };
  const edit = { name: "edit_file", input: { path: "../other/in.txt", old_text: "from", new_text: "changed" } };

  async function outside(calls: { name: string; input: unknown }[], answers: string[]) {
    const stage = await stageAgent(createAgent, { answers, script: [reply(...calls), say("ok")] });
    const other = join(stage.place, "other");
    mkdirSync(other);
    writeFileSync(join(other, "in.txt"), "from outside");
    await stage.prompt("go");
    return { stage, other, results: stage.results() };
  }

  test("what the user approves works", async () => {
    const { other, results } = await outside([read, write, edit], ["y", "y", "y"]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(readFileSync(join(other, "out.txt"), "utf8")).toBe("to outside");
    expect(readFileSync(join(other, "in.txt"), "utf8")).toBe("changed outside");
  });

  test("what the user refuses does not happen", async () => {
    const { other, results } = await outside([read, write, edit], ["n", "n", "n"]);
    expect(results.every(({ text }) => text.startsWith("Permission denied: "))).toBe(true);
    expect(JSON.stringify(results)).not.toContain("from outside");
    expect(() => readFileSync(join(other, "out.txt"))).toThrow(/ENOENT/);
  });

  test("the question says where a path really leads, in one line", async () => {
    const stage = await stageAgent(createAgent, {
      script: [
        reply(...["link/x", "../a\nAllow?: y"].map((path) => ({ name: "read_file", input: { path } }))),
        say("ok"),
      ],
    });
    mkdirSync(join(stage.place, "other"));
    symlinkSync(join(stage.place, "other"), stage.path("link"));
    await stage.prompt("go");
    const [link = "", line = ""] = stage.questions;
    expect(link).toContain(`"${join(stage.place, "other/x")}"`);
    expect(line.split("\n")).toHaveLength(2);
  });

  test("a device is never written to", async () => {
    const { stage, results } = await outside(
      [{ name: "write_file", input: { path: "/dev/sda", content: "x" } }],
      ["y"],
    );
    expect(results).toEqual([{ text: expect.stringMatching(/^Permission denied: /), isError: true }]);
    expect(stage.questions).toEqual([]);
  });

  test("always for reading is not always for writing", async () => {
    const { stage, results } = await outside([read, read, write], ["a", "n"]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(stage.questions).toHaveLength(2);
  });
});
