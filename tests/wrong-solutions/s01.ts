import type { WrongSolution } from "../variants.ts";

const wrong = (name: string, noticedBy: string, body: string): WrongSolution => ({
  name,
  noticedBy,
  of: "agentLoop",
  body: `{${body}}`,
});

export const s01: WrongSolution[] = [
  wrong(
    "the model is taken once, before the loop",
    "asks the agent itself each time: a model that was replaced in the meantime is the one that replies",
    `const { model } = agent;
    while (true) {
      const calls = appendReply(messages, await model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "the tool is taken once, before the loop",
    "asks the agent itself each time: a tool that was replaced in the meantime is the one that runs",
    `const { tool } = agent;
    while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await tool(call));
    }`,
  ),
  wrong(
    "the tool is taken once for a round",
    "asks the agent itself each time: a tool that was replaced in the meantime is the one that runs",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      const { tool } = agent;
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await tool(call));
    }`,
  ),
  wrong(
    "the model gets a copy of the conversation",
    "hands the model the conversation itself: what is added to it there stays",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages: [...messages] }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "the conversation goes on in a copy",
    "ends when a reply asks for no tool",
    `const conversation = [...messages];
    while (true) {
      const calls = appendReply(conversation, await agent.model({ messages: conversation }));
      if (calls.length === 0) return;
      const results = [];
      conversation.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "it ends after ten rounds",
    "goes on for as long as the model asks",
    `for (let round = 0; round < 10; round++) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "each result is a message of its own",
    "runs the calls of a reply in order and answers all of them in one user message",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      for (const call of calls) messages.push({ role: "user", content: [await agent.tool(call)] });
    }`,
  ),
  wrong(
    "the calls run at the same time",
    "begins a call when the one before it has ended",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      results.push(...(await Promise.all(calls.map((call) => agent.tool(call)))));
    }`,
  ),
  wrong(
    "it goes on only if stop_reason says so",
    "looks at the calls of a reply, not at why it says it ended: some endpoints say end_turn beside a call",
    `while (true) {
      const reply = await agent.model({ messages });
      const calls = appendReply(messages, reply);
      if (reply.stop_reason !== "tool_use") return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "it ends only if stop_reason says so",
    "looks at the calls of a reply, not at why it says it ended: some endpoints say end_turn beside a call",
    `for (let round = 0; round < 100; round++) {
      const reply = await agent.model({ messages });
      const calls = appendReply(messages, reply);
      if (reply.stop_reason === "end_turn") return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "the results are added when all calls have run",
    "a call that throws leaves the results before it in the conversation",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      for (const call of calls) results.push(await agent.tool(call));
      messages.push({ role: "user", content: results });
    }`,
  ),
  wrong(
    "the reply is added as it came",
    "ends when a reply asks for no tool",
    `while (true) {
      const reply = await agent.model({ messages });
      messages.push({ role: "assistant", content: reply.content });
      const calls = reply.content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "only the first call of a reply is run",
    "runs the calls of a reply in order and answers all of them in one user message",
    `while (true) {
      const [call] = appendReply(messages, await agent.model({ messages }));
      if (!call) return;
      messages.push({ role: "user", content: [await agent.tool(call)] });
    }`,
  ),
  wrong(
    "a call that throws is answered, and the turn goes on",
    "a call that throws leaves the results before it in the conversation",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) {
        try {
          results.push(await agent.tool(call));
        } catch (error) {
          results.push(toolResult(call, failure(String(error))));
        }
      }
    }`,
  ),
  wrong(
    "a model that fails ends the turn in silence",
    "a model that fails ends the turn with its error",
    `while (true) {
      const reply = await agent.model({ messages }).catch(() => undefined);
      const calls = reply ? appendReply(messages, reply) : [];
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "it looks for the end after the results",
    "ends when a reply asks for no tool",
    `for (let calls = [undefined]; calls.length > 0; ) {
      calls = appendReply(messages, await agent.model({ messages }));
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "a reply that says something ends the turn",
    "runs the calls of a reply in order and answers all of them in one user message",
    `while (true) {
      const reply = await agent.model({ messages });
      const calls = appendReply(messages, reply);
      if (calls.length === 0 || reply.content.some(({ type }) => type === "text")) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.push(await agent.tool(call));
    }`,
  ),
  wrong(
    "each round is a turn of its own",
    "is one turn, however many rounds it takes: what stands around the turn is not called again",
    `const calls = appendReply(messages, await agent.model({ messages }));
    if (calls.length === 0) return;
    const results = [];
    messages.push({ role: "user", content: results });
    for (const call of calls) results.push(await agent.tool(call));
    return agent.turn(messages);`,
  ),
  wrong(
    "the results are in the wrong order",
    "runs the calls of a reply in order and answers all of them in one user message",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) results.unshift(await agent.tool(call));
    }`,
  ),
  wrong(
    "nobody waits for the results",
    "begins a call when the one before it has ended",
    `while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) void agent.tool(call).then((result) => results.push(result));
    }`,
  ),
  wrong(
    "the same call is run once",
    "runs the same call as often as it is asked for",
    `const known = new Map();
    while (true) {
      const calls = appendReply(messages, await agent.model({ messages }));
      if (calls.length === 0) return;
      const results = [];
      messages.push({ role: "user", content: results });
      for (const call of calls) {
        const key = call.name + JSON.stringify(call.input);
        if (!known.has(key)) known.set(key, await agent.tool(call));
        results.push({ ...known.get(key), tool_use_id: call.id });
      }
    }`,
  ),
];
