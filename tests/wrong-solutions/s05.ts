import type { WrongSolution } from "../variants.ts";

const ROUNDS = "if (calls.length > 0) rounds++;";
const WRITES = 'if (calls.some(({ name }) => name === "todo_write")) break;';
const PROMPT = 'const isPrompt = !blocks.some(({ type }) => type === "tool_result");';
const END = "if (isPrompt || textOf(message).includes(REMINDER)) break;";
const REPLACE = "agent.todos = input.todos;";
const PRINT = 'agent.options.emit({ type: "print", text: showTodos(agent.todos) });';
const GUIDE = "agent.prompt.planning = () => GUIDANCE;";
const WRAP = 'wrap(agent, "model", "todo reminder", (request, next) => {';
const LAST = "const last = request.messages.at(-1);";
const DUE = "if (roundsWithoutTodos(request.messages) >= PATIENCE && Array.isArray(last?.content)) {";
const PUSH = 'last.content.push({ type: "text", text: REMINDER });';

export const s05: WrongSolution[] = [
  {
    name: "calls are counted, not rounds",
    noticedBy: "counts rounds, not calls",
    changes: [[ROUNDS, "rounds += calls.length;"]],
  },
  {
    name: "replies without calls are counted",
    noticedBy: "0 after an answer without calls",
    changes: [[ROUNDS, "rounds++;"]],
  },
  {
    name: "a reply counts as todo_write only where that comes first",
    noticedBy: "0 after a reply with todo_write behind other calls",
    changes: [[WRITES, 'if (calls[0]?.name === "todo_write") break;']],
  },
  {
    name: "a reply counts as todo_write only where that is all",
    noticedBy: "0 after a reply with todo_write before other calls",
    changes: [[WRITES, 'if (calls.length > 0 && calls.every(({ name }) => name === "todo_write")) break;']],
  },
  { name: "todo_write is overlooked", noticedBy: "1 after a round after todo_write", changes: [[WRITES, ""]] },
  {
    name: "todo_write is a round of its own",
    noticedBy: "1 after a round after todo_write",
    changes: [[WRITES, `${WRITES.replace("break", "rounds++")}\n      ${WRITES}`]],
  },
  {
    name: "a prompt does not end the search",
    noticedBy: "1 after a round after a prompt",
    changes: [[END, "if (textOf(message).includes(REMINDER)) break;"]],
  },
  {
    name: "a prompt is a string",
    noticedBy: "1 after a prompt of several blocks",
    changes: [[PROMPT, 'const isPrompt = typeof message.content === "string";']],
  },
  {
    name: "text after results is a prompt",
    noticedBy: "1 after a round with other text after its results",
    changes: [[PROMPT, 'const isPrompt = textOf(message) !== "";']],
  },
  {
    name: "a result that quotes the reminder is one",
    noticedBy: "1 after a result that quotes the reminder",
    changes: [[END, "if (isPrompt || JSON.stringify(message).includes(REMINDER)) break;"]],
  },
  {
    name: "the reminder comes again each round",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [[END, "if (isPrompt) break;"]],
  },
  {
    name: "it counts from the beginning",
    noticedBy: "2 after two rounds",
    changes: [["messages.toReversed()", "messages"]],
  },
  {
    name: "it turns the conversation round",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [["messages.toReversed()", "messages.reverse()"]],
  },
  {
    name: "rounds are counted in a variable",
    noticedBy: "does not come while the list is kept, and waits three rounds after it was",
    changes: [
      [WRAP, `let rounds = -1;\n  ${WRAP}`],
      [DUE, "if (++rounds >= PATIENCE && Array.isArray(last?.content)) {\n      rounds = 0;"],
      [REPLACE, `${REPLACE}\n    agent.counted = 0;`],
    ],
  },
  {
    name: "rounds are counted in a variable that each prompt and todo_write set back",
    noticedBy:
      "is due by what the conversation says, not by what the agent has seen: as when it goes on after a restart",
    changes: [
      ["  const description", "  let rounds = 0;\n  const description"],
      [REPLACE, `rounds = -1;\n    ${REPLACE}`],
      [LAST, `${LAST}\n    rounds = Array.isArray(last?.content) ? rounds + 1 : 0;`],
      [DUE, "if (rounds >= PATIENCE && Array.isArray(last?.content)) {\n      rounds = 0;"],
    ],
  },
  {
    name: "the reminder goes into a copy",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [
      [
        PUSH,
        'request = { ...request, messages: [...request.messages.slice(0, -1), { ...last, content: [...last.content, { type: "text", text: REMINDER }] }] };',
      ],
    ],
  },
  {
    name: "the reminder stands before the results",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [[PUSH, PUSH.replace("push", "unshift")]],
  },
  {
    name: "the reminder is a message of its own",
    noticedBy: "stands behind the results, in the same message, and stays in the conversation",
    changes: [[PUSH, 'request.messages.push({ role: "user", content: REMINDER });']],
  },
  {
    name: "the reminder is a section of the prompt",
    noticedBy:
      "is due by what the conversation says, not by what the agent has seen: as when it goes on after a restart",
    changes: [[PUSH, "agent.prompt.reminder = () => REMINDER;"]],
  },
  {
    name: "the reminder comes with every round",
    noticedBy: "does not come while the list is kept, and waits three rounds after it was",
    changes: [[DUE, DUE.replace(">= PATIENCE", ">= 1")]],
  },
  {
    name: "the reminder comes a round late",
    noticedBy:
      "is due by what the conversation says, not by what the agent has seen: as when it goes on after a restart",
    changes: [[DUE, DUE.replace(">=", ">")]],
  },
  {
    name: "the reminder comes a round early",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [[DUE, DUE.replace("PATIENCE", "PATIENCE - 1")]],
  },
  {
    name: "the reminder comes only where there is a list",
    noticedBy:
      "is due by what the conversation says, not by what the agent has seen: as when it goes on after a restart",
    changes: [[DUE, DUE.replace("if (", "if (agent.todos.length > 0 && ")]],
  },
  {
    name: "the reminder comes behind the reply",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [
      ["(request, next) => {\n", "async (request, next) => {\n    const reply = await next(request);\n"],
      ["return next(request);", "return reply;"],
    ],
  },
  {
    name: "the reminder waits for a list that is not done",
    noticedBy: "comes with the fourth request, and again after three more rounds",
    changes: [[DUE, DUE.replace("if (", 'if (agent.todos.some(({ status }) => status !== "completed") && ')]],
  },
  {
    name: "the list is added to",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [[REPLACE, "agent.todos.push(...input.todos);"]],
  },
  {
    name: "the list is kept for all agents",
    noticedBy: "two agents have two lists",
    changes: [
      [REPLACE, "agent.todos = input.todos;\n    globalThis.__todos = agent.todos;"],
      [
        GUIDE,
        `${GUIDE}\n  Object.defineProperty(agent, "todos", { get: () => globalThis.__todos ?? [], set: (list) => void (globalThis.__todos = list) });`,
      ],
    ],
  },
  {
    name: "the list is not shown",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [[PRINT, ""]],
  },
  {
    name: "the old list is shown",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [
      [REPLACE, ""],
      [PRINT, `${PRINT}\n    ${REPLACE}`],
    ],
  },
  {
    name: "the list is shown in the model's words",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [[PRINT, 'agent.options.emit({ type: "text", text: showTodos(agent.todos) });']],
  },
  {
    name: "the answer does not say how many",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [["return `Updated ${agent.todos.length} tasks`;", 'return "Updated";']],
  },
  {
    name: "the guidance takes the prompt's place",
    noticedBy: "the prompt advises to plan, and still names the workspace",
    changes: [
      [GUIDE, "for (const name in agent.prompt) delete agent.prompt[name];\n  agent.prompt.planning = () => GUIDANCE;"],
    ],
  },
  {
    name: "there is no guidance",
    noticedBy: "the prompt advises to plan, and still names the workspace",
    changes: [[GUIDE, ""]],
  },
  {
    name: "the guidance is no section named planning",
    noticedBy: "the prompt advises to plan, and still names the workspace",
    changes: [[GUIDE, "agent.prompt.todos = () => GUIDANCE;"]],
  },
  {
    name: "anything is a list",
    noticedBy: "takes JSON text for what it means",
    changes: [["z.object({ todos })", "z.object({ todos: z.any() })"]],
  },
  {
    name: "the tool has another name",
    noticedBy: "replaces the list, shows it and says how many there are",
    changes: [['agent.tools.set("todo_write", tool);', 'agent.tools.set("todos", tool);']],
  },
];
