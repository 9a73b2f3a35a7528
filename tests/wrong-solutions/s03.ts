import type { WrongSolution } from "../variants.ts";

const NEVER = 'const never = findings.find(({ verdict }) => verdict === "deny");';
const ASKED = "const asked = findings.filter(({ rule }) => !opened.has(rule));";
const CHOICE = "const choice = answer?.trim().toLowerCase();";
const ALWAYS = 'if (choice === "a" || choice === "always")';
const OPEN = "for (const { rule } of asked) opened.add(rule);";
const YES = 'else if (choice !== "y" && choice !== "yes")';
const QUESTION = "const answer = await agent.options.ask(question, signal);";

export const s03: WrongSolution[] = [
  {
    name: "an opened rule lets a denial through",
    noticedBy: "a rule that is open still denies",
    changes: [
      [
        NEVER,
        NEVER.replace("=> verdict", "=> verdict")
          .replace("{ verdict }", "{ verdict, rule }")
          .replace('"deny"', '"deny" && !opened.has(rule)'),
      ],
    ],
  },
  {
    name: "what is all open is let through before the denials are looked at",
    noticedBy: "a rule that is open still denies",
    changes: [
      [
        NEVER,
        `if (findings.length > 0 && findings.every(({ rule }) => opened.has(rule))) return undefined;\n    ${NEVER}`,
      ],
    ],
  },
  {
    name: "only the first finding is looked at",
    noticedBy: "a denial counts wherever it stands",
    changes: [
      ["const findings = await judge(call, agent);", "const findings = (await judge(call, agent)).slice(0, 1);"],
    ],
  },
  {
    name: "a denial counts only where it comes first",
    noticedBy: "a denial counts wherever it stands",
    changes: [[NEVER, 'const never = findings[0]?.verdict === "deny" ? findings[0] : undefined;']],
  },
  {
    name: "a denial is asked about",
    noticedBy: "a denial counts wherever it stands",
    changes: [["if (never) return", "if (never && (await agent.options.ask(never.reason, signal)) !== 'y') return"]],
  },
  {
    name: "an agent gets tools that it lacks",
    noticedBy: "the gate gives an agent no tool that it lacks",
    changes: [["if (tools.has(tool.definition.name)) tools.set", "tools.set"]],
  },
  {
    name: "yes opens the rule",
    noticedBy: "yes holds for one call, always for its rule",
    changes: [[ALWAYS, 'if (["a", "always", "y", "yes"].includes(choice))']],
  },
  {
    name: "whatever begins with y is a yes",
    noticedBy: '"yesterday" is a no',
    changes: [[YES, 'else if (!choice?.startsWith("y"))']],
  },
  {
    name: "whatever begins with a means always",
    noticedBy: '"abort" is a no',
    changes: [[ALWAYS, 'if (choice?.startsWith("a"))']],
  },
  {
    name: "always is not understood as a word",
    noticedBy: '"always" lets the call through',
    changes: [[ALWAYS, 'if (choice === "a")']],
  },
  {
    name: "yes is not understood as a word",
    noticedBy: '"yes" lets the call through',
    changes: [[YES, 'else if (choice !== "y")']],
  },
  {
    name: "an empty answer is a yes",
    noticedBy: '"" is a no',
    changes: [[YES, 'else if (choice !== "" && choice !== "y" && choice !== "yes")']],
  },
  {
    name: "nobody's answer is a yes",
    noticedBy: "undefined is a no",
    changes: [[YES, 'else if (choice !== undefined && choice !== "y" && choice !== "yes")']],
  },
  {
    name: "capitals and blanks are no answer",
    noticedBy: '" Y " lets the call through',
    changes: [[CHOICE, "const choice = answer;"]],
  },
  {
    name: "the question is asked twice",
    noticedBy: "a line with several things to ask about asks once",
    changes: [[QUESTION, `await agent.options.ask(question, signal);\n    ${QUESTION}`]],
  },
  {
    name: "each finding is a question",
    noticedBy: "a line with several things to ask about asks once",
    changes: [
      [
        QUESTION,
        "let answer;\n    for (const { reason } of asked) answer = await agent.options.ask(`${question}${reason}`, signal);",
      ],
    ],
  },
  {
    name: "always opens the first rule alone",
    noticedBy: "always opens every rule of the question",
    changes: [[OPEN, "opened.add(asked[0].rule);"]],
  },
  {
    name: "always opens this very call",
    noticedBy: "yes holds for one call, always for its rule",
    changes: [[OPEN, "for (const { reason } of asked) opened.add(reason);"]],
  },
  {
    name: "always opens all that is asked about",
    noticedBy: "other rules need no other gate",
    changes: [[ASKED, "const asked = opened.size > 0 ? [] : findings;"]],
  },
  {
    name: "one open rule opens the whole line",
    noticedBy: "beside a rule that is open another is still asked about",
    changes: [[ASKED, "const asked = findings.some(({ rule }) => opened.has(rule)) ? [] : findings;"]],
  },
  {
    name: "the question names rules that are open",
    noticedBy: "beside a rule that is open another is still asked about",
    changes: [["const reasons = asked.map", "const reasons = findings.map"]],
  },
  {
    name: "the question offers to open rules that are open",
    noticedBy: "beside a rule that is open another is still asked about",
    changes: [["const rules = asked.map", "const rules = findings.map"]],
  },
  {
    name: "what is opened is open for every gate",
    noticedBy: "what is open at one gate is not at another",
    changes: [["const opened = new Set<string>();", "const opened = (globalThis.__opened ??= new Set<string>());"]],
  },
  {
    name: "the question outlives Ctrl-C",
    noticedBy: "Ctrl-C at the question ends the turn",
    changes: [[QUESTION, QUESTION.replace(", signal", ", new AbortController().signal")]],
  },
  {
    name: "Ctrl-C at the question is a no",
    noticedBy: "Ctrl-C at the question ends the turn",
    changes: [[QUESTION, QUESTION.replace(";", '.catch(() => "n");')]],
  },
  {
    name: "the command is cut",
    noticedBy: "a long command is shown to its end",
    changes: [["const command = commandOf(call); //", "const command = commandOf(call)?.slice(0, 80); //"]],
  },
  {
    name: "the command may draw a question of its own",
    noticedBy: "a command of several lines cannot draw",
    changes: [['command.replaceAll("\\n", "\\n  > ")', "command"]],
  },
  {
    name: "only the first line break is marked",
    noticedBy: "a command of several lines cannot draw",
    changes: [['command.replaceAll("\\n",', 'command.replace("\\n",']],
  },
  {
    name: "nobody's answer is the user's",
    noticedBy: "undefined is a no",
    changes: [['"nobody answered"', '"the user said no"']],
  },
];
