import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { MessageCreateParams, MessageParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { offlineModel } from "./model.ts";
import type { Step } from "./script.ts";

const S01 = ["bash"];
const S02 = [...S01, "read_file", "write_file", "edit_file", "glob"];
const S05 = [...S02, "todo_write"];
const OFFERS = [S01, S02, S05];

function requestFor(messages: MessageParam[], tools: string[]): MessageCreateParams {
  return {
    model: "claude-sonnet-5",
    max_tokens: 8_000,
    messages,
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
  };
}

const ask = (prompt: string, tools: string[]): Step =>
  offlineModel(requestFor([{ role: "user", content: prompt }], tools));

interface Call {
  name: string;
  input: Record<string, unknown>;
}

function partsOf(step: Step): { text: string; calls: Call[] } {
  if (step.kind !== "reply") throw new Error(`no reply but ${step.kind}`);
  const calls: Call[] = [];
  const texts: string[] = [];
  for (const part of step.parts) {
    if (typeof part === "string") texts.push(part);
    else if ("name" in part) calls.push({ name: part.name, input: JSON.parse(JSON.stringify(part.input)) });
  }
  return { text: texts.join(""), calls };
}

/** `glob src/*.ts | read_file a.md`: the calls of a step, each its name and its arguments. */
const shown = (step: Step): string =>
  partsOf(step)
    .calls.map(({ name, input }) => [name, ...Object.values(input)].join(" "))
    .join(" | ");

const LOOK = /^bash ls -d .* 2>\/dev\/null \|\| true$/;

/** What a command does where the file it makes is not there yet. */
const unguarded = (calls: string): string =>
  calls.replace(
    /^bash ls -d (?:'[^']*'|\S+) 2>\/dev\/null \|\| (?:\{ (.*); \}|(.*))$/s,
    (_, ...[long, short]) => `bash ${long ?? short}`,
  );

/** The first step that is no look at whether a file is there; none is. */
function act(prompt: string, tools: string[]): Step {
  const first = ask(prompt, tools);
  const [look] = partsOf(first).calls;
  if (!look || !LOOK.test(shown(first))) return first;
  return offlineModel(
    requestFor(
      [
        { role: "user", content: prompt },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: look.name, input: look.input }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "(no output)" }] },
      ],
      tools,
    ),
  );
}

// ---- The first call for a prompt -------------------------------------------------------------------------------

const GREP = "grep -rnI --exclude-dir=node_modules --exclude-dir=.git";
const FIND = "-not -path '*/node_modules/*' -not -path '*/.git/*'";
const DEFINED = "'(function|class|const|let|var|interface|type|def|fn|func) +agentLoop\\b'";
const APPEND = `[ -z "$(tail -c 1 notes.txt 2>/dev/null)" ] || echo >> notes.txt; printf '%s\\n' foo >> notes.txt`;

/** What a prompt leads to with bash alone, and with the file tools where that differs. */
const FIRST_CALLS: { bash: string; files?: string; prompts: string[] }[] = [
  {
    bash: "ls -p .",
    prompts: [
      "What files are in this folder?",
      "what's in this folder?",
      "What’s in here?",
      "list the files",
      "LIST THE FILES!",
      "Show me all files in this directory",
      "which files are there?",
      "could you please list all the files here?",
      "这个文件夹里有哪些文件？",
      "当前目录下有什么文件",
      "列出文件",
      "看看这里有什么",
      "请列出所有文件。",

      "このフォルダーにはどんなファイルがありますか？",
      "このフォルダにあるファイルを教えて",
      "ファイル一覧を見せて",
      "ここには何がありますか",
    ],
  },
  {
    bash: "ls -p src",
    prompts: [
      "list the files in src",
      "what is in the src folder?",
      "what's in src?",
      "列出 src 目录里的文件",
      "src フォルダーのファイルを一覧表示して",
    ],
  },
  {
    bash: "git branch --show-current",
    prompts: [
      "Which git branch am I on?",
      "what's the current branch",
      "我现在在哪个 git 分支？",
      "当前分支是什么",
      "今どの git ブランチにいますか？",
      "現在のブランチは？",
    ],
  },
  {
    bash: "cat package.json",
    files: "read_file package.json",
    prompts: [
      "Read package.json and tell me what this project is",
      "Read package.json",
      "show me package.json",
      "cat package.json",

      "Please open `package.json`.",
      'What does "package.json" say?',
      "READ PACKAGE.JSON",
      "Read package.json, then tell me what it is for",
      "what is this project about?",
      "What is this project?",
      "Explain this project to me",
      "explain package.json",

      "读取 package.json，告诉我这个项目是做什么的",
      "读一下 package.json 然后告诉我这个项目是什么",
      "请读取「package.json」。",
      "这个项目是做什么的？",
      "介绍一下这个项目",
      "package.json 的内容是什么",

      "package.json を読んで、何のプロジェクトか教えて",
      "package.jsonを見せてください",
      "このプロジェクトは何ですか？",
      "ｐａｃｋａｇｅ．ｊｓｏｎを読んで",
    ],
  },
  {
    bash: "cat README.md",
    files: "read_file README.md",
    prompts: [
      "open README.md",
      "cat the readme",
      "summarize README.md",
      "tell me about the README",
      "Read the README.md, it contains a secret",
      "打开 README.md",
      "看一下 README",
      "能不能帮我看看 README.md",
      "显示 README.md 的内容",
      "README.mdを開いて",
      "READMEに何が書いてあるか教えて",
      "README.mdの内容を日本語で説明して",
    ],
  },
  {
    bash: "cat /etc/hostname",
    files: "read_file /etc/hostname",
    prompts: ["Read /etc/hostname", "读取 /etc/hostname", "/etc/hostname を読んで"],
  },
  {
    bash: "cat README.md | bash cat package.json",
    files: "read_file README.md | read_file package.json",
    prompts: [
      "Read README.md and package.json, then write a short summary to summary.md",
      "read both README.md and package.json",

      "读取 README.md 和 package.json，然后把简短的总结写入 summary.md",
      "读 README.md 和 package.json，再写一份简短摘要到 summary.md",
      "README.md と package.json を読んで、短い要約を summary.md に書いて",
    ],
  },
  {
    bash: "cat delete.md",
    files: "read_file delete.md",
    prompts: ["Read delete.md", "读取 delete.md", "delete.md を読んで"],
  },
  {
    bash: "cat 'my notes.txt'",
    files: "read_file my notes.txt",
    prompts: ['Read "my notes.txt"', "读取“my notes.txt”", "「my notes.txt」を読んで"],
  },
  { bash: "cat ./-x.txt", files: "read_file -x.txt", prompts: ["read `-x.txt`"] },
  {
    bash: `printf '%s' 'console.log("Hello, World!");\n' > hello.js`,
    files: 'write_file hello.js console.log("Hello, World!");\n',
    prompts: [
      "Create a file hello.js that prints Hello, World!, then run it",
      "create hello.js that prints 'Hello, World!' and run it",

      "Write a program hello.js which prints “Hello, World!”, and then execute it",
      "Make a script that prints Hello, World! called hello.js",

      "创建一个打印 Hello, World! 的文件 hello.js，然后运行它",
      "创建文件 hello.js，打印 Hello, World!，然后运行",
      "新建 hello.js，内容为打印“Hello, World!”，并运行它",

      "Hello, World! と表示する hello.js を作って、実行して",
      "「Hello, World!」と表示するファイルhello.jsを作成して、それから実行してください。",
      "hello.js というファイルを作って Hello, World! と表示させ、実行してください",
    ],
  },
  {
    bash: `printf '%s' 'console.log("hello");\n' > greet.js`,
    files: 'write_file greet.js console.log("hello");\n',
    prompts: [
      "Create greet.js that prints hello, then read it back",
      "创建一个打印 hello 的 greet.js，然后读出来看看",
      "hello と表示する greet.js を作って、それから読み返して",
    ],
  },
  {
    bash: "printf '%s' 'hi\n' > notes.txt",
    files: "write_file notes.txt hi\n",
    prompts: [
      "Make a file notes.txt that says hi",
      "write hi to notes.txt",
      'Create a file called notes.txt with the text "hi".',

      "新建文件 notes.txt，内容是 hi",
      "创建一个写着 hi 的 notes.txt",
      "把 hi 写入 notes.txt",
      "请帮我创建文件 notes.txt，写上 hi",

      "hi と書いた notes.txt を作って",
      "notes.txtにhiと書いて",
      "「hi」を notes.txt に書いて",
      "notes.txt というファイルを作って、hi と書いて",
    ],
  },
  {
    bash: "printf '%s' '' > a.txt",
    files: "write_file a.txt ",
    prompts: ["touch a.txt", "create an empty file a.txt", "新建 a.txt", "a.txt を作って"],
  },
  {
    bash: APPEND,
    files: "read_file notes.txt",
    prompts: [
      "append a line foo to notes.txt",
      "add 'foo' to notes.txt",
      "add foo to notes.txt",
      "put foo in notes.txt",
      "insert 'foo' into notes.txt",
      "在 notes.txt 末尾追加一行 foo",
      "给 notes.txt 加一行 foo",
      "把 foo 放进 notes.txt",
      "notes.txt に foo という行を追加して",
      "notes.txtの末尾に「foo」を追記して",
      "foo を notes.txt に入れて",
    ],
  },
  {
    bash: "mv a.txt b.txt",
    prompts: [
      "rename a.txt to b.txt",
      "mv a.txt b.txt",
      "把 a.txt 重命名为 b.txt",
      "把 a.txt 改成 b.txt",
      "a.txt を b.txt にリネームして",
      "a.txtの名前をb.txtに変えて",
    ],
  },
  { bash: "cp a.txt b.txt", prompts: ["copy a.txt to b.txt", "复制 a.txt 到 b.txt", "a.txt を b.txt にコピーして"] },
  {
    bash: "rm notes.txt",
    prompts: [
      "Delete notes.txt",
      "remove notes.txt",
      "rm notes.txt",
      "Can you delete the file notes.txt?",
      "删除 notes.txt",
      "删掉notes.txt。",
      "把 notes.txt 删了",
      "notes.txt を削除して",
      "notes.txtを消してください",
    ],
  },
  { bash: "rm -r demo", prompts: ["delete the folder demo", "删除文件夹 demo", "demo フォルダーを削除して"] },
  {
    bash: "mkdir -p x",
    prompts: [
      "make a folder x",
      "mkdir x",
      "Create a directory called x",
      "新建文件夹 x",
      "创建一个叫 x 的目录",
      "x というフォルダーを作って",
      "フォルダxを作成して",
    ],
  },
  {
    bash: "mkdir -p demo && printf '%s' '// index.js\n' > demo/index.js",
    files: "write_file demo/index.js // index.js\n",
    prompts: [
      "Create a folder demo with index.js, utils.js and a README.md",
      "创建文件夹 demo，里面有 index.js、utils.js 和 README.md",

      "创建一个 demo 文件夹，包含 index.js、utils.js 和一个 README.md",
      "index.js、utils.js、README.md を含む demo フォルダーを作って",
    ],
  },
  {
    bash: `find chapters -type f -name '*.ts' ${FIND}`,
    files: "glob chapters/**/*.ts",
    prompts: [
      "Find all TypeScript files in the chapters folder",
      "list the ts files in chapters",
      "Which TypeScript files are in the chapters directory?",
      "find *.ts files under chapters",

      "找出 chapters 文件夹里所有的 TypeScript 文件",
      "查找chapters目录下的所有TypeScript文件",
      "chapters フォルダーの TypeScript ファイルを全部探して",
      "chaptersフォルダ内のTypeScriptファイルをすべて見つけて",
    ],
  },
  {
    bash: `${GREP} -iF -e TODO src | head -n 50`,
    prompts: [
      "search for TODO in src",
      'grep for "TODO" in src',
      "在 src 里搜索 TODO",
      "src で TODO を検索して",
      "srcフォルダの中からTODOを探して",
    ],
  },
  {
    bash: `${GREP} -E ${DEFINED} . | head -n 50`,
    prompts: [
      "find where agentLoop is defined",
      "Where is the function `agentLoop` defined?",
      "agentLoop 在哪里定义的？",
      "找到定义 agentLoop 的地方",
      "agentLoop はどこで定義されていますか？",
      "agentLoopが定義されている場所を探して",
    ],
  },
  {
    bash: "wc -l README.md",
    prompts: [
      "how many lines are in README.md?",
      "count the lines of README.md",
      "README.md 有多少行？",
      "README.md は何行ありますか？",
      "Count the lines of README.md, LICENSE, package.json and tsconfig.json, one command at a time",
      "统计 README.md、LICENSE、package.json 和 tsconfig.json 的行数，一次执行一个命令",
      "README.md、LICENSE、package.json、tsconfig.json の行数を1つずつコマンドで数えて",
    ],
  },
  {
    bash: `find . -type f ${FIND} | wc -l`,
    prompts: ["count the files", "how many files are here?", "有多少个文件", "ファイルはいくつありますか？"],
  },
  { bash: `find src -type f -name '*.ts' ${FIND} | wc -l`, prompts: ["how many TypeScript files are in src?"] },
  {
    bash: "npm test",
    prompts: [
      "run the tests",
      "run npm test",
      "Run all tests!",
      "运行测试",
      "跑一下测试",
      "テストを実行して",
      "npm test を実行して",
    ],
  },
  {
    bash: "ls -la",
    prompts: ["run `ls -la`", "ls -la", "execute ls -la", "`ls -la`", "运行 `ls -la`", "`ls -la` を実行して"],
  },
  {
    bash: "git status",
    prompts: ["execute git status", "git status", "执行 git status", "git status を実行してください"],
  },
  { bash: "sudo id", prompts: ["Run sudo id", "运行 sudo id", "sudo id を実行して"] },
  { bash: "sleep 60", prompts: ["Run sleep 60", "run the command sleep 60", "运行 sleep 60", "sleep 60 を実行して"] },
  { bash: "echo 'a  b' && ls", prompts: ["Run echo 'a  b' && ls", "执行 echo 'a  b' && ls"] },
  { bash: "node hello.js", prompts: ["run hello.js", "把 hello.js 运行一下", "hello.js を実行して"] },
  {
    bash: "date",
    prompts: ["what day is it?", "What's the date?", "今天星期几？", "今天几号", "今日は何曜日？", "今日は何日ですか"],
  },
  {
    bash: "git log --oneline -n 3",
    prompts: [
      "show the last 3 commits",
      "the last three commits",
      "显示最近 3 次提交",
      "最近三个提交",
      "直近3件のコミットを見せて",
      "最後の3つのコミット",
    ],
  },
  { bash: "git log --oneline -n 5", prompts: ["show me the git log", "看看提交历史", "コミット履歴を見せて"] },
  {
    bash: "git status --short && git diff --stat",
    prompts: [
      "what changed?",
      "What have I changed?",
      "改了什么？",
      "有哪些改动",
      "何が変わりましたか？",
      "変更点を見せて",
      "what changed since the last commit?",
      "上次提交以来改了什么？",
      "前回のコミットから何が変わった？",
    ],
  },
  {
    bash: "node --version",
    prompts: ["which node version do I have?", "我的 node 版本是多少？", "node のバージョンは？"],
  },
  {
    bash: "date",
    prompts: ["Use bash to print the date", "现在几点？", "今何時？"],
  },
  {
    bash: `${GREP} -iF -e TODO . | head -n 50`,
    prompts: ["find all TODO comments", "grep TODO", "搜索 TODO", "TODO を検索して"],
  },
  {
    bash: "git add -A && git commit -m round",
    prompts: [
      'commit my changes with the message "round"',
      "提交改动，信息是“round”",
      "「round」というメッセージでコミットして",
    ],
  },
  {
    bash: "wc -w README.md",
    prompts: ["count the words in README.md", "README.md 有多少个单词？", "README.md の単語数を数えて"],
  },
  {
    bash: "mv list.txt src/list.txt",
    prompts: ["move list.txt into src", "把 list.txt 移到 src 文件夹里", "list.txt を src フォルダーに移動して"],
  },
  {
    bash: "npm pkg get version",
    prompts: ["show package.json version", "package.json 的版本", "package.json のバージョンは？"],
  },
  {
    bash: "npm pkg get dependencies devDependencies",
    prompts: ["what dependencies does this project have?", "这个项目有哪些依赖？", "依存関係を教えて"],
  },
  { bash: `find . -type f -name '*.js' ${FIND}`, files: "glob **/*.js", prompts: ["find all .js files"] },
  { bash: "pwd", prompts: ["where am I?", "我在哪个目录", "ここはどこ？"] },
  {
    bash: "cat x.js",
    files: "read_file x.js",
    prompts: ["fix the bug in x.js", "修复 x.js 里的 bug", "x.js のバグを直して"],
  },
];

const EDITS = [
  "in notes.txt replace hi by hello",
  "change hi to hello in notes.txt",
  "Replace 'hi' with 'hello' in notes.txt.",
  "把 notes.txt 里的 hi 改成 hello",
  "将 notes.txt 中的“hi”替换为“hello”",
  "在 notes.txt 中把 hi 替换成 hello",
  "notes.txt の hi を hello に置き換えて",
  "notes.txtの「hi」を「hello」に変更して",
  "rename hi to hello in notes.txt",
  "把“hi”改成“hello”，在 notes.txt 里",
];

const REMOVALS = [
  'remove "milk" from notes.txt',
  "delete the word milk from notes.txt",
  "please take the text 'milk' out of notes.txt",
  "from notes.txt remove the word milk",
  "remove milk from notes.txt",
  "从 notes.txt 里删掉“milk”",
  "把 notes.txt 里的 milk 删掉",
  "在 notes.txt 里把“milk”去掉",
  "删除 notes.txt 中的单词 milk",
  "notes.txt から「milk」を消して",
  "notes.txt の中の milk という単語を削除してください",
];

/** Words without quotes where words are not set off by spaces. */
const UNSPACED: [prompt: string, call: string][] = [
  ["把 notes.txt 里的你好改成再见", "edit_file notes.txt 你好 再见"],
  ["notes.txt 中的牛奶换成面包", "edit_file notes.txt 牛奶 面包"],
  ["把 notes.txt 里的牛奶删掉", "edit_file notes.txt 牛奶 "],
  ["新建 notes.txt，内容是你好", "write_file notes.txt 你好\n"],
  ["写一个 notes.txt，内容为你好", "write_file notes.txt 你好\n"],
  ["新建一个 notes.txt，里面写上你好", "write_file notes.txt 你好\n"],
  ["把你好写进 notes.txt", "write_file notes.txt 你好\n"],
  ["往 notes.txt 追加面包", "read_file notes.txt"],
  ["请在notes.txt的最后加上“面包”", "read_file notes.txt"],
  ["notes.txtのこんにちはをさようならに変えて", "edit_file notes.txt こんにちは さようなら"],
  ["notes.txt の牛乳を消してもらえますか？", "edit_file notes.txt 牛乳 "],
  ["こんにちはを notes.txt に書いて", "write_file notes.txt こんにちは\n"],
  ["内容がこんにちはの notes.txt を作ってください", "write_file notes.txt こんにちは\n"],
  ["notes.txt を作って、内容は「こんにちは」にして", "write_file notes.txt こんにちは\n"],
  ["notes.txt にパンを追加して", "read_file notes.txt"],
  ["notes.txt の最後にパンという行を足して", "read_file notes.txt"],
];

/** Whatever the file said before, this is what it is to say. */
const SETTINGS: [prompt: string, says: string][] = [
  ["make notes.txt say hi", "hi"],
  ["notes.txt should say good morning", "good morning"],
  ["have notes.txt contain 'a list'", "a list"],
  ["把 notes.txt 的内容改成再见", "再见"],
  ["让 notes.txt 的内容是早上好", "早上好"],
  ["notes.txt 的内容应该是你好", "你好"],
  ["notes.txt の内容をおはようにして", "おはよう"],
  ["notes.txt の中身を「さようなら」に変えてください", "さようなら"],
  ["notes.txt を「さようなら」という内容にして", "さようなら"],
  ["replace the contents of notes.txt with good morning", "good morning"],
  ['overwrite notes.txt with "new"', "new"],
];

/** Everyday sentences, and what they lead to with the file tools. */
const EVERYDAY: [prompt: string, call: string][] = [
  ["show me what's in this directory please", "bash ls -p ."],
  ["run echo 世界", "bash echo 世界"],
  ["run for i in 1 2 3; do echo $i 世界; done", "bash for i in 1 2 3; do echo $i 世界; done"],
  ["Create a file p.txt that says 世界", "write_file p.txt 世界\n"],
  ["write こんにちは to p.txt", "write_file p.txt こんにちは\n"],
  ["In p.txt replace wörld by 世界", "edit_file p.txt wörld 世界"],
  ["把 p.txt 里的 hello 改成 hi", "edit_file p.txt hello hi"],
  ["find . -name x を実行して", "bash find . -name x"],
  ["run rm -r src 是什么意思?", ""],
  ["run rm -r src はどうなる", ""],
  ["count the lines of all ts files", `bash find . -type f -name '*.ts' ${FIND} -exec wc -l {} +`],
  ["统计 src 里所有 ts 文件的行数", `bash find src -type f -name '*.ts' ${FIND} -exec wc -l {} +`],
  ["create a branch feature/x", "bash git branch feature/x"],
  ["创建一个新分支 fix-1", "bash git branch fix-1"],
  ["feature/x というブランチを作って", "bash git branch feature/x"],
  ["create a branch -D", ""],
  ["make a copy of LICENSE called LICENSE2", "bash cp LICENSE LICENSE2"],
  ["list everything in src, would you", "bash ls -p src"],
  ["src には何が入ってる？", "bash ls -p src"],
  ["ls 一下", "bash ls -p ."],
  ["notes.txtには何て書いてある？", "read_file notes.txt"],
  ["I'd like a file hi.txt containing hello world", "write_file hi.txt hello world\n"],
  ["create a.txt with hi", "write_file a.txt hi\n"],
  ["hello.txt というファイルを「Hello」という内容で作成して", "write_file hello.txt Hello\n"],
  ["swap milk for bread in notes.txt", "edit_file notes.txt milk bread"],
  ["make a copy of notes.txt called backup.txt", "bash cp notes.txt backup.txt"],
  ["把 notes.txt 备份一份叫 backup.txt", "bash cp notes.txt backup.txt"],
  ["复制一份 notes.txt 到 src 文件夹", "bash cp notes.txt src/notes.txt"],
  ["notes.txt を src に移して", "bash mv notes.txt src/notes.txt"],
  ["could you possibly delete notes.txt?", "bash rm notes.txt"],
  ["notes.txtを消してもらえますか？", "bash rm notes.txt"],
  ["how big is notes.txt?", "bash wc -c notes.txt"],
  ["notes.txt のサイズは？", "bash wc -c notes.txt"],
  ["execute the tests please", "bash npm test"],
  ["用 node 运行 src/price.js", "bash node src/price.js"],
  ["node で src/price.js を実行して", "bash node src/price.js"],
  ["who made the last commit?", "bash git log -n 1"],
  ["最后一次提交是谁做的", "bash git log -n 1"],
  ["did anything change?", "bash git status --short && git diff --stat"],
  ["git の状態を見せて", "bash git status --short && git diff --stat"],
  ["搜索牛奶", `bash ${GREP} -iF -e '牛奶' . | head -n 50`],
  ["哪个文件里有“牛奶”？", `bash ${GREP} -iF -e '牛奶' . | head -n 50`],
  ["notes.txt 里有没有“牛奶”", `bash ${GREP} -iF -e '牛奶' notes.txt | head -n 50`],
  ["「牛乳」が書いてあるファイルはどれ？", `bash ${GREP} -iF -e '牛乳' . | head -n 50`],
  ["call notes.txt shopping.txt instead", "bash mv notes.txt shopping.txt"],
  ["牛乳を含むファイルを探して", `bash ${GREP} -iF -e '牛乳' . | head -n 50`],
  ["which file contains the word milk?", `bash ${GREP} -iF -e milk . | head -n 50`],
  ["find all typescript files that mention milk", `bash ${GREP} --include='*.ts' -iF -e milk . | head -n 50`],
  ["agentLoop がどのファイルに出てくるか調べて", `bash ${GREP} -iF -e agentLoop . | head -n 50`],
  ["package.json には何が書いてある？", "read_file package.json"],
  ["show me the first 5 lines of README.md", "bash head -n 5 README.md"],
  ["看 LICENSE 的前五行", "bash head -n 5 LICENSE"],
  ["LICENSE の最初の5行", "bash head -n 5 LICENSE"],
  ["show the last two lines of LICENSE", "bash tail -n 2 LICENSE"],
  ["README.md の3行目を見せて", "bash sed -n 3p README.md"],
  ["list test files of src", "glob src/**/*.test.*"],
  ["列出 src 里的 .test.ts 文件", "glob src/**/*.test.ts"],
  ["src の .test.ts ファイルを一覧にして", "glob src/**/*.test.ts"],
  ["统计 a.md 和 b.md 的行数，一个命令数一个文件", "bash wc -l a.md"],
  ["分别统计 a.md 和 b.md 的行数，每次一条命令", "bash wc -l a.md"],
  ["a.md と b.md の行数を1ファイルずつ別のコマンドで数えて", "bash wc -l a.md"],
  ["直近のコミットを3つ", "bash git log --oneline -n 3"],
  ["show the 4 latest commits", "bash git log --oneline -n 4"],
  ["show lines 2 to 4 of LICENSE", "bash sed -n 2,4p LICENSE"],
  ["First 5 lines of LICENSE", "bash head -n 5 LICENSE"],
  ["LICENSE 的最后三行", "bash tail -n 3 LICENSE"],
  ["LICENSE の最後の3行", "bash tail -n 3 LICENSE"],
  ["找出所有提到 TODO 的文件", `bash ${GREP} -iF -e TODO . | head -n 50`],
  ["新建 a.txt，内容为空", "write_file a.txt "],
  ["中身が空の a.txt を作って", "write_file a.txt "],
  ["いま何時？", "bash date"],
  ["git の状態は？", "bash git status --short && git diff --stat"],
  ["notes.txt ファイルを削除してくれる？", "bash rm notes.txt"],
  ["notes.txt を消去して", "bash rm notes.txt"],
  ["把 a.txt、b.txt、c.txt 都删掉", "bash rm a.txt b.txt c.txt"],
  ["notes.txt というファイルを hi という内容で作って", "write_file notes.txt hi\n"],
  ["temp.txt を作って、中身は テスト にして", "write_file temp.txt テスト\n"],
  ["新建一个 temp.txt，里面写 测试", "write_file temp.txt 测试\n"],
  ["写 hi 到 notes.txt", "write_file notes.txt hi\n"],
  ["write hello to ../x.txt", "write_file ../x.txt hello\n"],
  ["写一个会输出 hello 的 greet.js", 'write_file greet.js console.log("hello");\n'],
  ["Hello, World! を出力する hello.js を書いて実行して", 'write_file hello.js console.log("Hello, World!");\n'],
  ["greet.js を作って hello と表示するようにして、実行して", 'write_file greet.js console.log("hello");\n'],
  ["hello.js というファイルを作り、Hi と表示させて、動かして", 'write_file hello.js console.log("Hi");\n'],
  ["create a python script that prints hello", 'write_file hello.py print("hello")\n'],
  ["写一个打印 hello 的 Python 脚本", 'write_file hello.py print("hello")\n'],
  ["hello と表示する Python スクリプトを書いて", 'write_file hello.py print("hello")\n'],
  ["empty notes.txt", "write_file notes.txt "],
  ["清空 notes.txt", "write_file notes.txt "],
  ["notes.txt を空にして", "write_file notes.txt "],
  ["add a line buy milk after work to notes.txt", "read_file notes.txt"],
  ["create the folder ../out", "bash mkdir -p ../out"],
  ["创建文件夹 ./out", "bash mkdir -p ./out"],
  ["create the folder a/b.c", "bash mkdir -p a/b.c"],
  ["list the files in ~", "bash ls -p ~"],
  ["list the files in ..", "bash ls -p .."],
  ["新建一个文件 a.txt，里面写入 hi", "write_file a.txt hi\n"],
  ["把 a、b、c 三行写进 abc.txt", "write_file abc.txt a\nb\nc\n"],
  ["创建 src/index.js，内容是 console.log(1)", "write_file src/index.js console.log(1)\n"],
  ["create src/index.js with the content console.log(1)", "write_file src/index.js console.log(1)\n"],
  ["src/index.js を作って、内容は console.log(1) にして", "write_file src/index.js console.log(1)\n"],
  ["replace the contents of a.js with let a;", "write_file a.js let a;\n"],
  ["把 a.js 的内容改成 let a;", "write_file a.js let a;\n"],
  ["a.js の内容を「let a;」にして", "write_file a.js let a;\n"],
  ["写一个计算两个数乘积的 mul.js", "write_file mul.js export function multiply(a, b) {\n  return a * b;\n}\n"],
  ["2つの数の差を計算する sub.js を作って", "write_file sub.js export function subtract(a, b) {\n  return a - b;\n}\n"],
  ["which branches are there?", "bash git branch"],
  ["有哪些分支？", "bash git branch"],
  ["ブランチの一覧を見せて", "bash git branch"],
  ["搜索 src 目录里的 add", `bash ${GREP} -iF -e add src | head -n 50`],
  ["is there a TODO in README.md?", `bash ${GREP} -iF -e TODO README.md | head -n 50`],
  ["config.ini 里有没有 DEBUG？", `bash ${GREP} -iF -e DEBUG config.ini | head -n 50`],
  ["README.md に TODO はありますか？", `bash ${GREP} -iF -e TODO README.md | head -n 50`],
  ["src 有几个文件", `bash find src -type f ${FIND} | wc -l`],
  ["列出所有文件，包括隐藏文件", "bash ls -Ap ."],
  ["list the files in src and docs", "bash ls -p src docs"],
  ["列出 src、docs 和 lib 里的文件", "bash ls -p src docs lib"],
  ["能帮我删除 notes.txt 吗？", "bash rm notes.txt"],
  ["你能运行 ls 吗？", "bash ls"],
  ["src と docs のファイルを一覧表示して", "bash ls -p src docs"],
  ["作業フォルダーのパスを教えて", "bash pwd"],
  ["what changed in README.md?", "bash git diff HEAD -- README.md"],
  ["看看 README.md 改了什么", "bash git diff HEAD -- README.md"],
  ["README.md の差分を見せて", "bash git diff HEAD -- README.md"],
  ["README.md 的字数", "bash wc -m README.md"],
  ["README.md の文字数は？", "bash wc -m README.md"],
  ["运行 npm test，如果失败告诉我原因", "bash npm test"],
  ["运行 `ls` 并告诉我结果", "bash ls"],
  ["运行“rm notes.txt”", "bash rm notes.txt"],
];

/** A command is run as it is typed: only the full stop of the sentence goes. */
const VERBATIM: [prompt: string, command: string][] = [
  ["run git checkout .", "git checkout ."],
  ["git checkout .", "git checkout ."],
  ["运行 git add .", "git add ."],
  ["git add . を実行して", "git add ."],
  ["run chmod -R 777 .", "chmod -R 777 ."],
  ["run ls -d ../.", "ls -d ../."],
  ["run git status.", "git status"],
  ["run `git status`.", "git status"],
  ["run echo what?", "echo what?"],
  ["can you run ls?", "ls"],
  ["run > README.zh.md", "> README.zh.md"],
  ["run ./nosuch.sh", "./nosuch.sh"],
  ["run nosuch.sh", "sh nosuch.sh"],
  ["execute: git log --oneline -1", "git log --oneline -1"],
  ["run if true; then echo hi; fi", "if true; then echo hi; fi"],
  ["run cd src; find . -name x", "cd src; find . -name x"],
  ["run file README.md", "file README.md"],
  ["run command -v node", "command -v node"],
  ["run the command file README.md", "file README.md"],
  ["run npm test and tell me what fails", "npm test"],
  ["git push して", "git push"],
  ["実行：ls .", "ls ."],
  ["run id with sudo", "sudo id"],
  ["用 sudo 运行 id", "sudo id"],
  ["sudo で id を実行して", "sudo id"],
];

const EVERYWHERE: [prompt: string, from: string, to: string][] = [
  ["replace all hi with yo in notes.txt", "hi", "yo"],
  ["replace all occurrences of hi with yo in notes.txt", "hi", "yo"],
  ["remove all hi from notes.txt", "hi", "''"],
  ["将notes.txt中所有的牛奶替换为面包", "'牛奶'", "'面包'"],
  ["把 notes.txt 里所有的 hi 换成 yo", "hi", "yo"],
  ["notes.txt の「牛乳」を全部「パン」に置換", "'牛乳'", "'パン'"],
];

describe("the first call for a prompt", () => {
  test.each(VERBATIM)("%s", (prompt, command) => {
    for (const tools of OFFERS) expect(shown(ask(prompt, tools))).toBe(`bash ${command}`);
  });

  test.each(EVERYWHERE)("%s", (prompt, from, to) => {
    for (const tools of [S01, S02])
      expect(shown(ask(prompt, tools))).toMatch(new RegExp(`^bash node -e [^]+ ${from} ${to}$`));
  });

  test.each([...UNSPACED, ...EVERYDAY])("%s", (prompt, calls) => {
    expect(unguarded(shown(act(prompt, S02)))).toBe(calls);
  });

  test.each(SETTINGS)("%s", (prompt, text) => {
    expect(shown(ask(prompt, S02))).toBe(`write_file notes.txt ${text}\n`);
    expect(shown(ask(prompt, S01))).toMatch(/^bash printf '%s' '[^']+' > notes\.txt$/);
  });

  test.each(REMOVALS)("%s", (prompt) => {
    expect(shown(ask(prompt, S02))).toBe("edit_file notes.txt milk ");
    expect(shown(ask(prompt, S01))).toMatch(/^bash node -e [\s\S]+ -- notes\.txt milk ''$/);
  });

  test.each([
    ["把 src/price.js 里的 Math.floor 改成 Math.round", "edit_file src/price.js Math.floor Math.round"],
    ["src/price.js の Math.round を Math.ceil に変えて", "edit_file src/price.js Math.round Math.ceil"],
    ["rename Math.floor to Math.round in src/price.js", "edit_file src/price.js Math.floor Math.round"],
    ["create a file todo.txt with three lines: milk, eggs, bread", "write_file todo.txt milk\neggs\nbread\n"],
    ["新建 todo.txt，写三行：牛奶、鸡蛋、面包", "write_file todo.txt 牛奶\n鸡蛋\n面包\n"],
    ["todo.txt に3行書いて：牛乳、卵、パン", "write_file todo.txt 牛乳\n卵\nパン\n"],
    ["make a python file hi.py that prints hi and run it", 'write_file hi.py print("hi")\n'],
    ["write a to a.txt", "write_file a.txt a\n"],
    ['write "hi" in a file notes.txt', "write_file notes.txt hi\n"],
    ["in notes.txt add a line foo", "read_file notes.txt"],
    ["Find the file called loop.ts", "glob **/loop.ts"],
    ["找到 loop.ts", "glob **/loop.ts"],
    ["search for a.txt", "bash grep -rnI --exclude-dir=node_modules --exclude-dir=.git -iF -e a.txt . | head -n 50"],
    ["loop.ts はどこにありますか", "glob **/loop.ts"],
  ])("%s", (prompt, calls) => {
    expect(unguarded(shown(act(prompt, S02)))).toBe(calls);
  });

  for (const { bash, files, prompts } of FIRST_CALLS) {
    test.each(prompts)("%s", (prompt) => {
      expect(unguarded(shown(act(prompt, S01)))).toBe(`bash ${bash}`);
      expect(unguarded(shown(act(prompt, S02)))).toBe(files ?? `bash ${bash}`);
    });
  }

  test.each(EDITS)("%s", (prompt) => {
    expect(shown(ask(prompt, S02))).toBe("edit_file notes.txt hi hello");
    expect(shown(ask(prompt, S01))).toMatch(/^bash node -e [\s\S]+ -- notes\.txt hi hello$/);
  });

  test.each([
    [
      "Create a folder demo with index.js, utils.js and a README.md",
      ["Create demo/index.js", "Create demo/utils.js", "Create demo/README.md"],
    ],
    [
      "Write sum.js that adds two numbers, write a test for it and run the test",
      ["Create sum.js", "Create sum.test.js", "Run `node --test sum.test.js`"],
    ],
    [
      "写一个把两个数相加的 sum.js，再为它写一个测试，然后运行测试",
      ["创建 sum.js", "创建 sum.test.js", "运行 `node --test sum.test.js`"],
    ],
    [
      "demo フォルダーを作って、中に index.js と README.md を作って",
      ["demo を作成する", "demo/index.js を作成する", "demo/README.md を作成する"],
    ],
    [
      "2つの数を足す sum.js を書いて、テストを書いて、テストを実行して",
      ["sum.js を作成する", "sum.test.js を作成する", "`node --test sum.test.js` を実行する"],
    ],
  ])("a to-do list for several steps: %s", (prompt, items) => {
    const [first] = partsOf(ask(prompt, S05)).calls;
    const todos = items.map((content, index) => ({ content, status: index === 0 ? "in_progress" : "pending" }));
    expect(first).toEqual({ name: "todo_write", input: { todos } });
  });

  test.each(["Delete notes.txt", "README.md 有多少行？", "package.json を見せて"])(
    "no to-do list for one step: %s",
    (prompt) => {
      expect(shown(ask(prompt, S05))).not.toContain("todo_write");
    },
  );

  test("is announced in the language of the prompt", () => {
    expect(ask("Read a.md", S02)).toMatchObject({ parts: ["I'll read a.md.", { name: "read_file" }] });
    expect(ask("读取 a.md", S02)).toMatchObject({ parts: ["我来读取 a.md。", { name: "read_file" }] });
    expect(ask("a.md を読んで", S02)).toMatchObject({ parts: ["a.md を確認します。", { name: "read_file" }] });
  });
});

// ---- Prompts that ask for no tool ------------------------------------------------------------------------------

const TALK: [prompt: string, answer: RegExp][] = [
  ["hello", /offline model/],
  ["Hi there!", /offline model/],
  ["what can you do?", /offline model/],
  ["Hello there!", /^Hello!/],
  ["你好", /离线模型/],
  ["你能做什么？", /离线模型/],
  ["こんにちは", /オフラインモデル/],
  ["何ができますか？", /オフラインモデル/],
  ["Tell me a joke", /did not understand[\s\S]*You could try/],
  ["How do I run this?", /did not understand[\s\S]*You could try/],
  ["讲个笑话", /没看懂[\s\S]*你可以试试/],
  ["冗談を言って", /わかりませんでした[\s\S]*たとえば/],
  ["???", /did not understand/],
  ["?", /offline model/],
  ["/help", /offline model[^]*Ctrl-D leaves/],
  ["元気？", /オフラインモデル/],
  ["Don't delete notes.txt", /did not understand/],
  ["不要删除 notes.txt", /没看懂/],
  ["notes.txt を削除しないで", /わかりませんでした/],
];

/** All but the last, which stands for any command. */
const suggestionsIn = (text: string): string[] =>
  [...text.matchAll(/^- ([^<\n]+)$/gm)].map(([, prompt]) => prompt ?? "");

describe("prompts that need no tool", () => {
  test.each(TALK)("%s → three things to try, all of which work", (prompt, answer) => {
    for (const tools of OFFERS) {
      const { text, calls } = partsOf(ask(prompt, tools));
      expect(text).toMatch(answer);
      expect(calls).toEqual([]);
      expect(suggestionsIn(text)).toHaveLength(3);
      for (const suggestion of suggestionsIn(text)) expect(shown(ask(suggestion, tools))).not.toBe("");
    }
  });

  test.each([
    ["bye", "Goodbye!"],
    ["how do I exit?", "In a chapter's prompt loop q, Ctrl-C or Ctrl-D leaves."],
    ["exit please", "In a chapter's prompt loop q, Ctrl-C or Ctrl-D leaves."],
    ["怎么退出？", "在章节的提示符下，输入 q，或按 Ctrl-C、Ctrl-D 就能退出。"],
    ["終了したい", "章のプロンプトでは、q、Ctrl-C、Ctrl-D のどれでも終了できます。"],
    ["再见！", "再见！"],
    ["さようなら", "さようなら！"],
    ["thanks!", "You're welcome!"],
    ["谢谢你", "不客气！"],
    ["ありがとうございます", "どういたしまして！"],
    ["what tools do you have?", "I was given these tools: bash, read_file, write_file, edit_file, glob"],
    ["你有哪些工具？", "给我的工具有：bash、read_file、write_file、edit_file、glob"],
    ["どんなツールがある？", "渡されているツール：bash、read_file、write_file、edit_file、glob"],
  ])("%s", (prompt, answer) => {
    expect(ask(prompt, S02)).toEqual({ kind: "reply", parts: [answer] });
  });

  test("a tool that is not offered is not called", () => {
    for (const tools of [[], ["read_file"], ["todo_write"], ["glob"], ["load_skill"]]) {
      for (const prompt of [...FIRST_CALLS.flatMap(({ prompts }) => prompts), ...EDITS]) {
        for (const { name } of partsOf(ask(prompt, tools)).calls) expect(tools).toContain(name);
      }
    }
  });
});

// ---- Whole conversations, with tools that really run -----------------------------------------------------------

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "offline-model-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const content = (file: string): string => readFileSync(join(folder, file), "utf8");

function put(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

type Answer = string | { error: string };
type Tools = Record<string, (input: Record<string, unknown>) => Answer>;

const realTools: Tools = {
  bash({ command }) {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" };
    const { status, stdout, stderr } = spawnSync("bash", ["-c", String(command)], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    const output = `${stdout}${stderr}` || "(no output)";
    return status === 0 ? output : { error: `${output}\n[exit code ${status}]` };
  },
  read_file: ({ path }) =>
    existsSync(join(folder, String(path))) ? content(String(path)) : { error: `Error: no such file: ${String(path)}` },
  write_file({ path, content: text }) {
    put({ [String(path)]: String(text) });
    return `Wrote ${Buffer.byteLength(String(text))} bytes`;
  },
  edit_file({ path, old_text, new_text }) {
    const before = content(String(path));
    if (!before.includes(String(old_text))) return { error: "Error: text not found" };
    put({ [String(path)]: before.replace(String(old_text), () => String(new_text)) });
    return "Edited";
  },
  glob({ pattern }) {
    const source = String(pattern)
      .replaceAll(".", "\\.")
      .replaceAll("*", "[^/]*")
      .replaceAll("[^/]*[^/]*/", "(?:.*/)?");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      new RegExp(`^${source}$`).test(file),
    );
    return files.toSorted().join("\n") || "(no matches)";
  },
  todo_write: ({ todos }) => `Updated ${Array.isArray(todos) ? todos.length : 0} tasks`,
};

/** Plays a prompt to its end as a harness would, the reminder of s05 included. */
function play(
  prompt: string,
  tools: string[],
  answers: Tools = realTools,
): { steps: Step[]; calls: Call[]; final: string } {
  const messages: MessageParam[] = [{ role: "user", content: prompt }];
  const steps: Step[] = [];
  const calls: Call[] = [];
  let sinceList = 0;
  while (steps.length < 20) {
    const step = offlineModel(requestFor(messages, tools));
    const reply = partsOf(step);
    steps.push(step);
    if (reply.calls.length === 0) return { steps, calls, final: reply.text };
    calls.push(...reply.calls);
    const ids = reply.calls.map((_, index) => `toolu_${steps.length}_${index}`);
    messages.push({
      role: "assistant",
      content: reply.calls.map(({ name, input }, index) => ({ type: "tool_use", id: ids[index] ?? "", name, input })),
    });
    const results = reply.calls.map(({ name, input }, index): ToolResultBlockParam => {
      expect(tools).toContain(name);
      const answer = answers[name]?.(input) ?? { error: `Unknown tool: ${name}` };
      const failed = typeof answer !== "string";
      return {
        type: "tool_result",
        tool_use_id: ids[index] ?? "",
        content: failed ? answer.error : answer,
        is_error: failed,
      };
    });
    sinceList = reply.calls.some(({ name }) => name === "todo_write") ? 0 : sinceList + 1;
    const due = sinceList === 3 && tools.includes("todo_write");
    messages.push({
      role: "user",
      content: due ? [...results, { type: "text", text: "<reminder>Update your todos.</reminder>" }] : results,
    });
  }
  throw new Error(`no end after ${steps.length} steps`);
}

interface Scene {
  prompt: string;
  files?: Record<string, string>;
  /** What the folder holds afterwards; undefined: gone. */
  leaves?: Record<string, string | undefined>;
  says: RegExp;
}

const README = "# Marmot\n\nA small zoo.\n";
const PACKAGE =
  '{\n  "name": "marmot",\n  "description": "Counts marmots.",\n  "scripts": { "test": "node -e 0" }\n}\n';
const SUMMARY = "- Marmot\n- marmot: Counts marmots.\n";

const SCENES: Scene[] = [
  {
    prompt: "Create a file hello.js that prints Hello, World!, then run it",
    says: /created hello\.js[\s\S]*\nHello, World!\n/,
  },
  { prompt: "创建一个打印 你好，“世界” 的文件 hello.js，然后运行它", says: /已创建 hello\.js[\s\S]*\n你好，“世界”\n/ },
  { prompt: "It's と表示する hello.js を作って、実行して", says: /hello\.js を作成しました[\s\S]*\nIt's\n/ },
  {
    prompt: 'Write `it\'s $HOME \\n "x"` into a.txt',
    leaves: { "a.txt": 'it\'s $HOME \\n "x"\n' },
    says: /created a\.txt/,
  },
  { prompt: "Make a file a.txt that says one\ntwo", leaves: { "a.txt": "one\ntwo\n" }, says: /created a\.txt/ },
  { prompt: "create a.txt\nrun `echo done`", leaves: { "a.txt": "" }, says: /created a\.txt[\s\S]*\ndone\n/ },
  {
    prompt: "What files are in this folder?",
    files: { "a.txt": "", "b c.txt": "" },
    says: /2 entries: a\.txt, b c\.txt/,
  },
  { prompt: "这个文件夹里有哪些文件？", files: { "a.txt": "" }, says: /1 项：a\.txt/ },
  { prompt: "ここには何がありますか", says: /空です/ },
  {
    prompt: "Read package.json and tell me what this project is",
    files: { "package.json": PACKAGE },
    says: /marmot: Counts marmots\./,
  },
  { prompt: "README.mdを読んで", files: { "README.md": README }, says: /3 行です：\n```\n# Marmot\n\nA small zoo/ },
  { prompt: "读取 a.txt", files: { "a.txt": "one\ntwo\n" }, says: /2 行[\s\S]*one\ntwo/ },
  {
    prompt: "Create greet.js that prints hello, then read it back",
    leaves: { "greet.js": 'console.log("hello");\n' },
    says: /console\.log/,
  },
  {
    prompt: "Find all TypeScript files in the src folder",
    files: { "src/a.ts": "", "src/b/c.ts": "", "d.ts": "" },
    says: /2 files:\n- src\/a\.ts\n- src\/b\/c\.ts$/,
  },
  {
    prompt: "Read README.md and package.json, then write a short summary to summary.md",
    files: { "README.md": README, "package.json": PACKAGE },
    leaves: { "summary.md": `# Summary\n\n${SUMMARY}` },
    says: /Marmot[\s\S]*created summary\.md/,
  },
  {
    prompt: "Write a summary of README.md to sum.md",
    files: { "README.md": README },
    leaves: { "sum.md": "# Summary\n\n- Marmot\n", "README.md": README },
    says: /created sum\.md/,
  },
  {
    prompt: "读取 README.md 和 package.json，然后把简短的总结写入 summary.md",
    files: { "README.md": README, "package.json": PACKAGE },
    leaves: { "summary.md": `# 摘要\n\n${SUMMARY}` },
    says: /已创建 summary\.md/,
  },
  {
    prompt: "README.md と package.json を読んで、短い要約を summary.md に書いて",
    files: { "README.md": README, "package.json": PACKAGE },
    leaves: { "summary.md": `# 要約\n\n${SUMMARY}` },
    says: /summary\.md を作成しました/,
  },
  {
    prompt: "Delete 'my notes.txt'",
    files: { "my notes.txt": "" },
    leaves: { "my notes.txt": undefined },
    says: /deleted my notes\.txt/,
  },
  {
    prompt: "rename `-a.txt` to `it's.txt`",
    files: { "-a.txt": "x" },
    leaves: { "-a.txt": undefined, "it's.txt": "x" },
    says: /now called it's\.txt/,
  },
  {
    prompt: "copy a.txt to b.txt",
    files: { "a.txt": "x" },
    leaves: { "a.txt": "x", "b.txt": "x" },
    says: /copied a\.txt to b\.txt/,
  },
  {
    prompt: "Replace \"a/b & $1 'c'\" with '$& \\n d/e' in `x y.txt`",
    files: { "x y.txt": "1 a/b & $1 'c' 2" },
    leaves: { "x y.txt": "1 $& \\n d/e 2" },
    says: /changed x y\.txt/,
  },
  {
    prompt: "在 notes.txt 末尾追加一行 foo",
    files: { "notes.txt": "hi" },
    leaves: { "notes.txt": "hi\nfoo\n" },
    says: /已修改 notes\.txt/,
  },
  {
    prompt: "append a line foo to notes.txt",
    files: { "notes.txt": "hi\n" },
    leaves: { "notes.txt": "hi\nfoo\n" },
    says: /changed notes\.txt/,
  },
  ...["put hi in notes.txt", "把 hi 加到 notes.txt", "notes.txt に「hi」を入れて"].flatMap((prompt): Scene[] => [
    { prompt, files: { "notes.txt": "bye" }, leaves: { "notes.txt": "bye\nhi\n" }, says: /notes\.txt/ },
    { prompt, leaves: { "notes.txt": "hi\n" }, says: /notes\.txt/ },
  ]),
  {
    prompt: 'Remove "hi " from notes.txt, then show me the file',
    files: { "notes.txt": "oh hi there\n" },
    leaves: { "notes.txt": "oh there\n" },
    says: /oh there/,
  },
  {
    prompt: "Create a folder demo with index.js, utils.js and a README.md",
    leaves: { "demo/index.js": "// index.js\n", "demo/utils.js": "// utils.js\n", "demo/README.md": "# demo\n" },
    says: /created demo\/README\.md/,
  },
  {
    prompt: "demo というフォルダを作って、中に index.js と README.md を作って",
    leaves: { "demo/index.js": "// index.js\n", "demo/README.md": "# demo\n" },
    says: /demo フォルダーを作成しました[\s\S]*demo\/README\.md/,
  },
  {
    prompt: "create a new directory called tmp and put a file a.txt in it",
    leaves: { "tmp/a.txt": "" },
    says: /created tmp\/a\.txt/,
  },
  {
    prompt: "Write sum.js that adds two numbers, write a test for it and run the test",
    says: /created sum\.test\.js[\s\S]*pass 1\n[\s\S]*fail 0/,
  },
  { prompt: "is there a README?", files: { "README.md": "" }, says: /1 file:\n- README\.md/ },
  { prompt: "有没有 README？", says: /没有找到/ },
  { prompt: "list the files", files: { "a.txt": "", "src/b.txt": "" }, says: /2 entries: a\.txt, src\// },
  {
    prompt: "run the tests",
    files: { "package.json": '{ "scripts": { "test": "echo module not found; exit 1" } }', "a.txt": "" },
    says: /did not work[\s\S]*module not found/,
  },
  {
    prompt: 'add "}" to a.txt',
    files: { "a.txt": "a {\n}\nb {\n}\n" },
    leaves: { "a.txt": "a {\n}\nb {\n}\n}\n" },
    says: /changed a\.txt/,
  },
  {
    prompt: "move list.txt into src",
    files: { "list.txt": "x", "src/a.txt": "" },
    leaves: { "list.txt": undefined, "src/list.txt": "x" },
    says: /^I moved list\.txt to src\/\.$/,
  },
  { prompt: "写 mul.js 实现两数相乘，给它写测试并运行测试", says: /已创建 mul\.test\.js[\s\S]*pass 1\n[\s\S]*fail 0/ },
  {
    prompt: "2つの数を足す sum.js を書いて、テストを書いて、実行して",
    says: /sum\.test\.js を作成しました[\s\S]*pass 1\n[\s\S]*fail 0/,
  },
  { prompt: "How many lines are in a.txt?", files: { "a.txt": "1\n2\n3\n" }, says: /^a\.txt: 3 lines$/ },
  { prompt: "count the files", files: { "a.txt": "", "b/c.txt": "" }, says: /2 files/ },
  { prompt: "search for TODO in src", files: { "src/a.ts": "// TODO: more\n" }, says: /src\/a\.ts:1:\/\/ TODO: more/ },
  { prompt: "搜索 TODO", says: /没有找到/ },
  {
    prompt: "find where agentLoop is defined",
    files: { "a.ts": "agentLoop();\n", "b.ts": "export async function agentLoop() {}\n" },
    says: /here:\n- b\.ts:1:[^\n]*$/,
  },
  { prompt: "run `exit 3`", says: /did not work[\s\S]*exit code 3/ },
  {
    prompt: "fix the bug in x.js",
    files: { "x.js": "let a = ;\n" },
    leaves: { "x.js": "let a = ;\n" },
    says: /let a = ;[\s\S]*only a handful of rules/,
  },
  { prompt: "Read notes.md", files: { "README.md": "" }, says: /could not find notes\.md\. What is there: README\.md/ },
  { prompt: "读取 notes.md", says: /找不到 notes\.md。这个文件夹是空的/ },
  {
    prompt: "change hi to hello in notes.txt",
    files: { "notes.txt": "bye\n" },
    leaves: { "notes.txt": "bye\n" },
    says: /changed nothing[\s\S]*bye/,
  },
  {
    prompt: "create a.txt with hello and b.txt with bye",
    leaves: { "a.txt": "hello\n", "b.txt": "bye\n" },
    says: /created b\.txt/,
  },
  ...["まず a.txt を作り、次に b.txt、最後に c.txt を作って", "先创建 a.txt，再创建 b.txt，最后创建 c.txt"].map(
    (prompt): Scene => ({ prompt, leaves: { "a.txt": "", "b.txt": "", "c.txt": "" }, says: /c\.txt/ }),
  ),
  {
    prompt: "建一个 site 目录，里面要有 index.html 和 style.css",
    leaves: { "site/index.html": "", "site/style.css": "" },
    says: /site\/style\.css/,
  },
  {
    prompt: "列个计划：读 README.md，写总结到 s.md，再看一遍",
    files: { "README.md": README },
    leaves: { "s.md": "# 摘要\n\n- Marmot\n" },
    says: /已创建 s\.md[^]*- Marmot/,
  },
  {
    prompt: "make a python script that prints hi and run it",
    leaves: { "hi.py": 'print("hi")\n' },
    says: /```\nhi\n```/,
  },
  {
    prompt: "change hi to yo in notes.txt",
    files: { "notes.txt": "hi you\n" },
    leaves: { "notes.txt": "yo you\n" },
    says: /changed notes\.txt/,
  },
  {
    prompt: "replace all hi with yo in notes.txt",
    files: { "notes.txt": "hi hi\nhi\n" },
    leaves: { "notes.txt": "yo yo\nyo\n" },
    says: /changed notes\.txt/,
  },
  {
    prompt: "delete the folder src and a.txt",
    files: { "src/b.txt": "", "a.txt": "" },
    leaves: { "src/b.txt": undefined, "a.txt": undefined },
    says: /deleted src and a\.txt/,
  },
  {
    prompt: "Delete a.txt, then fly to the moon",
    files: { "a.txt": "" },
    leaves: { "a.txt": undefined },
    says: /deleted a\.txt[\s\S]*did not understand this part: fly to the moon/,
  },
];

// ---- Nothing is done for a sentence that is not wholly understood ----------------------------------------------

const ZOO = {
  "README.md": "# Shop\n\nA shop.\n",
  "src/price.js": "// TODO: more\nexport const total = (x) => Math.floor(x);\n",
  "list.txt": "one\n",
};

/** Plays a prompt where there is something to lose, and tells what became of it. */
function playInZoo(prompt: string, tools: string[]): { final: string; calls: Call[]; files: string[]; lost: string[] } {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  put(ZOO);
  const { final, calls } = play(prompt, tools);
  const lost = Object.entries(ZOO).flatMap(([file, text]) =>
    existsSync(join(folder, file)) && content(file) === text ? [] : file,
  );
  return { final, calls, lost, files: readdirSync(folder, { recursive: true, encoding: "utf8" }) };
}

const DONE = /\bI (?:created|changed|deleted|copied)\b|已创建|已修改|已删除|しました。/;

describe("a sentence that is not wholly understood", () => {
  test.each([
    "Make README.md better",
    "make README.md shorter",
    "create a better README.md",
    "list.txt の内容を README.md と同じにして",
    "write a script read.js that reads README.md",
    "写一个读取 README.md 的脚本 a.js",
    "README.md を読むスクリプト a.js を書いて",
    "write a copy of README.md",
    "save README.md to b.md",
    "create a.txt with the content of README.md",
    "write the current date to now.txt",
    "write documentation in README.md",
    "write to README.md",
    "remove the TODO from src/price.js",
    "remove the first line of README.md",
    "delete the function total from src/price.js",
    "remove unused code in src/price.js",
    "删除 src/price.js 里的注释",
    "src/price.js のコメントを削除して",
    "add types to src/price.js",
    "add a function average to src/price.js",
    "给 src/price.js 加上错误处理",
    "src/price.js にエラー処理を追加して",
    "delete all .txt files",
    "把 README.md 的前两行写到 a.txt",
    "README.md の最初の2行を a.txt に書いて",
    "写点东西到 a.txt",
    "create a script that prints README.md",
    "make a.js that displays the contents",
    "write a.txt with hello and b.txt",
    "empty the folder src",
    "run the linter on src/price.js",
    "src/price.js のリンターを実行して",
    "remove duplicates from list.txt",
    "remove TODO from src/price.js",
    "delete everything from list.txt",
    "delete list.txt from README.md",
    "make README.md say something nice",
    "make list.txt say it better",
    "save the results to list.txt",
    "put it in list.txt",
    "把 list.txt 里的 one 改成英文",
    "把 list.txt 的第一行删掉",
    "把它写进 list.txt",
    "list.txt の one を大文字に変えて",
    "list.txt の1行目を消して",
    "検索結果を list.txt に保存して",
    "change it to uppercase in README.md",
    "change total to be an integer in src/price.js",
    "find the TODO in src/price.js, then delete it",
    "把 README.md 里的标题改成英文",
    'create index.html with a heading "Hi"',
    "write a fibonacci function in fib.ts",
    "create x.js that logs the numbers 1 to 5",
    "create x.js that prints hello on every request",
    "write a function that reverses a string in rev.js",
    "write a REST API in api.ts",
    "write mul.py that multiplies two numbers and run it",
    "Write sort.js that sorts a list of words",
    "if README.md is empty, delete list.txt",
    "explain how to open README.md and delete list.txt",
    "Don't read README.md, delete list.txt",
    "如果 README.md 是空的，删除 list.txt",
    "もし README.md が空なら、list.txt を削除して",
  ])("changes nothing and says so: %s", (prompt) => {
    for (const tools of OFFERS) {
      const { final, calls, files, lost } = playInZoo(prompt, tools);
      expect(lost).toEqual([]);
      expect(final).not.toMatch(DONE);
      expect(calls.filter(({ name }) => !["bash", "glob", "read_file"].includes(name))).toEqual([]);
      expect(files.toSorted()).toEqual(["README.md", "list.txt", "src", "src/price.js"]);
    }
  });

  test.each([
    ["create README.md", /README\.md is already there/],
    ["write hi to README.md", /already there[^]*“append … to README\.md”/],
    ["write 'hi' to README.md", /already there/],
    ["把你好写入 README.md", /已经存在[^]*追加/],
    ["写一个把两个数相加的 src/price.js", /已经存在/],
    ["README.md を作って", /すでにある/],
    ["rename list.txt to README.md", /already there/],
    ["copy list.txt to README.md", /already there/],
    ["write a summary of list.txt to README.md", /already there/],
    ["create src/a.txt and README.md", /README\.md is already there/],
  ])("leaves a file that is there: %s", (prompt, answer) => {
    for (const tools of OFFERS)
      expect(playInZoo(prompt, tools)).toMatchObject({ lost: [], final: expect.stringMatching(answer) });
  });

  /** Calls nothing: what is said of the command or the file is no plain order. */
  const NO_CALL = [
    // Behind a part that is not understood nothing more is done.
    "back up list.txt, then delete list.txt",
    "zip list.txt and then delete list.txt",
    "run the tests; if they pass, delete list.txt",
    "ask me first, then delete list.txt",
    "only if it is empty, delete list.txt",
    "under no circumstances, delete list.txt",
    "先备份 list.txt，然后删除 list.txt",
    "要是空的，删除 list.txt",
    "list.txt をバックアップして、list.txt を削除して",
    "运行测试，通过的话，删除 list.txt",
    "运行测试，通过了就删除 list.txt",
    // About a command.
    "rm -rf * is dangerous",
    "rm -rf src would be bad",
    "rm -f list.txt means what",
    "echo x > list.txt would overwrite it",
    "git reset --hard is dangerous",
    "npm publish failed, why?",
    "rm list.txt?",
    "git push?",
    "`rm -rf src` is dangerous",
    "rm -rf src can be undone",
    "rm -rf src - no",
    "git push -f; what does that do",
    "运行 git push，不对，运行 git status",
    "run rm -rf src would be bad",
    // The sentence goes on.
    "rm -rf src を実行するとどうなりますか",
    "rm -rf src を実行してはいけない",
    "rm -rf src を実行してもいいですか",
    "rm -rf src を実行したのは誰？",
    "npm publish を実行するのは危険です",
    "テストを実行するとどうなりますか",
    "运行 rm -rf src 安全吗",
    "可以运行 rm -rf src 吗",
    "运行 rm -rf src 会怎样",
    "运行 `rm -rf src` 会怎样",
    "run rm -rf src if the tests pass",
    "run rm -rf src unless there are changes",
    "run rm -rf src after asking me",
    "run `touch x` when the tests pass",
    "run `touch x` in the folder src",
    // Questions, conditions, things that are forbidden or done.
    "delete list.txt?",
    "install lodash?",
    "rename list.txt to b.txt?",
    "删除了 list.txt",
    "删除 list.txt，如果它是空的",
    "运行 rm -rf src，如果测试通过",
    "list.txt の内容を「x」にして、README.md があれば",
    "rm -rf src を実行して、いいですか",
    "make list.txt say nothing",
    "把 list.txt 的内容改成更好的",
    "删除 list.txt，前提是测试通过",
    "list.txt を削除して、先に確認して",
    "list.txt を削除して、テストが通ったあとで",
    "运行 rm -rf src，先问我",
    "rm -rf src を実行、先に確認して",
    "run rm -rf src, but ask me",
    "run rm -rf src; ask me first",
    "删除 list.txt 的备份",
    "list.txt のバックアップを削除して",
    "可以删除 list.txt 吗",
    "list.txt を空にしてはいけない",
    "list.txt を空にしてもいいですか",
    "list.txt を空にすると危険ですか",
    "list.txt の one を two に変えてはいけない",
    "list.txt の one を two に変えたのは誰",
    "list.txt の one を消してもいいですか",
    "list.txt を src に移動してもいいですか",
    'create a.txt with the text "new" only if it does not exist',
    'create a.txt with the text "new" unless it exists',
    'create a.txt with the text "new", but keep the old one',
    "list.txt を削除して、いや README.md を削除して",
    // Half understood.
    'add "delta" before "one" in list.txt',
    "add delta before one in list.txt",
    "在 list.txt 第 1 行后面插入“新行”",
    "list.txt の1行目に「x」を挿入して",
    'replace the word "one" in list.txt by nothing',
    "package.json 的 version 改成 2.0.0",
    "config.ini の PORT を 8080 に変えて",
    "merge branch dev",
    "switch to branch main",
    "切换到 main 分支",
    "main ブランチに切り替えて",
    "统计 src 里每个文件的行数",
    "合并 dev 分支",
  ];
  test.each(NO_CALL)("calls nothing and says so: %s", (prompt) => {
    for (const tools of OFFERS) {
      const { text, calls } = partsOf(ask(prompt, tools));
      expect(calls).toEqual([]);
      expect(text).toMatch(/did not understand|did nothing|没看懂|没有做|わかりませんでした|実行していません/);
    }
  });

  test.each([
    [
      "make a file list.txt that says new",
      /list\.txt is already there, so I left it[^]*“replace the contents of list\.txt/,
    ],
    ['create list.txt with the text "new"', /already there/],
    ["create list.txt with new, then run ls", /already there[^]*\nI did nothing about this: Run `ls`$/],
    ["新建 list.txt，内容是 new", /已经存在[^]*内容改成/],
    ["把 new 写入 list.txt", /已经存在/],
    ["写一个打印 new 的 src/price.js", /已经存在/],
    ["new と書いた list.txt を作って", /すでにある[^]*の内容を…にして/],
    ["list.txt に new と書いて", /すでにある/],
    ["make a file list.txt that says one", /^list\.txt is already there and says exactly that\.$/],
    ["新建 list.txt，内容是 one", /^list\.txt 已经存在，内容正是这样。$/],
    ["one と書いた list.txt を作って", /^list\.txt はすでにあり、内容もそのとおりです。$/],
    ["create ~/list.txt that says new", /list\.txt is already there/],
    ["create ./list.txt that says new", /list\.txt is already there/],
    ["create list.txt with one, then read it", /exactly that\.\nlist\.txt has 1 line/],
  ])("creating looks first: %s", (prompt, says) => {
    for (const tools of OFFERS) {
      expect(playInZoo(prompt, tools)).toMatchObject({ lost: [], final: expect.stringMatching(says) });
    }
  });

  const FILES_AT_STAKE = ["README.md", "src/price.js", "list.txt"];
  const combine = (verbs: string[], forms: string[]): string[] =>
    verbs.flatMap((verb) => forms.map((form) => form.replace("V", () => verb)));
  const DELETING = [
    "delete",
    "remove",
    "rm",
    "erase",
    "empty",
    "clear",
    "删除",
    "删掉",
    "去掉",
    "清空",
    "削除して",
    "消して",
  ];
  const PROMPTS: [language: string, prompts: string[]][] = [
    [
      "English",
      combine(
        // oxfmt-ignore
        [
          "make", "create", "write", "put", "save", "add", "append", "insert", "delete", "remove", "rm", "erase",
          "rename", "move", "mv", "copy", "cp", "replace", "empty", "clear", "change", "update", "generate", "touch", "build", "edit", "fix",
        ],
        // oxfmt-ignore
        [
          "V F", "V F better", "V a better F", "V a copy of F", "V a new F", "V the first line of F", "V F again",
          "V the TODO from F", "V comments in F", "V types to F", "V a comment to F", "V a script b.js that reads F",
          "V the current date to F", "V F to Chinese", "V F from git", "V F in English", "V everything in F",
          "V the heading of F into c.txt", "V F with better words", "V the title to shop in F",
          "V c.txt that says what F does", "V all of F but the title", "could you V the end of F?",
          "V comments from F", "V it from F", "V it in F", "V F say it better", "V F say something nice",
          "V the word that comes first from F",
        ],
      ),
    ],
    [
      "Chinese",
      combine(
        // oxfmt-ignore
        [
          "创建", "新建", "写", "写入", "添加", "追加", "删除", "删掉", "去掉", "重命名", "移动", "复制", "替换", "修改", "生成", "更新", "优化", "清空",
        ],
        // oxfmt-ignore
        [
          "V F", "V F 里的注释", "把 F 里的注释V", "V一个更好的 F", "V一个读取 F 的脚本", "V F 的第一行", "把 F V得更好",
          "给 F V类型", "在 F 里V错误处理", "把 F V成英文", "把当前日期V到 F", "在 F 末尾V一行注释",
          "从 F 里V标题", "把 F 的第一行V", "把它V到 F", "把 F 里的标题V成英文", "让 F 的内容V得更好", "把结果V到 F",
        ],
      ),
    ],
    [
      "Japanese",
      combine(
        // oxfmt-ignore
        [
          "作って", "作成して", "書いて", "追加して", "追記して", "削除して", "消して", "変えて", "変更して", "リネームして", "コピーして",
          "移動して", "直して", "置き換えて",
        ],
        // oxfmt-ignore
        [
          "F をV", "F のコメントをV", "F の最初の行をV", "F を読むスクリプト a.js をV", "F に型をV", "F をもっと短くV",
          "F を英語にV", "もっと良い F をV", "F にエラー処理をV", "今日の日付を F にV", "F の末尾にコメントをV",
          "F から見出しをV", "F の1行目をV", "それを F にV", "F の見出しを英語にV", "F の内容を短くV", "結果を F にV",
        ],
      ),
    ],
  ];
  const explicit = new Set(DELETING.flatMap((verb) => [`${verb} F`, `F を${verb}`]));
  test.each(PROMPTS)("no verb with no qualifier harms a file in %s", { timeout: 60_000 }, (_, prompts) => {
    const sentences = prompts
      .filter((prompt) => !explicit.has(prompt))
      .flatMap((prompt) => FILES_AT_STAKE.map((file) => prompt.replace("F", () => file)));
    const harmful = [S01, S02].flatMap((tools) =>
      sentences.filter((sentence) => shown(ask(sentence, tools)) !== "" && playInZoo(sentence, tools).lost.length > 0),
    );
    expect(harmful).toEqual([]);
  });
});

/** What is said of a part that is not done, and of what cannot be done. */
const LEFT_UNDONE: [prompt: string, says: RegExp][] = [
  ["delete list.txt and nope.md", /^I deleted list\.txt\.\nI could not find nope\.md\./],
  ["删除 list.txt 和 nope.md", /^已删除 list\.txt。\n找不到 nope\.md。/],
  ["list.txt と nope.md を読んで", /^list\.txt は 1 行です：[^]*\nnope\.md が見つかりません。/],
  ["统计 nope.md 和 README.md 的行数", /^README\.md：3 行\n找不到 nope\.md。/],
  ["read README.md and nope.md", /^README\.md has 3 lines:[^]*\nI could not find nope\.md\./],
  ["list.txt 有几行、多少字节？", /^list\.txt：1 行\n[^]*4 list\.txt/],
  ["list.txt 是什么内容？顺便告诉我有几行", /one\n```\nlist\.txt：1 行$/],
  ["ls を実行して、ファイルがいくつあるか教えて", /\n次の指示は実行していません：ファイルがいくつあるか教えて$/],
  ["README.md を読んで、TODO の行があれば教えて", /\n次の指示は実行していません：TODO の行があれば教えて$/],
  ["run ls", /```$/],
  ["运行 ls", /```$/],
  ["ls を実行して", /```$/],
  ["check that list.txt exists, then delete README.md", /list\.txt\nI did nothing about this: delete README\.md$/],
  ["is there a list.txt? If so, delete README.md", /list\.txt\nI did nothing about this: delete README\.md$/],
  ["read list.txt and if it's empty delete it", /\nI did nothing about this: and if it's empty delete it$/],
  ["src/price.js は何をするファイル？", /\n次の指示は実行していません：何をするファイル$/],
  ["运行 ls，如果失败告诉我原因", /\n这一部分我没看懂：如果失败告诉我原因$/],
  ["src 里有没有 price.js", /- src\/price\.js$/],
  ["which node version and which files", /^Here it is:\n```\nv\d[^]*There are 4 entries/],
  ["Read README.md. Then read list.txt. Then tell me the difference.", /one\n```\n[^\n]*: tell me the difference$/],
  ["读取 README.md 和 list.txt，告诉我区别", /one\n```\n这一部分我没有做：告诉我区别$/],
  ["README.md と list.txt を読んで、違いを教えて", /one\n```\n次の指示は実行していません：違いを教えて$/],
  ["translate README.md to Chinese", /^I did nothing about this: translate README\.md to Chinese$/],
  ["commit", /^I committed nothing: .*commit with the message/],
  ["提交改动", /^我没有提交/],
  ["コミットして", /^コミットしていません/],
  ["read src/price.js and explain it", /Math\.floor[^]*\nI did nothing about this: explain it$/],
  ["list files sorted by size", /4 entries[^]*\nI did nothing about this: sorted by size$/],
  ["count the files that mention TODO", /\nI did nothing about this: that mention TODO$/],
  ["把 README.md 用中文介绍一下", /这一部分我没有做：用中文介绍一下$/],
  ["README.md を日本語で説明して", /次の指示は実行していません：日本語で説明して$/],
  ["txt ファイルを全部削除して", /^次の指示は実行していません：.*\nファイルは名前で/],
  ["run `exit 3`, then delete list.txt", /exit code 3[^]*\nI did nothing about this: Delete list\.txt$/],
  ["read nosuch.txt, then delete list.txt", /could not find[^]*\nI did nothing about this: Delete list\.txt$/],
  [
    "Create a.txt, list.txt and b.txt",
    /created a\.txt\.\nlist\.txt is already there[^]*\nI did nothing about this: Create b\.txt$/,
  ],
  ["clear list.txt", /^I emptied list\.txt\.$/],
  [
    "add a comment to src/price.js",
    /^I did nothing about this: .*\nI'm only .* a text that you quote, or add it at the end\.$/,
  ],
  ["delete the garbage", /^I did nothing about this: .*\nA file I delete by its name/],
  ["write a chess game in chess.js", /^I did nothing about this: .*\nI'm only .* write programs/],
  [
    "写一个 fib.js，打印前 10 个斐波那契数，然后跑一下",
    /^这一部分我没有做：写一个 fib\.js[^]*\n这一部分我没有做：跑一下$/,
  ],
  ["fib.js を作って、最初の10個のフィボナッチ数を表示して", /^次の指示は実行していません：fib\.js/],
];

/** What is shown of a result, however long, coloured or unfortunate it is. */
const SHOWN: [prompt: string, says: RegExp][] = [
  ["run seq 1 100000", /```\n1\n2\n[^]*\n…\n[^]*\n99999\n100000\n```$/],
  ["run seq 1 100; exit 7", /^That did not work: `seq 1 100; exit 7` failed\.\n```\n1\n[^]*\[exit code 7\]\n```$/],
  [String.raw`run printf '\033[31mred\033[0m'`, /```\nred\n```$/],
  ["run touch x.sh; ./x.sh", /^That did not work: [^]*Permission denied/],
  ["run echo 'Permission denied: no'; exit 1", /^That did not work: /],
  ["search for many", /:10:many\n- …$/],
  ["read ./src", /^That did not work: I could not read \.\/src\./],
  ["read README.md", /3 lines:\n```\n# Shop\n\nA shop\.\n```$/],
  ["what is README.md about?", /^README\.md: Shop$/],
  ["src 里有哪些文件", /^这里有 1 项：price\.js$/],
];

describe("whole conversations", () => {
  test.each([...LEFT_UNDONE, ...SHOWN])("what is said: %s", (prompt, says) => {
    put({ ...ZOO, "notes.txt": "hi\n", ...(prompt.includes("many") && { "many.txt": "many\n".repeat(33) }) });
    expect(play(prompt, S01).final).toMatch(says);
  });

  test.each(SCENES)("$prompt", ({ prompt, files = {}, leaves = {}, says }) => {
    for (const tools of [S01, S05]) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      put(files);
      const { final } = play(prompt, tools);
      expect(final).toMatch(says);
      for (const [file, text] of Object.entries(leaves)) {
        expect(existsSync(join(folder, file)) ? content(file) : undefined).toBe(text);
      }
    }
  });

  test("in a git repository: branch, commits and changes", () => {
    const git = "git -c user.name=a -c user.email=a@b.c";
    put({ "a.txt": "1\n" });
    realTools.bash?.({
      command: `git init -qb topic && git add . && ${git} commit -qm 'first words' && echo 2 > a.txt`,
    });
    expect(play("Which git branch am I on?", S01).final).toBe("You are on the branch topic.");
    expect(play("看看提交历史", S01).final).toContain("first words");
    expect(play("何が変わりましたか？", S01).final).toContain("M a.txt");
  });

  test("the to-do list follows the work", () => {
    const { calls } = play("Create a folder demo with index.js, utils.js and a README.md", S05);
    const statuses = calls
      .filter(({ name }) => name === "todo_write")
      .map(({ input }) => JSON.stringify(input).match(/(?<="status":")\w+/g));
    expect(calls.map(({ name }) => name)).toEqual([
      "todo_write",
      "bash",
      "write_file",
      "todo_write",
      "write_file",
      "todo_write",
      "write_file",
      "todo_write",
    ]);
    expect(statuses).toEqual([
      ["in_progress", "pending", "pending"],
      ["completed", "in_progress", "pending"],
      ["completed", "completed", "in_progress"],
      ["completed", "completed", "completed"],
    ]);
  });

  test.each(["Create a.txt, list.txt and b.txt", "read nosuch.txt, then delete list.txt"])(
    "no step stays in progress when the work ends early: %s",
    (prompt) => {
      put(ZOO);
      const { calls } = play(prompt, S05);
      const last = calls.findLast(({ name }) => name === "todo_write");
      expect(JSON.stringify(last?.input)).toMatch(/pending/);
      expect(JSON.stringify(last?.input)).not.toMatch(/in_progress/);
    },
  );

  test("a reminder makes a list of work begun without one", () => {
    put({ "README.md": "1\n", LICENSE: "1\n2\n", "package.json": "{}\n", "tsconfig.json": "{}\n" });
    const { calls, final } = play(
      "Count the lines of README.md, LICENSE, package.json and tsconfig.json, one command at a time",
      S05,
    );
    expect(calls.map(({ name }) => name)).toEqual(["bash", "bash", "bash", "todo_write", "bash", "todo_write"]);
    expect(JSON.stringify(calls[3]?.input).match(/(?<="status":")\w+/g)).toEqual([
      "completed",
      "completed",
      "completed",
      "in_progress",
    ]);
    expect(final).toBe("README.md: 1 line\nLICENSE: 2 lines\npackage.json: 1 line\ntsconfig.json: 1 line");
  });

  test.each([
    ["Run sudo id", /not allowed.*\(sudo is never run\)/],
    ["创建 a.js 打印 hi，然后运行它", /没有得到许可，[^(（]*\nharness 给出的理由：sudo is never run$/],
    ["notes.txt を削除して", /許可されなかった/],
  ])("a refusal is taken, not worked around: %s", (prompt, answer) => {
    const refused = (): Answer => ({ error: "Permission denied: sudo is never run" });
    const { calls, final } = play(prompt, S01, { bash: refused });
    expect(calls).toHaveLength(1);
    expect(final).toMatch(answer);
  });

  test("an interruption ends the work", () => {
    const { calls, final } = play("Create a.js that prints hi, then run it", S01, {
      bash: () => ({ error: "Interrupted by the user" }),
    });
    expect(calls).toHaveLength(1);
    expect(final).toMatch(/interrupted/);
  });

  test("no half characters come out of long output", () => {
    const long = "😀".repeat(30_000);
    for (const prompt of ["Read a.md", "Read a.txt", "run `x`", "search for x"]) {
      for (const shift of ["", "x"]) {
        const { final } = play(prompt, S01, { bash: () => shift + long });
        expect(final.isWellFormed()).toBe(true);
        expect(
          play(prompt, S01, { bash: () => ({ error: `Permission denied: ${shift}${long}` }) }).final.isWellFormed(),
        ).toBe(true);
      }
    }
  });

  test.each([
    ["do it again", "bash ls -d hello.js 2>/dev/null || true"],
    ["再来一次", "bash ls -d hello.js 2>/dev/null || true"],
    ["もう一度やって", "bash ls -d hello.js 2>/dev/null || true"],
    ["then run it", "bash node hello.js"],
    ["运行它", "bash node hello.js"],
    ["それを実行して", "bash node hello.js"],
    ["delete it", "bash rm hello.js"],
    ["现在删掉它", "bash rm hello.js"],
    ["それを消して", "bash rm hello.js"],
    ["and show it to me", "read_file hello.js"],
    ["その中身を見せて", "read_file hello.js"],
    ["rename it to b.js", "bash ls -d b.js 2>/dev/null || mv hello.js b.js"],
    ["then show me the files", "bash ls -p ."],
    ["What files are in this folder?", "bash ls -p ."],
  ])("after another prompt: %s", (prompt, calls) => {
    const earlier: MessageParam[] = [
      { role: "user", content: "Create an empty file hello.js" },
      { role: "assistant", content: "I created hello.js." },
    ];
    expect(shown(offlineModel(requestFor([...earlier, { role: "user", content: prompt }], S02)))).toBe(calls);
  });

  test.each([
    [["create a.js that reads README.md", "delete it"], ""],
    [["create hello.js", "change hi to hello in hello.js", "delete it"], ""],
    [["read README.md", "write a short summary to sum.md"], ""],
    [["write sum.js that adds two numbers", "write a test for price.js"], ""],
    [["write sum.js that adds two numbers", "write a test for it"], "bash ls -d sum.test.js 2>/dev/null || true"],
    [["create a folder called foo", "delete foo"], "bash rm -r foo"],
    [["创建文件夹 demo", "删除 demo"], "bash rm -r demo"],
    [["create a folder demo", "put a.txt in it"], "bash ls -d demo/a.txt 2>/dev/null || true"],
    [["create hello.txt", "show it", "delete it please"], "bash rm hello.txt"],
    [["新建 x.txt，写上 hi", "把它改名为 y.txt"], "bash ls -d y.txt 2>/dev/null || mv x.txt y.txt"],
  ])("what an earlier prompt spoke of: %j", (prompts, calls) => {
    const messages = prompts.map((prompt): MessageParam => ({ role: "user", content: prompt }));
    expect(shown(offlineModel(requestFor(messages, S02)))).toBe(calls);
  });

  test.each([
    ["hi を a.txt に書いて", "y", "すみません"],
    ["你好", "y", "抱歉"],
    ["hello", "你好", "你好"],
    ["你好", "read a.md", "I'll read a.md."],
    ["こんにちは", "?", "こんにちは"],
    ["你好", "ls -la", "我来运行 `ls -la`"],
    ["こんにちは", "git log --oneline", "`git log --oneline` を実行します"],
  ])("after %s, %s is answered in its language: %s", (earlier, prompt, answer) => {
    const messages = [earlier, prompt].map((said): MessageParam => ({ role: "user", content: said }));
    expect(partsOf(offlineModel(requestFor(messages, S02))).text.slice(0, answer.length)).toBe(answer);
  });

  test("what is proposed changes with the prompt, and fits the tools", () => {
    const proposals = (prompt: string, tools: string[]): string => partsOf(ask(prompt, tools)).text;
    expect(proposals("Tell me a joke", S01)).not.toBe(proposals("Tell me a joke!", S01));
    expect(proposals("Tell me a joke", S01)).toMatch(/branch|commits|hello\.js/);
    expect(proposals("Tell me a joke", S05)).toMatch(/demo|sum\.js/);
    for (const [prompt, line] of [
      ["Tell me a joke", "\n- Any shell command: run <command>"],
      ["讲个笑话", "\n- 任何 shell 命令：运行 <命令>"],
      ["冗談を言って", "\n- どんなシェルコマンドでも：<コマンド> を実行して"],
    ] as const) {
      expect(proposals(prompt, S02)).toContain(line);
    }
  });

  test("an earlier conversation does not count", () => {
    const messages: MessageParam[] = [
      { role: "user", content: "Run sudo id" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "toolu_1", name: "bash", input: { command: "sudo id" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "Permission denied: no", is_error: true }],
      },
      { role: "assistant", content: "I was not allowed to do that." },
      { role: "user", content: "ls" },
    ];
    expect(shown(offlineModel(requestFor(messages, S01)))).toBe("bash ls");
  });
});

// ---- Any request -----------------------------------------------------------------------------------------------

describe("any request", () => {
  test("the same request gets the same answer and is left as it was", () => {
    for (const prompt of FIRST_CALLS.flatMap(({ prompts }) => prompts)) {
      const request = requestFor([{ role: "user", content: prompt }], S05);
      const before = structuredClone(request);
      expect(offlineModel(request)).toEqual(offlineModel(request));
      expect(request).toEqual(before);
    }
  });

  const messages: [what: string, messages: unknown][] = [
    ["no messages", []],
    ["messages that are no list", "hello"],
    ["a message that is none", [null, 3, "x"]],
    ["empty text", [{ role: "user", content: "" }]],
    ["no content", [{ role: "user" }]],
    ["empty content", [{ role: "user", content: [] }]],
    ["unknown blocks", [{ role: "user", content: [{ type: "hologram" }, null, { type: "text" }] }]],
    ["a result without a call", [{ role: "user", content: [{ type: "tool_result", tool_use_id: "x" }] }]],
    [
      "a call without input",
      [
        { role: "user", content: "ls" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "bash" }] },
      ],
    ],
    [
      "result content in blocks",
      [
        { role: "user", content: "ls" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "bash", input: {} }] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: [{ type: "image" }, { type: "text", text: "a.txt" }] },
          ],
        },
      ],
    ],
    [
      "more calls than the plan has",
      [
        { role: "user", content: "hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "x", input: {} }] },
      ],
    ],
    [
      "a failed call the plan has not",
      [
        { role: "user", content: "hello" },
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "x", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", is_error: true }] },
      ],
    ],
    ["only a reminder", [{ role: "user", content: "<reminder>Update your todos.</reminder>" }]],
    ["half a character", [{ role: "user", content: "read \ud83d.txt" }]],
    ["marks of our own", [{ role: "user", content: "read \uE0007\uE001 and 'a.txt'" }]],
    ...["x", "to ", "a.b ", "'", "“", "write a to ", "と", "を", "、", "的", "把", "run ", "<reminder>", "../"].map(
      (text): [string, unknown] => [
        `a million characters of "${text}"`,
        [{ role: "user", content: text.repeat(1_000_000 / text.length) }],
      ],
    ),
  ];
  test.each(messages)("%s: an answer, no error", (_, odd) => {
    const request: MessageCreateParams = { ...requestFor([], S05), ...JSON.parse(JSON.stringify({ messages: odd })) };
    const { text, calls } = partsOf(offlineModel(request));
    expect(text !== "" || calls.length > 0).toBe(true);
  });

  test("a tool that is demanded is called with the least its schema takes", () => {
    const request: MessageCreateParams = {
      ...requestFor([{ role: "user", content: "hello" }], []),
      tools: [
        {
          name: "save",
          input_schema: {
            type: "object",
            required: ["memories", "kind", "count", "title", "owner"],
            properties: {
              memories: { type: "array", items: { type: "string" } },
              kind: { enum: ["user", "project"] },
              count: { type: "integer", minimum: 2 },
              title: { type: "string", minLength: 6 },
              owner: { $ref: "#/$defs/owner" },
              note: { type: "string" },
            },
            $defs: { owner: { anyOf: [{ type: "null" }, { type: "string" }] } },
          },
        },
      ],
    };
    const least = { memories: [], kind: "user", count: 2, title: "none..", owner: null };
    for (const tool_choice of [{ type: "tool", name: "save" }, { type: "any" }] as const) {
      expect(offlineModel({ ...request, tool_choice })).toEqual({
        kind: "reply",
        parts: [{ name: "save", input: least }],
      });
    }
  });

  test("no tool is called when that is forbidden", () => {
    const request = requestFor([{ role: "user", content: "ls" }], S01);
    expect(partsOf(offlineModel({ ...request, tool_choice: { type: "none" } })).calls).toEqual([]);
  });

  test.each([
    ["Select the relevant memories.\n1. likes tea\n2. uses vim", "[]"],
    ["Extract new memories from this conversation: …", "[]"],
    ["Consolidate these memories: …", "[]"],
  ])("a side call: %s", (prompt, answer) => {
    expect(ask(prompt, [])).toEqual({ kind: "reply", parts: [answer] });
  });

  test("a summary says where the text began and ended and what files it named, in far fewer words", () => {
    const text = `user: read src/loop.ts\n${"assistant: and so on\n".repeat(200)}assistant: all tests pass`;
    const { text: summary } = partsOf(
      offlineModel(requestFor([{ role: "user", content: `Summarise this:\n${text}` }], [])),
    );
    expect(summary).toContain("src/loop.ts");
    expect(summary).toContain("all tests pass");
    expect(summary.length).toBeLessThan(text.length / 4);
  });

  test("a JSON schema for the answer is kept", () => {
    const schema = {
      type: "object",
      required: ["picks"],
      properties: { picks: { type: "array", items: { type: "integer" } } },
    };
    const request: MessageCreateParams = {
      ...requestFor([{ role: "user", content: "Select" }], []),
      output_config: { format: { type: "json_schema", schema } },
    };
    expect(offlineModel(request)).toEqual({ kind: "reply", parts: ['{"picks":[]}'] });
  });
});
