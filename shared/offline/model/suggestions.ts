/** Prompts worth trying, each with the tools it needs; the later ones show more of the harness. */
import type { Language } from "./phrases.ts";

const SUGGESTIONS: { tools: string[]; prompt: Record<Language, string> }[] = [
  {
    tools: ["todo_write", "bash"],
    prompt: {
      en: "Write sum.js that adds two numbers, write a test for it and run the test",
      zh: "写一个把两个数相加的 sum.js，再为它写一个测试，然后运行测试",
      ja: "2つの数を足す sum.js を書いて、テストを書いて、テストを実行して",
    },
  },
  {
    tools: ["read_file"],
    prompt: {
      en: "Read package.json and tell me what this project is",
      zh: "读取 package.json，告诉我这个项目是做什么的",
      ja: "package.json を読んで、何のプロジェクトか教えて",
    },
  },
  {
    tools: ["write_file", "read_file"],
    prompt: {
      en: "Create greet.js that prints hello, then read it back",
      zh: "创建一个打印 hello 的 greet.js，然后读出来看看",
      ja: "hello と表示する greet.js を作って、それから読み返して",
    },
  },
  {
    tools: ["glob"],
    prompt: {
      en: "Find all TypeScript files in this folder",
      zh: "找出这个文件夹里所有的 TypeScript 文件",
      ja: "このフォルダーの TypeScript ファイルを全部探して",
    },
  },
  {
    tools: ["bash"],
    prompt: {
      en: "What files are in this folder?",
      zh: "这个文件夹里有哪些文件？",
      ja: "このフォルダーにはどんなファイルがありますか？",
    },
  },
  {
    tools: ["bash"],
    prompt: {
      en: "Create a file hello.js that prints Hello, World!, then run it",
      zh: "创建一个打印 Hello, World! 的文件 hello.js，然后运行它",
      ja: "Hello, World! と表示する hello.js を作って、実行して",
    },
  },
  {
    tools: ["bash"],
    prompt: {
      en: "Which git branch am I on?",
      zh: "我现在在哪个 git 分支？",
      ja: "今どの git ブランチにいますか？",
    },
  },
];

/** Three prompts that the offered tools are enough for; none when no tool is offered. */
export function suggestionsFor(tools: ReadonlySet<string>, language: Language): string[] {
  return SUGGESTIONS.filter((suggestion) => suggestion.tools.every((tool) => tools.has(tool)))
    .slice(0, 3)
    .map((suggestion) => suggestion.prompt[language]);
}
