/** Takes a prompt apart: its language, its clauses ("…, then run it"), the files it names and what is to be written. */
import { programSaying } from "./programs.ts";
import {
  ANOTHER,
  ASKING,
  BARE_COMMAND,
  BESIDE,
  CLAUSE_BREAK,
  CREATE,
  DESCRIPTION,
  FOLDER,
  IT,
  LINES_SAID,
  PLACE,
  PLACED,
  PROGRAM,
  SAID,
  SUMMARY,
  THING,
  WITH,
  type Language,
  type Phrase,
} from "./phrases.ts";

/** One thing that is asked for. Quoted parts stand in `text` as marks, so that their words are not read as orders. */
export interface Clause {
  text: string;
  language: Language;
  /** The files it names, in order, or the one that a program gets which it gives no name. */
  files: string[];
  /** What its "it" means: the file the clauses before spoke of last. */
  it: string | undefined;
  /** The clauses before it in the prompt. */
  before: readonly Clause[];
  /** Those of the prompts before, as far as they are remembered. */
  earlier: readonly Clause[];
  /** What is to be written or printed. */
  content: string | undefined;
  /** What is to be written is only described ("a short poem"), so that there is no content. */
  described: boolean;
  /** The content is quoted, so that no doubt is left what is to be written. */
  quoted: boolean;
  /** The content is said to be all that the file says. */
  whole: boolean;
  /** It is said to be the content, and not what a program prints. */
  verbatim: boolean;
  /** A question that is no polite order ("can you …?"). */
  asks: boolean;
  /** The folder it names ("a folder demo"). */
  folder: string | undefined;
  /** The folder it speaks of ("in src"); `.` when none is named. */
  place: string;
  /** Whether its own words, without file names and content, fit a phrase. */
  says(phrase: Phrase): boolean;
  /** Whether its own words are all of this vocabulary (global expressions), so that nothing is left to be misunderstood. */
  only(vocabulary: Record<Language, RegExp>): boolean;
  /** Whether a text stands in the clause in quotes. */
  quotes(text: string): boolean;
  /** The named parts of a phrase, as they were typed; one that is quoted as a whole comes without the quotes. */
  parts(phrase: Phrase): Record<string, string> | undefined;
  /** The same for a command line, of which even the marks at its end count: "run git add ." */
  commandIn(phrase: Phrase): Record<string, string> | undefined;
}

/** Orders are short; some expressions take quadratic time. Quoted parts do not count, up to the longest prompt. */
const LONGEST = 2_000;
const LONGEST_PROMPT = 100_000;
const QUOTED =
  /```(?:\w*\n)?([^`]+)```|`([^`\n]+)`|"([^"\n]*)"|“([^“”\n]*)”|‘([^‘’\n]*)’|「([^「」\n]*)」|『([^『』\n]*)』|(?<![\p{L}\p{N}])'((?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z]))+)'(?![A-Za-z\d])/gu;
const MARK = /\uE000(\d+)\uE001/g;

interface Quote {
  raw: string;
  inside: string;
}

const POLITE: Record<Language, RegExp> = {
  en: /^(?:(?:please|pls|first(?=,|\s+(?:create|make|write|read|run|delete|list|show)\b)|make a plan:|and|then|so|hey|hi|hello|ok(?:ay)?|now|just|(?:can|could|would|will) you(?: (?:possibly|kindly|maybe))?|i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|help me(?: to)?|let's|use (?:the )?(?:bash|shell)(?: tool)? to)(?![\w/-]|\.\S)(?:[\s,]|[.!]\s)*)+(?=.)/i,
  zh: /^(?:(?:请问?|先|列(?:一|出)?个?计划[:：]|现在(?![几是在的有什])|然后|帮我|帮忙|麻烦你?|(?:你?能不能|你?能否|你?可以|你能|能(?=帮))(?!(?:帮我|为我)?(?:做|干))|给我|我想(?:让你)?|你(?!好|是))[\s,，]*)+(?=.)/,
  ja: /^(?:(?:すみません|まず|計画を立てて[:：]?|今度は|次に|それから|では|じゃあ|ちょっと)[\s、,]*)+(?=.)/,
};

/** Only what no one would have written to a file: "create a.txt that says thank you" ends with its text. */
const POLITE_END: Record<Language, RegExp> = {
  en: /(?:,?\s+(?:please|pls|for me|would you|will you|could you|right now)|,\s*(?:thanks|thank you))+[\s!.?]*$/i,
  zh: /[,，\s]+(?:谢谢你?|好吗|可以吗|行吗)[\s!！。?？]*$/,
  ja: /(?<=[てで])(?:もらえ(?:ます|ません)か|いただけ(?:ます|ません)か|くれ(?:ます|ません)か|くれる|ほしい(?:です)?|欲しい(?:です)?)[\s。?？]*$/,
};

// Kana, and characters that only Japanese writes in this form.
const JAPANESE =
  /[\p{Script=Hiragana}\p{Script=Katakana}気実検変図対読売続発験帰広転総済様単戻込働]|(?<![任如几为])何/u;

/**
 * An order in English words, whatever the script of the text it is about. Of a command, only what it prints may be in
 * another script: other words behind it may be a remark.
 */
const ENGLISH_ORDER =
  /^\s*(?:please\s+|(?:can|could) you\s+)?(?:(?:run|execute)(?!.*>)(?=.*\b(?:echo|printf)\s[^;&|]*[^ -~])|read|open|show|write|create|make|delete|remove|list|rename|copy|count|append|add|insert|put|save|print|replace|change|commit|search|find|in)\s+(?:[!-~]|\S+\s+(?:to|in|into|by|with|from)\s)(?!.*(?:[!-~]\s*を|して|ください|どう|何|然后|告诉|怎么?样|什么|吗))/is;

/**
 * The language a text is written in, told by its script; quoted parts and file names do not count.
 * @param earlier what was said before: a letter or two ("y") and bare commands are in the language of that
 */
export function languageOf(text: string, earlier: readonly string[] = []): Language {
  const own = text.slice(0, LONGEST).replace(QUOTED, " ");
  const sample = /\p{L}/u.test(own) ? own : text;
  if (!/^[ -~]*$/.test(sample) && ENGLISH_ORDER.test(sample)) return "en";
  if (JAPANESE.test(sample)) return "ja";
  if (/\p{Script=Han}/u.test(sample)) return "zh";
  const before = earlier.at(-1);
  const isOrder = /\p{L}{3}/u.test(sample) && !match(text.trim(), BARE_COMMAND.en);
  return before !== undefined && !isOrder ? languageOf(before, earlier.slice(0, -1)) : "en";
}

/**
 * The clauses of a prompt, in order; none for a prompt that is too long to be understood as a whole.
 * @param earlier those of the prompts before
 */
export function clausesOf(
  prompt: string,
  earlier: readonly Clause[] = [],
  language: Language = languageOf(prompt),
): Clause[] {
  if (prompt.length > LONGEST_PROMPT) return [];
  const { text, quotes } = markQuotes(prompt.replace(/^\s*(?:[?？]|\/help)\s*$/, "help"));
  if (text.length > LONGEST) return [];
  const clauses: Clause[] = [];
  for (const part of text.split(CLAUSE_BREAK[language])) {
    if (!/[\p{L}\p{N}\uE000]/u.test(part)) continue;
    // "Create a.txt with one and b.txt with two": the verb is said once.
    const order = clauses.length > 0 && match(part, ANOTHER[language]) ? `create ${part}` : part;
    clauses.push(clauseOf(order, language, quotes, clauses, earlier));
  }
  return clauses;
}

function markQuotes(prompt: string): { text: string; quotes: Quote[] } {
  const quotes: Quote[] = [];
  const text = prompt
    .replaceAll(/[\uE000-\uE002]/g, "")
    .replaceAll(QUOTED, (raw, ...groups: unknown[]) => {
      const inside = groups.slice(0, 8).find((group) => typeof group === "string") ?? "";
      return `\uE000${quotes.push({ raw, inside }) - 1}\uE001`;
    })
    .replaceAll(/[Ａ-Ｚａ-ｚ０-９．／＿－　]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll("’", "'")
    .trim();
  return { text, quotes };
}

function clauseOf(
  part: string,
  language: Language,
  quotes: Quote[],
  before: readonly Clause[],
  earlier: readonly Clause[],
): Clause {
  const unquote = (text: string): string => {
    const whole = /^\uE000(\d+)\uE001$/.exec(text)?.[1];
    if (whole !== undefined) return quotes[Number(whole)]?.inside ?? "";
    return text.replaceAll(MARK, (_, index) => quotes[Number(index)]?.raw ?? "");
  };
  const order = part.trim().replace(POLITE[language], "");
  const isPolite = /\byou\b|你|能不能|能否|帮/i.test(part.trim().slice(0, -order.length));
  const asked = order.replace(POLITE_END[language], "").replace(isPolite ? /吗[?？\s]*$/ : "", "");
  const text = asked.replace(/\s\.\.$/.test(asked) ? "" : /[\s.。?？,，、]+$/, "");
  const { own, ...writing } = writingIn(text, language, unquote);
  const names = fileNamesIn(own, unquote);
  names.delete(match(own, FOLDER[language])?.groups?.name ?? "");
  const words = own.replaceAll(WORD, (word) => (names.has(word) ? "\uE002" : word));
  const parts = (phrase: Phrase, from = text): Record<string, string> | undefined => {
    const found = match(from, phrase[language]);
    return (
      found &&
      Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, unquote(value?.trim() ?? "")]),
      )
    );
  };
  const files = [...new Set(names.values())];
  if (
    files.length === 0 &&
    writing.content !== undefined &&
    match(words, CREATE[language]) &&
    match(words, PROGRAM[language])
  ) {
    files.push(programSaying(writing.content, words));
  }
  const [folderStart, folderEnd] = match(words, FOLDER[language])?.indices?.groups?.name ??
    folderAgain(words, [...earlier, ...before]) ?? [0, 0];
  const ownWords = `${words.slice(0, folderStart)} ${words.slice(folderEnd)}`;
  return {
    text: text.replaceAll(MARK, (_, index) => quotes[Number(index)]?.raw ?? ""),
    language,
    files,
    it: lastFile(before) ?? (match(text, IT[language]) && lastFile(earlier)),
    before: [...before],
    earlier,
    ...writing,
    asks: !isPolite && match(`${own.trimEnd()}${/[?？]\s*$/.test(asked) ? "?" : ""}`, ASKING[language]) !== undefined,
    folder: parts(FOLDER)?.name ?? (folderEnd > 0 ? words.slice(folderStart, folderEnd) : undefined),
    place: parts(PLACE)?.name ?? ".",
    says: (phrase) => match(words, phrase[language]) !== undefined,
    only: (vocabulary) => !/[^\s,，、。!！:：;；&]/.test(ownWords.replace(vocabulary[language], " ")),
    quotes: (wanted) => quotes.some(({ inside }) => inside === wanted),
    parts: (phrase) => parts(phrase),
    commandIn: (phrase) => parts(phrase, withoutFullStop(asked, isPolite)),
  };
}

type Writing = Pick<Clause, "content" | "described" | "quoted" | "whole" | "verbatim">;

/** What a clause says is to be written, and `own`, its words without that. */
function writingIn(text: string, language: Language, unquote: (text: string) => string): Writing & { own: string } {
  const lines = match(text, LINES_SAID[language]);
  const placed = lines ? undefined : match(text, PLACED[language]);
  const said = placed ? undefined : (lines ?? match(text, SAID[language]));
  const [start, end] = (placed ?? said ?? match(text, WITH[language]))?.indices?.groups?.content ?? [0, 0];
  const captured = text.slice(start, end).trim();
  const quoted = new RegExp(`^${MARK.source}$`).test(captured);
  // What follows a quoted text is no part of it: "with the text 'new', but keep the old one".
  const goesOn = !quoted && new RegExp(`^${MARK.source}`).test(captured);
  // "A short summary", "the current date", "README.md as a list" are to be made, not written down.
  const described =
    [SUMMARY, DESCRIPTION, ...(said ? [] : [THING]), ...(said || placed?.groups?.line ? [] : [BESIDE])].some((phrase) =>
      match(captured, phrase[language]),
    ) ||
    isFileName(captured) ||
    goesOn ||
    (!said && fileNamesIn(captured, unquote).size > 0);
  if (captured === "" || (described && !quoted)) {
    const isWish = captured !== "" && !EMPTY_TEXT.test(captured);
    return { own: text, content: undefined, described: isWish, quoted: false, whole: false, verbatim: false };
  }
  const content = linesSaid(unquote(captured), said?.groups?.lines !== undefined);
  const own = `${text.slice(0, start)} ${text.slice(end)}`;
  const verbatim =
    /(?:\bcontents?(?:\s+of(?:\s.*\s(?:with|by|to))?)?|^overwrite\b.*\swith|内容(?:[是为]|改[成为]|换成|设为)?|(?:内容|中身)[はがを])[\s:：]*$/i.test(
      text.slice(0, start),
    ) || /^\s*という(?:内容|中身)/.test(text.slice(end));
  return { own, content, described: false, quoted, whole: said !== undefined, verbatim };
}

const EMPTY_TEXT = /^(?:empty|blank|空)/i;

/** A command line without the mark that ends the sentence: one that is stuck to a word, `?` only in "can you …?". */
function withoutFullStop(line: string, isPolite: boolean): string {
  const ended = line.trimEnd().replace(/[。？]$/, "");
  return ended.endsWith("?") && !isPolite ? ended : ended.replace(/(?<=[\p{L}\p{N}\uE001])[.?]$/u, "");
}

/** Where a folder is named that was called one before ("delete demo"). */
function folderAgain(words: string, before: readonly Clause[]): [number, number] | undefined {
  const known = new Set(before.map(({ folder }) => folder));
  const again = [...words.matchAll(WORD)].find(([word]) => known.has(word));
  return again && [again.index, again.index + again[0].length];
}

/** The file that was spoken of last. */
const lastFile = (clauses: readonly Clause[]): string | undefined =>
  clauses.findLast(({ files }) => files.length > 0)?.files.at(-1);

function match(text: string, expressions: readonly RegExp[]): RegExpExecArray | undefined {
  for (const expression of expressions) {
    const found = expression.exec(text);
    if (found) return found;
  }
  return undefined;
}

/** "milk, eggs and bread" as lines. */
const linesSaid = (text: string, list: boolean): string =>
  list ? text.split(/\s*[,;，；、]\s*(?:and\s+)?|\s+and\s+/).join("\n") : text;

// A mark; a word in any script behind a space, if it is the part before the dot that is not ASCII; an ASCII word.
const WORD = /\uE000\d+\uE001|(?<=\s)[^\s\uE000,，、。/]*[^ -~\s]\.[A-Za-z]\w{0,5}|[\w@~./-]+/g;
const FILE_NAME = /(?:^|[^\s.])\.[A-Za-z]\w{0,7}$|^(?:\/|~\/|\.\.?\/)[^\s/]/;
const NO_FILE = /^(?:e\.g|i\.e|node\.js|\/\/.*)$/i;
const WELL_KNOWN: Record<string, string> = {
  readme: "README.md",
  "readme.md": "README.md",
  "package.json": "package.json",
  license: "LICENSE",
  licence: "LICENSE",
  makefile: "Makefile",
  dockerfile: "Dockerfile",
};

const isFileName = (text: string): boolean =>
  text.toLowerCase() in WELL_KNOWN || (FILE_NAME.test(text) && !/\s/.test(text));

/** The words that name files, each with the name it means. */
function fileNamesIn(text: string, unquote: (text: string) => string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [word] of text.matchAll(WORD)) {
    const name = unquote(word).replace(/\.+$/, "");
    const known = WELL_KNOWN[name.toLowerCase()];
    if (known !== undefined) names.set(word, known);
    else if (FILE_NAME.test(name) && !NO_FILE.test(name) && !name.includes("\n")) names.set(word, name);
  }
  return names;
}
