/** What the offline model says, per language. */
import type { Language } from "./phrases.ts";

/** What a step does to its object: "create hello.js". */
export type Verb = "look at" | "read" | "create" | "change" | "delete" | "rename" | "copy" | "run" | "search" | "check";

const VERBS: Record<Language, Record<Verb, string>> = {
  en: {
    "look at": "look at",
    read: "read",
    create: "create",
    change: "edit",
    delete: "delete",
    rename: "rename",
    copy: "copy",
    run: "run",
    search: "search for",
    check: "check",
  },
  zh: {
    "look at": "查看",
    read: "读取",
    create: "创建",
    change: "修改",
    delete: "删除",
    rename: "重命名",
    copy: "复制",
    run: "运行",
    search: "查找",
    check: "查看",
  },
  // Nouns that する makes a verb of.
  ja: {
    "look at": "確認",
    read: "確認",
    create: "作成",
    change: "編集",
    delete: "削除",
    rename: "リネーム",
    copy: "コピー",
    run: "実行",
    search: "検索",
    check: "確認",
  },
};

// Names in Latin letters are set off by a space.
const chineseStep = (verb: Verb, object: string): string =>
  /^\p{Script=Han}/u.test(object) ? `${VERBS.zh[verb]}${object}` : `${VERBS.zh[verb]} ${object}`;
const japaneseStep = (verb: Verb, object: string): string =>
  /[\p{L}ー]$/u.test(object) && !/\w$/.test(object) ? `${object}を${VERBS.ja[verb]}` : `${object} を${VERBS.ja[verb]}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const fenced = (output: string): string => `\n\`\`\`\n${output}\n\`\`\``;

const bullets = (lines: string[]): string => lines.map((line) => `\n- ${line}`).join("");

const english = {
  todo: (verb: Verb, object: string): string => capital(`${VERBS.en[verb]} ${object}`),
  lead: (verb: Verb, object: string): string => `I'll ${VERBS.en[verb]} ${object}.`,
  folder: "the folder",
  branchObject: "the current branch",
  commits: "the latest commits",
  changeList: "what has changed",
  date: "the date",
  nodeVersion: "the Node.js version",
  linesOf: (file: string): string => `the number of lines of ${file}`,
  fileCount: "the number of files",
  and: (names: string[]): string =>
    names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`,

  hello: "Hello! I'm the offline model of this course: a handful of rules that stand in for a real model.",
  welcome: "You're welcome!",
  leave: "In a chapter's prompt loop q, Ctrl-C or Ctrl-D leaves.",
  bye: "Goodbye!",
  unknown: "Sorry, I did not understand that. I'm the offline model, a handful of rules and no real language model.",
  notUnderstood: (part: string): string => `I did not understand this part: ${part}`,
  tryThese: (prompts: string[]): string =>
    prompts.length === 0
      ? "No tool is offered here, so I can only talk."
      : `You could try:${bullets([...prompts, english.anyCommand])}`,
  noTool: "I can't do that here: none of the tools I was given fits.",

  denied: (reason: string): string =>
    `I was not allowed to do that (${reason}), so I stopped here. Nothing else was tried.`,
  interrupted: "That was interrupted, so I stopped here. Tell me if I should start again.",
  failed: (verb: Verb, object: string, output: string): string =>
    verb === "run"
      ? `That did not work: ${object} failed.${fenced(output)}`
      : `That did not work: I could not ${VERBS.en[verb]} ${object}.${fenced(output)}`,
  /** A file that is there keeps its content unless it is clear what is to become of it. */
  addOrReplace: (file: string): string =>
    `To add to it, say “append … to ${file}”; to replace all of it, “replace the contents of ${file} with …”.`,
  missing: (what: string, names: string[]): string =>
    names.length === 0
      ? `I could not find ${what}. ${english.entries([])}`
      : `I could not find ${what}. What is there: ${names.join(", ")}`,
  noSuchText: (content: string): string =>
    `The text to replace is not in the file, so I changed nothing. The file says:${fenced(content)}`,

  entries: (names: string[]): string =>
    names.length === 0
      ? "The folder is empty; hidden files, if there are any, are not shown."
      : `There ${names.length === 1 ? "is 1 entry" : `are ${names.length} entries`}: ${names.join(", ")}`,
  found: (names: string[]): string =>
    names.length === 0
      ? "I found no such files."
      : `I found ${names.length} file${names.length === 1 ? "" : "s"}:${bullets(names)}`,
  places: (lines: string[]): string =>
    lines.length === 0 ? "I found it nowhere." : `I found it here:${bullets(lines)}`,
  about: (file: string, title: string): string => `${file}: ${title}`,
  begins: (file: string, lines: number, start: string): string =>
    `${file} has ${lines} line${lines === 1 ? "" : "s"}:${fenced(start)}`,
  emptyFile: (file: string): string => `${file} is empty.`,
  created: (file: string): string => `I created ${file}.`,
  wrote: (file: string): string => `I wrote ${file}.`,
  changed: (file: string): string => `I changed ${file}.`,
  deleted: (file: string): string => `I deleted ${file}.`,
  emptied: (file: string): string => `I emptied ${file}.`,
  moved: (file: string, folder: string): string => `I moved ${file} to ${folder}.`,
  renamed: (from: string, to: string): string => `${from} is now called ${to}.`,
  copied: (from: string, to: string): string => `I copied ${from} to ${to}.`,
  madeFolder: (folder: string): string => `I made the folder ${folder}.`,
  printed: (command: string, output: string): string => `\`${command}\` printed:${fenced(output)}`,
  silent: (command: string): string => `\`${command}\` ran and printed nothing.`,
  /** `name` is empty for a detached HEAD. */
  branch: (name: string): string =>
    name === "" ? "You are on no branch (detached HEAD)." : `You are on the branch ${name}.`,
  lines: (file: string, count: string): string => `${file}: ${count} line${count === "1" ? "" : "s"}`,
  files: (count: string): string => `There ${count === "1" ? "is 1 file" : `are ${count} files`} here.`,
  answer: (output: string): string => `Here it is:${fenced(output)}`,
  changes: (status: string): string =>
    status === "" ? "Nothing has changed since the last commit." : `These files have changed:${fenced(status)}`,
  onlyRules:
    "I can show you the code, but I'm only a handful of rules: finding and fixing a fault in it takes a real model.",
  cannotWrite:
    "I'm only a handful of rules: I can write programs that print a text, or that add, subtract or multiply two numbers.",
  cannotChange: "I'm only a handful of rules: I can replace or remove a text that you quote, or add it at the end.",
  undone: (part: string): string => `I did nothing about this: ${part}`,
  alreadyThere: (file: string): string => `${file} is already there, so I left it as it is.`,
  saysSo: (file: string): string => `${file} is already there and says exactly that.`,
  thisIs: (title: string): string => `This is ${title}`,
  tools: (names: string[]): string =>
    names.length === 0 ? "I was given no tools here." : `I was given these tools: ${names.join(", ")}`,
  nameTheMessage: "I committed nothing: say what the commit is to say, as in “commit with the message 'First draft'”.",
  nameWhatToDelete: "A file I delete by its name, a folder when you call it one: say “Delete the folder <name>”.",
  anyCommand: "Any shell command: run <command>",
  summaryTitle: "Summary",
};

export type Words = typeof english;

const chinese: Words = {
  todo: (verb, object) => chineseStep(verb, object),
  lead: (verb, object) => `我来${chineseStep(verb, object)}。`,
  folder: "这个文件夹",
  branchObject: "当前分支",
  commits: "最近的提交",
  changeList: "有哪些改动",
  date: "日期",
  nodeVersion: "Node.js 版本",
  linesOf: (file) => `${file} 的行数`,
  fileCount: "文件数量",
  and: (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join("、")} 和 ${names.at(-1)}`),

  hello: "你好！我是本课程的离线模型：只是几条规则，代替真正的模型。",
  welcome: "不客气！",
  leave: "在章节的提示符下，输入 q，或按 Ctrl-C、Ctrl-D 就能退出。",
  bye: "再见！",
  unknown: "抱歉，我没看懂。我是离线模型，只有几条规则，不是真正的语言模型。",
  notUnderstood: (part) => `这一部分我没看懂：${part}`,
  tryThese: (prompts) =>
    prompts.length === 0
      ? "这里没有给我任何工具，我只能聊天。"
      : `你可以试试：${bullets([...prompts, chinese.anyCommand])}`,
  noTool: "这件事我在这里做不到：给我的工具里没有合适的。",

  denied: (reason) => `这一步没有得到许可，我就停在这里，没有再做别的尝试。\nharness 给出的理由：${reason}`,
  interrupted: "刚才被中断了，我先停在这里。需要的话请让我重新开始。",
  failed: (verb, object, output) =>
    `没有成功：${verb === "run" ? `${object} 出错了` : `没能${chineseStep(verb, object)}`}。${fenced(output)}`,
  addOrReplace: (file) => `要添加，请说“在 ${file} 末尾追加……”；要整个换掉，请说“把 ${file} 的内容改成……”。`,
  missing: (what, names) =>
    `找不到 ${what}。${names.length === 0 ? chinese.entries([]) : `这里有：${names.join("、")}`}`,
  noSuchText: (content) => `文件里没有要替换的文字，所以我什么都没改。文件内容是：${fenced(content)}`,

  entries: (names) =>
    names.length === 0 ? "这个文件夹是空的（隐藏文件不会显示）。" : `这里有 ${names.length} 项：${names.join("、")}`,
  found: (names) => (names.length === 0 ? "没有找到这样的文件。" : `找到 ${names.length} 个文件：${bullets(names)}`),
  places: (lines) => (lines.length === 0 ? "哪里都没有找到。" : `在这些地方找到了：${bullets(lines)}`),
  about: (file, title) => `${file}：${title}`,
  begins: (file, lines, start) => `${file} 共 ${lines} 行：${fenced(start)}`,
  emptyFile: (file) => `${file} 是空的。`,
  created: (file) => `已创建 ${file}。`,
  wrote: (file) => `已写入 ${file}。`,
  changed: (file) => `已修改 ${file}。`,
  deleted: (file) => `已删除 ${file}。`,
  emptied: (file) => `已清空 ${file}。`,
  moved: (file, folder) => `${file} 已移动到 ${folder}。`,
  renamed: (from, to) => `${from} 已改名为 ${to}。`,
  copied: (from, to) => `已把 ${from} 复制为 ${to}。`,
  madeFolder: (folder) => `已创建文件夹 ${folder}。`,
  printed: (command, output) => `\`${command}\` 的输出：${fenced(output)}`,
  silent: (command) => `\`${command}\` 已运行，没有输出。`,
  branch: (name) => (name === "" ? "当前不在任何分支上（detached HEAD）。" : `当前分支是 ${name}。`),
  lines: (file, count) => `${file}：${count} 行`,
  files: (count) => `这里有 ${count} 个文件。`,
  answer: (output) => `结果如下：${fenced(output)}`,
  changes: (status) => (status === "" ? "自上次提交以来没有改动。" : `有这些改动：${fenced(status)}`),
  onlyRules: "代码可以给你看，但我只有几条规则：要找出并修好其中的问题，需要真正的模型。",
  cannotWrite: "我只有几条规则：能写打印一段文字的程序，或者对两个数做加、减、乘的程序。",
  cannotChange: "我只有几条规则：能替换或删掉文件里你用引号写明的文字，或者把它加在末尾。",
  undone: (part) => `这一部分我没有做：${part}`,
  alreadyThere: (file) => `${file} 已经存在，我没有改动。`,
  saysSo: (file) => `${file} 已经存在，内容正是这样。`,
  thisIs: (title) => `这个项目叫 ${title.replace(": ", "，说明是：")}`,
  tools: (names) => (names.length === 0 ? "这里没有给我任何工具。" : `给我的工具有：${names.join("、")}`),
  nameTheMessage: "我没有提交：请写明提交信息，例如“提交改动，信息是‘初稿’”。",
  nameWhatToDelete: "删除文件，请写明文件名；删除文件夹，请写明它是文件夹，例如“删除文件夹 <名称>”。",
  anyCommand: "任何 shell 命令：运行 <命令>",
  summaryTitle: "摘要",
};

const japanese: Words = {
  todo: (verb, object) => `${japaneseStep(verb, object)}する`,
  lead: (verb, object) => `${japaneseStep(verb, object)}します。`,
  folder: "フォルダー",
  branchObject: "現在のブランチ",
  commits: "最近のコミット",
  changeList: "変更点",
  date: "日付",
  nodeVersion: "Node.js のバージョン",
  linesOf: (file) => `${file} の行数`,
  fileCount: "ファイルの数",
  and: (names) => names.join(" と "),

  hello: "こんにちは！この講座のオフラインモデルです。本物の言語モデルではなく、いくつかの規則で動いています。",
  welcome: "どういたしまして！",
  leave: "章のプロンプトでは、q、Ctrl-C、Ctrl-D のどれでも終了できます。",
  bye: "さようなら！",
  unknown: "すみません、わかりませんでした。本物の言語モデルではなく、いくつかの規則で動くオフラインモデルです。",
  notUnderstood: (part) => `この部分はわかりませんでした：${part}`,
  tryThese: (prompts) =>
    prompts.length === 0
      ? "ここではツールが渡されていないので、お話しすることしかできません。"
      : `たとえば、こう言ってみてください：${bullets([...prompts, japanese.anyCommand])}`,
  noTool: "ここではできません。渡されたツールの中に使えるものがありません。",

  denied: (reason) =>
    `許可されなかったので、ここで止めました。ほかのことは試していません。\nハーネスが示した理由：${reason}`,
  interrupted: "中断されたので、ここで止めました。やり直す場合は声をかけてください。",
  failed: (verb, object, output) =>
    `うまくいきませんでした。${verb === "run" ? `${object} が失敗しました` : `${japaneseStep(verb, object)}できませんでした`}。${fenced(output)}`,
  addOrReplace: (file) =>
    `書き足すなら「${file} の末尾に…を追記して」、全部を置き換えるなら「${file} の内容を…にして」と言ってください。`,
  missing: (what, names) =>
    `${what} が見つかりません。${names.length === 0 ? japanese.entries([]) : `ここにあるもの：${names.join("、")}`}`,
  noSuchText: (content) =>
    `置き換える文字列がファイルにないので、何も変更していません。ファイルの内容：${fenced(content)}`,

  entries: (names) =>
    names.length === 0
      ? "フォルダーは空です（隠しファイルは表示されません）。"
      : `${names.length} 件あります：${names.join("、")}`,
  found: (names) =>
    names.length === 0
      ? "そのようなファイルは見つかりませんでした。"
      : `${names.length} 個のファイルが見つかりました：${bullets(names)}`,
  places: (lines) =>
    lines.length === 0 ? "どこにも見つかりませんでした。" : `次の場所で見つかりました：${bullets(lines)}`,
  about: (file, title) => `${file}：${title}`,
  begins: (file, lines, start) => `${file} は ${lines} 行です：${fenced(start)}`,
  emptyFile: (file) => `${file} は空です。`,
  created: (file) => `${file} を作成しました。`,
  wrote: (file) => `${file} に書き込みました。`,
  changed: (file) => `${file} を編集しました。`,
  deleted: (file) => `${file} を削除しました。`,
  emptied: (file) => `${file} を空にしました。`,
  moved: (file, folder) => `${file} を ${folder} に移動しました。`,
  renamed: (from, to) => `${from} の名前を ${to} に変更しました。`,
  copied: (from, to) => `${from} を ${to} にコピーしました。`,
  madeFolder: (folder) => `${folder} フォルダーを作成しました。`,
  printed: (command, output) => `\`${command}\` の出力：${fenced(output)}`,
  silent: (command) => `\`${command}\` を実行しました。出力はありません。`,
  branch: (name) => (name === "" ? "どのブランチにもいません（detached HEAD）。" : `現在のブランチは ${name} です。`),
  lines: (file, count) => `${file}：${count} 行`,
  files: (count) => `ここには ${count} 個のファイルがあります。`,
  answer: (output) => `結果はこちらです：${fenced(output)}`,
  changes: (status) =>
    status === "" ? "前回のコミットから変更はありません。" : `変更点はこちらです：${fenced(status)}`,
  onlyRules:
    "コードはお見せできますが、私はいくつかの規則にすぎません。不具合を見つけて直すには本物のモデルが必要です。",
  cannotWrite:
    "私はいくつかの規則で動いています。書けるのは、文字を表示するプログラムと、2つの数の足し算・引き算・掛け算をするプログラムだけです。",
  cannotChange: "私はいくつかの規則で動いています。引用符で示された文字列の置き換え、削除、末尾への追加ができます。",
  undone: (part) => `次の指示は実行していません：${part}`,
  alreadyThere: (file) => `${file} はすでにあるので、手を加えていません。`,
  saysSo: (file) => `${file} はすでにあり、内容もそのとおりです。`,
  thisIs: (title) =>
    title.includes(": ") ? title.replace(": ", " というプロジェクトです。説明：") : `${title} というプロジェクトです。`,
  tools: (names) =>
    names.length === 0 ? "ここではツールが渡されていません。" : `渡されているツール：${names.join("、")}`,
  nameTheMessage:
    "コミットしていません。「『最初の版』というメッセージでコミットして」のように、メッセージを示してください。",
  nameWhatToDelete:
    "ファイルは名前で、フォルダーはフォルダーだと示されれば削除します。「<名前> フォルダーを削除して」と言ってください。",
  anyCommand: "どんなシェルコマンドでも：<コマンド> を実行して",
  summaryTitle: "要約",
};

export const WORDS: Record<Language, Words> = { en: english, zh: chinese, ja: japanese };
