/** Prompts worth trying, in groups by the tools they show. */
import type { Language } from "./phrases.ts";

interface Group {
  tools: string[];
  prompts: Record<Language, string>[];
}

/** The later chapter's group stands first. */
const GROUPS: Group[] = [
  {
    tools: ["todo_write", "write_file", "bash"],
    prompts: [
      {
        en: "Write sum.js that adds two numbers, write a test for it and run the test",
        zh: "写一个把两个数相加的 sum.js，再为它写一个测试，然后运行测试",
        ja: "2つの数を足す sum.js を書いて、テストを書いて、テストを実行して",
      },
      {
        en: "Create a folder demo with index.js, utils.js and a README.md",
        zh: "创建文件夹 demo，里面有 index.js、utils.js 和 README.md",
        ja: "index.js、utils.js、README.md を含む demo フォルダーを作って",
      },
      {
        en: "Count the lines of README.md and package.json, one command at a time",
        zh: "统计 README.md 和 package.json 的行数，一次执行一个命令",
        ja: "README.md、package.json の行数を1つずつコマンドで数えて",
      },
      {
        en: "Read package.json and tell me what this project is",
        zh: "读取 package.json，告诉我这个项目是做什么的",
        ja: "package.json を読んで、何のプロジェクトか教えて",
      },
    ],
  },
  {
    tools: ["read_file", "write_file", "glob", "bash"],
    prompts: [
      {
        en: "Read package.json and tell me what this project is",
        zh: "读取 package.json，告诉我这个项目是做什么的",
        ja: "package.json を読んで、何のプロジェクトか教えて",
      },
      {
        en: "Create greet.js that prints hello, then read it back",
        zh: "创建一个打印 hello 的 greet.js，然后读出来看看",
        ja: "hello と表示する greet.js を作って、それから読み返して",
      },
      {
        en: "Find all TypeScript files in this folder",
        zh: "找出这个文件夹里所有的 TypeScript 文件",
        ja: "このフォルダーの TypeScript ファイルを全部探して",
      },
      {
        en: "What files are in this folder?",
        zh: "这个文件夹里有哪些文件？",
        ja: "このフォルダーにはどんなファイルがありますか？",
      },
    ],
  },
  {
    tools: ["bash"],
    prompts: [
      {
        en: "What files are in this folder?",
        zh: "这个文件夹里有哪些文件？",
        ja: "このフォルダーにはどんなファイルがありますか？",
      },
      {
        en: "Create a file hello.js that prints Hello, World!, then run it",
        zh: "创建一个打印 Hello, World! 的文件 hello.js，然后运行它",
        ja: "Hello, World! と表示する hello.js を作って、実行して",
      },
      {
        en: "Which git branch am I on?",
        zh: "我现在在哪个 git 分支？",
        ja: "今どの git ブランチにいますか？",
      },
      {
        en: "Show the last 3 commits",
        zh: "显示最近 3 次提交",
        ja: "直近3件のコミットを見せて",
      },
    ],
  },
];

/** Three prompts that the offered tools are enough for, other ones for another prompt; none when no tool is offered. */
export function suggestionsFor(tools: ReadonlySet<string>, language: Language, prompt: string): string[] {
  const group = GROUPS.find((candidate) => candidate.tools.every((tool) => tools.has(tool)));
  const all = group?.prompts ?? [];
  const start = prompt.length % (all.length || 1);
  return [...all.slice(start), ...all.slice(0, start)].slice(0, 3).map((one) => one[language]);
}
