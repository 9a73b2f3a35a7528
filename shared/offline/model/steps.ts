/** Steps for wishes: what a row's `run`, `call` or `does` comes to. */
import { createSteps, FILE_STEPS } from "./file-steps.ts";
import { quote, shellPath } from "./hands.ts";
import { LOOK_STEPS } from "./look-steps.ts";
import { arithmetic, arithmeticTest, operationIn, runCommand, testPath } from "./programs.ts";
import { fixTests, runTests, whyTestsFail } from "./repair.ts";
import { excerpt } from "./results.ts";
import { fileOf, once, step, type Context, type Make } from "./step-kit.ts";
import type { Wish } from "./understand.ts";
import { attempt, Failed, type Means, type Step, type Work } from "./work.ts";
import { fenced, isTextName, type TextName } from "./words.ts";

/** The steps for a wish; undefined when it speaks of something that nothing was said about. */
export function stepsFor(wish: Wish, context: Context, means: Means): Step[] | undefined {
  const { row, lists } = wish;
  const make = row.does === undefined ? (row.run === undefined ? callStep : runStep) : STEPS[row.does];
  if (!make) throw new Error(`steps.ts knows no ${row.does}`);
  for (const names of Object.values(lists)) {
    const it = names.indexOf("");
    if (it >= 0 && context.file === undefined) return undefined;
    if (it >= 0) names[it] = context.file ?? "";
  }
  const steps = make(wish, means, context);
  context.file = lists.to?.at(-1) ?? lists.file?.at(-1) ?? lists.files?.at(-1) ?? context.file;
  return steps;
}

const runStep: Make = ({ row, slots, lists }, { hands, tell }) => {
  const line = (row.run ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "number" ? numberIn(slots.number) : quote(lists[name]?.[0] ?? slots[name] ?? ""),
  );
  if (/ -[A-Za-z]$/.test(slots.name ?? "") || slots.name?.startsWith("-")) return undefined;
  const about = row.about !== undefined && isTextName(row.about) ? tell(row.about) : `\`${line}\``;
  return [
    once(
      row.about === undefined ? "run" : "check",
      about,
      () => hands.run(line),
      (output) => {
        const text = excerpt(output);
        if (row.answer === "branch") return text === "" ? tell("onNoBranch") : tell("onBranch", text);
        if (row.answer === "changes") return text === "" ? tell("noChanges") : tell("changes", fenced(text));
        if (row.answer === "made") return tell("made", slots.name ?? "");
        return text === "" ? tell("silent", line) : tell("answer", fenced(text));
      },
    ),
  ];
};

const callStep: Make = ({ row, slots }, { hands, tell }) => {
  const shape: Record<string, string> = JSON.parse(row.call ?? "{}");
  const input = Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [
      name,
      value.replaceAll(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? ""),
    ]),
  );
  return [
    once(
      "use",
      Object.values(input).join(" "),
      () => hands.other(input),
      (output) => tell("answer", fenced(excerpt(output))),
    ),
  ];
};

const NUMBERS: Record<string, string> = {
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  ten: "10",
  一: "1",
  二: "2",
  两: "2",
  三: "3",
  四: "4",
  五: "5",
  六: "6",
  七: "7",
  八: "8",
  九: "9",
  十: "10",
};

const numberIn = (word = "5"): string => NUMBERS[word.toLowerCase()] ?? word;

const talk =
  (name: TextName): Make =>
  (_, { tell }) => [{ verb: "check", object: "", improvised: true, work: saying(tell(name)) }];

const saying = (text: string) =>
  // oxlint-disable-next-line require-yield -- a step that needs no call
  function* (): Work<string> {
    return text;
  };

const commandStep: Make = ({ slots }, { hands, tell }) => {
  const named = slots.command ?? slots.bare ?? (slots.sudo === undefined ? "" : `sudo ${slots.sudo}`);
  const given = /^[\w-]+\.(?:[cm]?[jt]s|py|sh)$/.test(named) ? runCommand(named, named) : named;
  const line = given.replace(/(?<=[\p{L}\p{N}"'])[.。]$/u, "");
  return [
    step("run", `\`${line}\``, function* () {
      const [outcome] = yield* attempt([hands.run(line)]);
      if (outcome?.failed) throw new Failed([outcome]);
      const output = excerpt(outcome?.output ?? "");
      return output === "" ? tell("silent", line) : tell("printed", line, fenced(output));
    }),
  ];
};

const runFile = (file: string, wish: Wish, means: Means, context: Context): Step[] | undefined =>
  commandStep({ ...wish, slots: { command: runCommand(file, shellPath(file)) } }, means, context);

/** By the rows' `does`. */
const STEPS: Record<string, Make | undefined> = {
  ...FILE_STEPS,
  ...LOOK_STEPS,
  program({ slots, lists }, means, context) {
    const [path] = lists.file ?? [];
    if (path === undefined || !/\.[cm]?[jt]s$/.test(path)) return undefined;
    context.operation = operationIn(slots.op ?? "");
    return createSteps([{ path, text: arithmetic(path, context.operation) }], means);
  },
  test(wish, means, context) {
    const file = fileOf(wish, context);
    const { operation } = context;
    if (file === undefined || operation === undefined || file !== context.file) return undefined;
    wish.lists.to = [testPath(file)];
    return createSteps([{ path: testPath(file), text: arithmeticTest(file, operation) }], means);
  },
  runTest(wish, means, context) {
    const { file } = context;
    return file !== undefined && /\.test\.\w+$/.test(file) ? runFile(file, wish, means, context) : [runTests(means)];
  },
  runFile(wish, means, context) {
    const file = fileOf(wish, context);
    return file === undefined ? undefined : runFile(file, wish, means, context);
  },
  runTests: (_, means) => [runTests(means)],
  whyFail: (_, means) => [whyTestsFail(means)],
  fix: (_, means) => [fixTests(means)],
  command: commandStep,
  nothing: () => [],
  hello: talk("hello"),
  leave: talk("leave"),
  bye: talk("bye"),
  welcome: talk("welcome"),
  tools: (_, { tell, hands }) => [
    {
      verb: "check",
      object: "",
      work: saying(hands.names.length > 0 ? tell("tools", hands.names.join(", ")) : tell("noTools")),
    },
  ],
};
