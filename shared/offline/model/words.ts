/** What the offline model says, in each language. `{0}` is the first value; `{0#line|lines}`: the word for one, or for more. */
export type Language = "en" | "zh" | "ja";

type Text = readonly [en: string, zh: string, ja: string];

const TEXTS = {
  // Steps: "I'll create hello.js."
  create: ["create {0}", "创建 {0}", "{0} を作成"],
  read: ["read {0}", "读取 {0}", "{0} を確認"],
  change: ["edit {0}", "修改 {0}", "{0} を編集"],
  delete: ["delete {0}", "删除 {0}", "{0} を削除"],
  rename: ["rename {0}", "重命名 {0}", "{0} をリネーム"],
  move: ["move {0}", "移动 {0}", "{0} を移動"],
  copy: ["copy {0}", "复制 {0}", "{0} をコピー"],
  run: ["run {0}", "运行 {0}", "{0} を実行"],
  search: ["search for {0}", "查找 {0}", "{0} を検索"],
  check: ["check {0}", "查看 {0}", "{0} を確認"],
  lookAt: ["look at {0}", "查看 {0}", "{0} を確認"],
  use: ["use {0}", "使用 {0}", "{0} を使用"],
  fix: ["fix {0}", "修复 {0}", "{0} を修正"],
  lead: ["I'll {0}.", "我来{0}。", "{0}します。"],
  todo: ["{0}", "{0}", "{0}する"],
  couldNot: ["I could not {0}.", "没能{0}。", "{0}できませんでした。"],
  // What a step is about.
  folder: ["the folder", "这个文件夹", "フォルダー"],
  branch: ["the current branch", "当前分支", "現在のブランチ"],
  commits: ["the latest commits", "最近的提交", "最近のコミット"],
  changeList: ["what has changed", "有哪些改动", "変更点"],
  linesOf: ["the number of lines of {0}", "{0} 的行数", "{0} の行数"],
  fileCount: ["the number of files", "文件数量", "ファイルの数"],
  theTests: ["the tests", "测试", "テスト"],
  theProject: ["the project", "这个项目", "プロジェクト"],
  // Talk.
  hello: [
    "Hello! I'm the offline model of this course: a handful of rules that stand in for a real model.",
    "你好！我是本课程的离线模型：只是几条规则，代替真正的模型。",
    "こんにちは！この講座のオフラインモデルです。本物の言語モデルではなく、いくつかの規則で動いています。",
  ],
  welcome: ["You're welcome!", "不客气！", "どういたしまして！"],
  leave: [
    "In a chapter's prompt loop q, Ctrl-C or Ctrl-D leaves.",
    "在章节的提示符下，输入 q，或按 Ctrl-C、Ctrl-D 就能退出。",
    "章のプロンプトでは、q、Ctrl-C、Ctrl-D のどれでも終了できます。",
  ],
  bye: ["Goodbye!", "再见！", "さようなら！"],
  nothing: ["All right, I did nothing.", "好的，我什么都没做。", "わかりました。何もしていません。"],
  tools: ["I was given these tools: {0}", "给我的工具有：{0}", "渡されているツール：{0}"],
  unknown: [
    "Sorry, I did not understand that. I'm the offline model, a handful of rules and no real language model.",
    "抱歉，我没看懂。我是离线模型，只有几条规则，不是真正的语言模型。",
    "すみません、わかりませんでした。本物の言語モデルではなく、いくつかの規則で動くオフラインモデルです。",
  ],
  notUnderstood: [
    "I did not understand this part, so I did nothing: {0}",
    "这一部分我没看懂，所以什么都没做：{0}",
    "この部分がわからなかったので、何もしていません：{0}",
  ],
  quoteIt: [
    "A text that I am to write or replace is clearest in quotation marks.",
    "要写入或替换的文字，请用引号括起来。",
    "書く文字列や置き換える文字列は、引用符で囲むと確実です。",
  ],
  tryThese: ["You could try:", "你可以试试：", "たとえば、こう言ってみてください："],
  noTools: [
    "No tool is offered here, so I can only talk.",
    "这里没有给我任何工具，我只能聊天。",
    "ここではツールが渡されていないので、お話しすることしかできません。",
  ],
  noTool: [
    "I can't do that here: none of the tools I was given fits.",
    "这件事我在这里做不到：给我的工具里没有合适的。",
    "ここではできません。渡されたツールの中に使えるものがありません。",
  ],
  // Failures.
  denied: [
    "I was not allowed to do that ({0}), so I stopped here. Nothing else was tried.",
    "这一步没有得到许可，我就停在这里，没有再做别的尝试。\nharness 给出的理由：{0}",
    "許可されなかったので、ここで止めました。ほかのことは試していません。\nハーネスが示した理由：{0}",
  ],
  interrupted: [
    "That was interrupted, so I stopped here. Tell me if I should start again.",
    "刚才被中断了，我先停在这里。需要的话请让我重新开始。",
    "中断されたので、ここで止めました。やり直す場合は声をかけてください。",
  ],
  failed: ["That did not work: {0}{1}", "没有成功：{0}{1}", "うまくいきませんでした。{0}{1}"],
  missing: ["I could not find {0}. {1}", "找不到 {0}。{1}", "{0} が見つかりません。{1}"],
  whatIsThere: ["What is there: {0}", "这里有：{0}", "ここにあるもの：{0}"],
  noSuchText: [
    "The text to replace is not in {0}, so I changed nothing. The file says:{1}",
    "{0} 里没有要替换的文字，所以我什么都没改。文件内容是：{1}",
    "置き換える文字列が {0} にないので、何も変更していません。ファイルの内容：{1}",
  ],
  undone: ["I did nothing about this: {0}", "这一部分我没有做：{0}", "次の指示は実行していません：{0}"],
  alreadyThere: [
    "{0} is already there, so I left it as it is. To add to it, say “append “…” to {0}”; to replace all of it, “replace the contents of {0} with “…””.",
    "{0} 已经存在，我没有改动。要添加，请说“在 {0} 末尾追加‘……’”；要整个换掉，请说“把 {0} 的内容改成‘……’”。",
    "{0} はすでにあるので、手を加えていません。書き足すなら「{0} の末尾に『…』を追記して」、全部を置き換えるなら「{0} の内容を『…』にして」と言ってください。",
  ],
  inTheWay: [
    "{0} is already there, so I did nothing.",
    "{0} 已经存在，所以我什么都没做。",
    "{0} はすでにあるので、何もしていません。",
  ],
  saysSo: [
    "{0} is already there and says exactly that.",
    "{0} 已经存在，内容正是这样。",
    "{0} はすでにあり、内容もそのとおりです。",
  ],
  // Reports.
  entries: ["There {0#is 1 entry|are {0} entries}: {1}", "这里有 {0} 项：{1}", "{0} 件あります：{1}"],
  noEntries: [
    "The folder is empty; hidden files, if there are any, are not shown.",
    "这个文件夹是空的（隐藏文件不会显示）。",
    "フォルダーは空です（隠しファイルは表示されません）。",
  ],
  found: ["I found {0} {0#file|files}:{1}", "找到 {0} 个文件：{1}", "{0} 個のファイルが見つかりました：{1}"],
  noneFound: ["I found no such files.", "没有找到这样的文件。", "そのようなファイルは見つかりませんでした。"],
  places: ["I found it here:{0}", "在这些地方找到了：{0}", "次の場所で見つかりました：{0}"],
  nowhere: ["I found it nowhere.", "哪里都没有找到。", "どこにも見つかりませんでした。"],
  about: ["{0}: {1}", "{0}：{1}", "{0}：{1}"],
  thisIs: ["This is {0}", "这个项目是 {0}", "このプロジェクト：{0}"],
  begins: ["{0} has {1} {1#line|lines}:{2}", "{0} 共 {1} 行：{2}", "{0} は {1} 行です：{2}"],
  emptyFile: ["{0} is empty.", "{0} 是空的。", "{0} は空です。"],
  exports: ["It exports: {0}", "它导出：{0}", "エクスポート：{0}"],
  testedBy: ["Tests: {0}", "测试：{0}", "テスト：{0}"],
  created: ["I created {0}.", "已创建 {0}。", "{0} を作成しました。"],
  wrote: ["I wrote {0}.", "已写入 {0}。", "{0} に書き込みました。"],
  changed: ["I changed {0}.", "已修改 {0}。", "{0} を編集しました。"],
  deleted: ["I deleted {0}.", "已删除 {0}。", "{0} を削除しました。"],
  emptied: ["I emptied {0}.", "已清空 {0}。", "{0} を空にしました。"],
  moved: ["I moved {0} to {1}.", "{0} 已移动到 {1}。", "{0} を {1} に移動しました。"],
  renamed: ["{0} is now called {1}.", "{0} 已改名为 {1}。", "{0} の名前を {1} に変更しました。"],
  copied: ["I copied {0} to {1}.", "已把 {0} 复制为 {1}。", "{0} を {1} にコピーしました。"],
  madeFolder: ["I made the folder {0}.", "已创建文件夹 {0}。", "{0} フォルダーを作成しました。"],
  made: ["I made {0}.", "已创建 {0}。", "{0} を作成しました。"],
  printed: ["`{0}` printed:{1}", "`{0}` 的输出：{1}", "`{0}` の出力：{1}"],
  silent: ["`{0}` ran and printed nothing.", "`{0}` 已运行，没有输出。", "`{0}` を実行しました。出力はありません。"],
  onBranch: ["You are on the branch {0}.", "当前分支是 {0}。", "現在のブランチは {0} です。"],
  onNoBranch: [
    "You are on no branch (detached HEAD).",
    "当前不在任何分支上（detached HEAD）。",
    "どのブランチにもいません（detached HEAD）。",
  ],
  lines: ["{0}: {1} {1#line|lines}", "{0}：{1} 行", "{0}：{1} 行"],
  files: ["There {0#is 1 file|are {0} files}.", "有 {0} 个文件。", "{0} 個のファイルがあります。"],
  answer: ["Here it is:{0}", "结果如下：{0}", "結果はこちらです：{0}"],
  changes: ["These files have changed:{0}", "有这些改动：{0}", "変更点はこちらです：{0}"],
  noChanges: [
    "Nothing has changed since the last commit.",
    "自上次提交以来没有改动。",
    "前回のコミットから変更はありません。",
  ],
  summary: ["Summary", "摘要", "要約"],
  // Tests.
  testsPass: ["All tests pass (`{0}`).", "测试全部通过（`{0}`）。", "テストはすべて通っています（`{0}`）。"],
  testsFail: ["`{0}` fails:{1}", "`{0}` 没有通过：{1}", "`{0}` は失敗しています：{1}"],
  noTests: ["I found no tests to run.", "没有找到可以运行的测试。", "実行できるテストが見つかりませんでした。"],
  nothingToFix: [
    "All tests pass already (`{0}`), so I changed nothing.",
    "测试本来就全部通过（`{0}`），所以我什么都没改。",
    "テストはすでにすべて通っているので（`{0}`）、何も変更していません。",
  ],
  attempt: ["Try {0}: line {2} of {1} ({3})", "尝试 {0}：{1} 第 {2} 行（{3}）", "試行 {0}：{1} の {2} 行目（{3}）"],
  fixed: [
    "Fixed: in {0}, line {1}\n\n- {2}\n+ {3}\n\nAll tests pass now (`{4}`, {5} {5#try|tries}).",
    "修好了：{0} 第 {1} 行\n\n- {2}\n+ {3}\n\n现在测试全部通过（`{4}`，尝试 {5} 次）。",
    "直しました：{0} の {1} 行目\n\n- {2}\n+ {3}\n\nテストはすべて通りました（`{4}`、試行 {5} 回）。",
  ],
  notFixed: [
    "I could not fix it: I tried {0} changes of one token each, none made all tests pass, and I put each of them back.{1}",
    "没能修好：我试了 {0} 处单个记号的修改，都没有让测试全部通过，并且每一处都已改回。{1}",
    "直せませんでした。1トークンの変更を {0} 通り試しましたが、テストはすべては通らず、どの変更も元に戻しました。{1}",
  ],
} as const satisfies Record<string, Text>;

export type TextName = keyof typeof TEXTS;
export const isTextName = (name: string): name is TextName => name in TEXTS;
export type Tell = (name: TextName, ...values: (string | number)[]) => string;

const COLUMNS = { en: 0, zh: 1, ja: 2 } as const;

/** Tells things in a language. */
export const tellIn =
  (language: Language): Tell =>
  (name, ...values) =>
    TEXTS[name][COLUMNS[language]]
      .replaceAll(/\{(\d)#([^|}]*)\|((?:[^{}]|\{\d\})*)\}/g, (_, i, one: string, more: string) =>
        String(values[Number(i)]) === "1" ? one : more,
      )
      // Latin names are set off by a blank, others are not.
      .replaceAll(/(?<=([^\s]?))( ?)\{(\d)\}( ?)/g, (_, __, before: string, i, after: string) => {
        const value = String(values[Number(i)] ?? "");
        const wide = /^[^\x20-\x7e\n]/.test(value) && language !== "en";
        const wideEnd = /[^\x20-\x7e\n]$/.test(value) && language !== "en";
        return `${wide ? "" : before}${value}${wideEnd ? "" : after}`;
      });

/** "a, b and c" */
export function together(names: string[], language: Language): string {
  if (language === "ja" || names.length < 2) return names.join(" と ");
  const [comma, and] = language === "zh" ? ["、", " 和 "] : [", ", " and "];
  return `${names.slice(0, -1).join(comma)}${and}${names.at(-1)}`;
}

export const fenced = (output: string): string => `\n\`\`\`\n${output}\n\`\`\``;
export const bullets = (lines: string[]): string => lines.map((line) => `\n- ${line}`).join("");
