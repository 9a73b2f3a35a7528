/**
 * Compiles sentence templates to matchers. A template fits a whole clause or not at all, so a word that no row knows
 * makes a clause one that is not understood. `(a|b)` one of them · `[a]` may be missing · `{slot}` or `{slot:type}` ·
 * `<name>` a part that templates share.
 */

/** A quoted part of the prompt, by its number: its words are nobody's orders. */
export const MARK = "\uE000\\d+\uE001";

const KNOWN = "(?:readme|license|licence|makefile|dockerfile)(?![\\w.])";
const DOTTED =
  "(?:[\\w@~+-][\\w@~.+/-]*|\\.{0,2}/[\\w@~.+/-]+|(?<=^|\\s)[^\\s\\x00-\\x7f，。、「」]+|)\\.[A-Za-z]\\w{0,9}";
const PATH = "(?:~|\\.{1,2})?/[\\w@~.+/-]*[\\w@~+-]|[\\w@+-][\\w@.+-]*/[\\w@~.+/-]*[\\w@~+-]";
export const FILE = `(?:${MARK}|${KNOWN}|${DOTTED}(?![\\w/.-])|${PATH})`;
export const IT =
  "(?:it|that|the (?:file|script|program)|this file|that file)(?!\\w)|它|这个文件|该文件|それ|(?:そ|こ)のファイル";
export const LIST_SEPARATOR = "(?: ?[,、，] ?(?:and )?| (?:and|&) | ?(?:和|与|跟|以及|と) ?)(?:an? |the |一个 ?)?";
const BEFORE_FILE =
  "(?:(?:an?|the|my|our|this) )?(?:(?:new|empty|text|test|small|simple|python|javascript|typescript|js|node|shell|bash|markdown|json|html) )*(?:(?:file|script|program|module|page) )?(?:(?:called|named) )?(?:(?:一个)?(?:新的?)?(?:文件|脚本) ?)?(?:新しい ?)?(?:(?:ファイル|スクリプト) ?)?(?:(?:叫做?|名为) ?)?";
const AFTER_FILE = "(?: (?:file|script)(?!\\w))?(?: ?这个文件| ?文件(?!夹))?(?: ?(?:という)?(?:ファイル|スクリプト))?";
const HERE =
  "here|(?:this|the(?: current)?) (?:folder|directory|dir|project|repo|repository|workspace)|当前(?:目录|文件夹)|这里|这个(?:文件夹|目录|项目)|此目录|ここ|この(?:フォルダー?|ディレクトリ|プロジェクト)|カレントディレクトリ";
const FOLDER_NAME = `${MARK}|~(?:/[\\w@.+/-]+)?|(?!(?:the|an?|it|this|that|all|any|my|your|here|there|now|then|please|again|too|also|first|and|or|for|with|to)(?!\\w))[\\w@.+-][\\w@.+/-]*`;
const FOLDER = `(?:the )?(?:(?:folder|directory|dir) )?(?:(?:called|named) )?(?:(?:文件夹|目录) ?)?(?<@>${HERE}|${FOLDER_NAME})(?: (?:folder|directory|dir)(?!\\w))?(?: ?(?:这个)?(?:文件夹|目录))?(?: ?(?:という)?(?:フォルダー?|ディレクトリ))?`;

/** What a slot of each type takes; `(?<@>…)` is what it keeps. */
const TYPES: Record<string, string> = {
  file: `${BEFORE_FILE}(?<@>${FILE}|${IT})${AFTER_FILE}`,
  files: `${BEFORE_FILE}(?:both )?(?<@>${FILE}(?:${LIST_SEPARATOR}${FILE})*|${IT})${AFTER_FILE}`,
  folder: FOLDER,
  place: `(?<@>${FOLDER_NAME})`,
  folders: FOLDER.replace(`${FOLDER_NAME})`, `(?:${FOLDER_NAME})(?:${LIST_SEPARATOR}(?:${FOLDER_NAME}))*)`),
  text: "(?<@>[^ ].*?)(?!(?<=\\w)\\w)",
  task: "(?<@>[^ ].*)",
  command: "(?<@>[^ ].*?)",
  bare: "(?<@>[^ ].*)",
  every: "(?<@>(?:all|every)(?: (?:the )?(?:occurrences?|instances?) of)?(?!\\w)|所有的?|全部的?|すべて|全て|全部|)",
  oneByOne: `(?<@>(?:with )?one (?:command|file|call)?(?: ?at a time| after another| each)|one by one|separately|(?:一次|每次)[只用执行运行]*一(?:个|条)命令|一个命令数一个文件|逐个|分别|[1一]?(?:つ|コマンド|ファイル)ずつ(?:別の)?(?:コマンドで)?)`,
  operation:
    "(?<@>adds?|sums?|subtracts?|multipl(?:y|ies)|相加|之和|的?和|加法|求和|相减|之差|的?差|减法|相乘|乘积|的?积|乘法|(?:足す|足し算する|加算する|和を計算する|差を計算する|引く|引き算する|掛ける|かける|掛け算する|積を計算する))",
  number: "(?<@>\\d{1,4}|one|two|three|four|five|six|ten|[一二两三四五六十])",
  kind: `(?<@>${MARK}|(?:type|java)script|python|markdown|json|[jt]sx?|py|md|txt|css|html|(?:\\*|\\.)[\\w.*]+)`,
  name: `(?<@>${MARK}|(?!(?:the|an?|it|this|that|for|from|to|in|all)(?!\\w))[\\w$@][\\w$@./#-]*)`,
  token: `(?<@>${MARK}|[\\w$]+)`,
  word: `(?<@>${MARK}|[^\\s,，。、「」?？!！]+?)(?!(?<=\\w)\\w)`,
};

export interface Matcher {
  /** The slots' texts, with their types; undefined when the clause is no such sentence. */
  match(clause: string): Map<string, { type: string; text: string }> | undefined;
}

/** The words of templates: Latin ones stand alone, a blank between parts may be missing. */
export const wordsOf = (template: string): string[] =>
  template
    .replaceAll(/[{<][^}>]*[}>]/g, " ")
    .toLowerCase()
    .match(/[a-z][a-z']*/g) ?? [];

/** @param parts what `<name>` stands for */
export function compile(template: string, parts: Record<string, string> = {}): Matcher {
  const slots: { name: string; type: string }[] = [];
  const source = expand(template, parts).replaceAll(
    /\{(\w+)(?::(\w+))?\}|([\w'’-]+(?:\.\w+)*)|([[\]()|])| |([^\s\w[\]()|{}]+)/g,
    (_, name?: string, type = name, word?: string, sign?: string, other?: string) => {
      if (name !== undefined) {
        const slot = TYPES[type ?? ""];
        if (slot === undefined) throw new Error(`no slot type {${name}:${type}} in: ${template}`);
        return `${slot.replace("<@>", `<s${slots.push({ name, type: type ?? "" }) - 1}>`)} ?`;
      }
      if (word !== undefined) return `(?<![\\w./-])${word.replaceAll(".", "\\.")}(?![\\w-]|[./]\\w) ?`;
      if (sign !== undefined) return { "[": "(?:", "(": "(?:", "]": ")?", ")": ")", "|": "|" }[sign] ?? "";
      if (other === "," || other === ":") return other === "," ? "[,，、]? ?" : "[:：]? ?";
      return other === undefined ? "" : `${other.replaceAll(/[.*+?^$\\]/g, String.raw`\$&`)} ?`;
    },
  );
  const needs = needsOf(expand(template, parts));
  let pattern: RegExp | undefined; // made when it is first needed: most never are
  return {
    match(clause) {
      const lower = clause.toLowerCase();
      if (!needs.every((words) => words.some((word) => lower.includes(word)))) return undefined;
      pattern ??= new RegExp(`^${source}$`, "i");
      const found = pattern.exec(clause);
      if (!found) return undefined;
      const kept = slots.flatMap(({ name, type }, i) => {
        const text = found.groups?.[`s${i}`]?.trim();
        return text === undefined || (text === "" && type === "every") ? [] : [[name, { type, text }] as const];
      });
      return new Map(kept);
    },
  };
}

/** Of each of these lists a clause must hold one word: a cheap look before the expression is tried. */
function needsOf(template: string): string[][] {
  const tokens = template.toLowerCase().match(/\{[^}]*\}|[[\]()|]|[\w'’-]+(?:\.\w+)*|[^\s\w[\]()|{}]+/g) ?? [];
  const alternatives = (): string[][][] => {
    const all: string[][][] = [[]];
    for (let token = tokens.shift(); token !== undefined && token !== ")" && token !== "]"; token = tokens.shift()) {
      if (token === "|") all.push([]);
      else if (token === "[") alternatives();
      else if (token === "(") {
        const firsts = alternatives().map(([first]) => first);
        if (firsts.every((first) => first !== undefined)) all.at(-1)?.push(firsts.flat());
      } else if (!/^[{,:]/.test(token)) all.at(-1)?.push([token]);
    }
    return all;
  };
  return alternatives()[0] ?? [];
}

function expand(template: string, parts: Record<string, string>): string {
  return template.replaceAll(/<(\w+)>/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`no part <${name}> in: ${template}`);
    return expand(part, parts);
  });
}
