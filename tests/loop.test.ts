/** "The loop of s01 is never edited again": taken at its word. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { call, stageAgent, say } from "../shared/test-kit.ts";
import { countLines, findChapters } from "../shared/course/chapters.ts";
import { importChapter } from "../shared/course/live-agent.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { expect, test } from "vitest";

const chapters = findChapters();

test.each(chapters)("each model call of a turn in $name is asked for by s01's agentLoop", async (chapter) => {
  const { createAgent } = await importChapter(chapter);
  const stage = await stageAgent(createAgent, { script: [call("bash", { command: "true" }), say("done")] });
  const { model } = stage.agent;
  const callers: string[] = [];
  stage.agent.model = (request) => {
    // Who calls the agent's outermost `model` is the loop, whatever is wrapped around it.
    callers.push(new Error().stack?.split("\n")[2] ?? "nobody");
    return model(request);
  };
  expect(await stage.prompt("go")).toBeUndefined();
  expect(callers.map(placeOf)).toEqual(["agentLoop chapters/s01/code.ts", "agentLoop chapters/s01/code.ts"]);
});

test("s01 is read in one sitting", () => {
  const [s01] = chapters;
  expect(countLines(readFileSync(s01?.code ?? "", "utf8"))).toBeLessThanOrEqual(65);
});

/** "agentLoop chapters/s01/code.ts", of a line of a stack. */
function placeOf(line: string): string {
  const [, name, path = ""] = /at (?:async )?(\S+) \((.+?)(?::\d+)+\)/.exec(line) ?? [];
  return `${name} ${relative(repositoryRoot, path)}`;
}
