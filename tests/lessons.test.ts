/** Lessons do not lie: what they show of the code is in it, what they tell one to type works, in all three languages. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { findChapters, partsOf } from "../shared/course/chapters.ts";
import { offlineModel } from "../shared/offline/model.ts";
import { repositoryRoot } from "../shared/settings.ts";
import { makeWorkspace, serve, startChapter } from "./chapter-process.ts";
import { inOrder, isSnippetOf, lengthOf, readLesson, structureOf, type Session } from "./lesson.ts";

const LANGUAGES = ["README.md", "README.zh.md", "README.ja.md"];
const read = (...path: string[]) => readFileSync(join(...path), "utf8");

const chapters = findChapters();
const chaptersWithLesson = chapters.filter(({ folder }) => existsSync(join(folder, "README.md")));
const folders = [repositoryRoot, ...chaptersWithLesson.map(({ folder }) => folder)];
const pages = folders.flatMap((folder) =>
  LANGUAGES.map((name) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => ({ page: relative(repositoryRoot, file), file })),
);

describe("reading a lesson", () => {
  const LESSON = `# s99 · An example

## See it fail

\`\`\`console
$ echo hi > a.txt
$ pnpm tsx chapters/s98/code.ts "go"
● bash
…
  done
\`\`\`

See [the code](code.ts#L5) and \`pnpm diff s01 s02\`.

\`\`\`ts
const shown = 1;
\`\`\`

## Try it

\`\`\`sh
pnpm tsx chapters/s99/code.ts  # a comment
# no heading
\`\`\`

1. \`Say hi\` → \`hi\` — in words.
2. \`Delete it\` ⌨ \`y\` ⌨ \`n\` → \`● bash\` → \`gone\` — \`not this\`.

## What changed

1. \`no prompt\` → \`nothing\`
`;

  test("finds what it is made of", () => {
    expect(readLesson(LESSON)).toEqual({
      headings: ["#", "##", "##", "##"],
      blocks: [
        {
          language: "console",
          text: '$ echo hi > a.txt\n$ pnpm tsx chapters/s98/code.ts "go"\n● bash\n…\n  done\n',
        },
        { language: "ts", text: "const shown = 1;\n" },
        { language: "sh", text: "pnpm tsx chapters/s99/code.ts  # a comment\n# no heading\n" },
      ],
      links: ["code.ts"],
      commands: ["pnpm tsx chapters/s99/code.ts", "pnpm diff s01 s02"],
      sessions: [
        {
          section: "See it fail",
          steps: [
            { command: "echo hi > a.txt", seen: [] },
            { command: 'pnpm tsx chapters/s98/code.ts "go"', seen: ["● bash", "done"] },
          ],
        },
      ],
      attempts: [
        { prompt: "Say hi", answers: [], seen: ["hi"] },
        { prompt: "Delete it", answers: ["y", "n"], seen: ["● bash", "gone"] },
      ],
    });
  });

  test("a translation has the same structure, in other words", () => {
    const translation = LESSON.replace("An example", "一个例子")
      .replace("## Try it", "## 试一试")
      .replace("# a comment", "# 注释")
      .replace("Say hi", "说你好");
    expect(structureOf(translation)).toEqual(structureOf(LESSON));
  });

  test.each([
    ["a heading", "## What changed", "What changed"],
    ["a snippet", "shown = 1", "shown = 2"],
    ["a command", "tsx chapters/s99", "tsx chapters/s98"],
    ["a command in the text", "pnpm diff s01 s02", "pnpm diff s02 s03"],
    ["a link", "](code.ts#L5)", "](text.ts)"],
    ["a prompt", "1. `Say hi`", "Say hi"],
    ["an answer", " ⌨ `n`", ""],
    ["what is to be seen", " → `gone`", ""],
  ])("a translation that differs in %s has not", (_what, words, others) => {
    expect(LESSON).toContain(words);
    expect(structureOf(LESSON.replace(words, others))).not.toEqual(structureOf(LESSON));
  });

  const file = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
  test.each([
    ["whole lines", "  return 1;\n}\n", true],
    ["other white space", "function one() { return 1; }", true],
    ["lines left out", "function one() {\n  // …\n  return 2;\n…\n}", true],
    ["the wrong order", "return 2;\n// …\nreturn 1;", false],
    ["one part twice", "function two() {\n…\nfunction two() {", false],
    ["another word", "function one() {\n  return 3;", false],
    ["nothing but an omission", "// …", false],
  ])("a snippet with %s", (_what, snippet, right) => {
    expect(isSnippetOf(snippet, ["// another file\n", file])).toBe(right);
  });
});

describe.each(chaptersWithLesson)("the lesson of $name", (chapter) => {
  // Its own program and those of the chapters before.
  const sources = chapters
    .filter(({ name }) => name <= chapter.name)
    .flatMap((one) => ["code.ts"].concat(partsOf(one).map(({ name }) => name)).map((name) => read(one.folder, name)));
  const languages = LANGUAGES.filter((name) => existsSync(join(chapter.folder, name)));

  test.each(languages)("%s shows code that is there", (name) => {
    const snippets = readLesson(read(chapter.folder, name)).blocks.filter(({ language }) => language === "ts");
    expect(snippets.filter(({ text }) => !isSnippetOf(text, sources))).toEqual([]);
  });

  test.each(languages)("%s proposes prompts that do what it says", { timeout: 60_000 }, async (name) => {
    const { attempts } = readLesson(read(chapter.folder, name));
    expect(attempts.length).toBeGreaterThanOrEqual(2);
    const { url } = await serve(offlineModel);
    const run = startChapter(chapter.name, { workspace: smallCopy(), url });
    run.end(attempts.flatMap(({ prompt, answers }) => [prompt, ...answers]).join("\n"));
    const { code, stdout } = await run.ended;
    const missing = inOrder(
      attempts.flatMap(({ seen }) => seen),
      stdout,
    );
    expect({ code, missing, stdout }).toEqual({ code: 0, missing: undefined, stdout });
  });
});

describe.each(
  chaptersWithLesson.flatMap(({ name, folder }) =>
    LANGUAGES.filter((file) => existsSync(join(folder, file))).map((file) => ({ name, page: join(folder, file) })),
  ),
)("what $page shows of a terminal", ({ page }) => {
  const { sessions } = readLesson(read(page));

  test("is how it fails, how it works then, and what still goes wrong", () => {
    expect(sessions.length).toBeGreaterThanOrEqual(2);
  });

  test("happens", { timeout: 120_000 }, async () => {
    const played = await Promise.all(
      sessions.map(async ({ section, steps }) => ({ section, failed: await play(steps) })),
    );
    expect(played.filter(({ failed }) => failed !== undefined)).toEqual([]);
  });
});

/** Runs the commands of a session in one folder. @returns the first that does not show what the lesson says */
async function play(steps: Session["steps"]) {
  const workspace = smallCopy();
  for (const { command, seen } of steps) {
    const shown = await onTerminal(command, workspace);
    const missing = inOrder(seen, shown);
    if (missing !== undefined) return { command, missing, shown };
  }
  return undefined;
}

/** What a lesson's reader sees of a command, in a folder like the repository and without a key. */
async function onTerminal(command: string, cwd: string): Promise<string> {
  const tsx = join(repositoryRoot, "node_modules/.bin/tsx");
  const line = command.replaceAll("pnpm tsx chapters/", `${tsx} ${join(repositoryRoot, "chapters")}/`);
  const { PATH, HOME } = process.env;
  const { stdout, stderr } = await execute("bash", ["-c", line], { cwd, env: { PATH, HOME, OFFLINE_PACE: "0" } });
  return stdout + stderr;
}
const execute = (file: string, words: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const child = execFile(file, words, options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    child.stdin?.end();
  });

/** Words that stand for another one of the glossary. */
const BANNED: Record<string, RegExp> = {
  "README.md": /\bwill not hear of\b|\bno luck\b/,
  "README.zh.md": /登记|答复|打发|违禁|落单的代理/,
  "README.ja.md": /返事|端末|断[るりっ]|訊[くいか]|抱えて|手順\d/,
};

/** The recipe's length: 15 minutes of reading. */
const LENGTH: Record<string, [language: string, least: number, most: number]> = {
  "README.md": ["en", 900, 1200],
  "README.zh.md": ["zh", 1500, 2600],
  "README.ja.md": ["ja", 2100, 3300],
};

describe.each(LANGUAGES)("every %s", (name) => {
  test.each(chaptersWithLesson)("of $name is as long as one reads in a quarter of an hour", ({ folder }) => {
    const text = read(folder, name);
    const [language, least, most] = LENGTH[name] ?? ["en", 0, 0];
    expect(lengthOf(text, language)).toBeGreaterThanOrEqual(least);
    expect(lengthOf(text, language)).toBeLessThanOrEqual(most);
    const code = readLesson(text).blocks.filter((block) => block.language === "ts");
    expect(code.flatMap((block) => block.text.trim().split("\n")).length).toBeLessThanOrEqual(60);
    const paragraphs = text.replaceAll(/<details>[^]*?<\/details>|^```[^]*?^```$/gm, "").split("\n\n");
    const tooLong = paragraphs.filter((one) => !/^[|>-]/.test(one) && one.split(/\s+/).length > 90);
    expect(tooLong).toEqual([]); // Chinese and Japanese have no spaces to count
  });

  test.each(folders.map((folder) => ({ page: relative(repositoryRoot, join(folder, name)), folder })))(
    "uses the glossary's words: $page",
    ({ folder }) => expect(BANNED[name]?.exec(read(folder, name))?.[0]).toBeUndefined(),
  );
});

describe("the languages", () => {
  test("every page is there in all of them", () => {
    const wanted = folders.flatMap((folder) => LANGUAGES.map((name) => relative(repositoryRoot, join(folder, name))));
    expect(wanted.filter((page) => !pages.some((one) => one.page === page))).toEqual([]);
  });

  const translations = pages.filter(({ file }) => basename(file) !== "README.md");
  test.each(translations)("$page has the structure of README.md", ({ file }) => {
    expect(structureOf(read(file))).toEqual(structureOf(read(dirname(file), "README.md")));
  });
});

describe.each(pages)("$page", ({ file }) => {
  const { links, commands } = readLesson(read(file));

  test("has links that lead somewhere", () => {
    const local = links.filter((link) => !/^\w+:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(file), link)))).toEqual([]);
  });

  test("names commands that there are", () => {
    expect(commands.filter((command) => !isCommand(command))).toEqual([]);
  });
});

/** Does `pnpm …` name a script or a program of the repository, and files and chapters that exist? */
function isCommand(command: string): boolean {
  const [name = "", ...words] = command.replace(/^npx /, "").split(/\s+/).slice(1);
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read(repositoryRoot, "package.json"));
  const known = name in scripts || existsSync(join(repositoryRoot, "node_modules/.bin", name)) || name === "install";
  const missing = words.filter((word) => {
    if (/^s\d\d$/.test(word)) return !chapters.some((chapter) => chapter.name === word);
    if (/^chapters\/s\d\d\/exercise\.ts$/.test(word)) return false; // the reader makes it
    return word.startsWith("chapters/") && !existsSync(join(repositoryRoot, word));
  });
  return known && missing.length === 0;
}

/** A folder like the repository, but small: what the lessons' prompts speak of, in git with one commit. */
function smallCopy(): string {
  const names = ["package.json", "README.md", "LICENSE", "tsconfig.json", "chapters/s01/code.ts"];
  const workspace = makeWorkspace(Object.fromEntries(names.map((name) => [name, read(repositoryRoot, name)])));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], { cwd: workspace });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=start");
  return workspace;
}
