/** Takes a prompt apart: its language, its clauses ("…, then run it"), the files it names and what is to be written. */
import {
  CLAUSE_BREAK,
  DESCRIPTION,
  FOLDER,
  IT,
  LINES_SAID,
  PLACE,
  PLACED,
  SAID,
  SUMMARY,
  type Language,
  type Phrase,
} from "./phrases.ts";

/** One thing that is asked for. Quoted parts stand in `text` as marks, so that their words are not read as orders. */
export interface Clause {
  text: string;
  language: Language;
  /** The files it names, in order. */
  files: string[];
  /** What its "it" means: the file the clauses before spoke of last. */
  it: string | undefined;
  before: readonly Clause[];
  /** What is to be written or printed. */
  content: string | undefined;
  /** The content is quoted, or said to be what the file says: no doubt is left what is to stand there. */
  explicit: boolean;
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
  en: /^(?:(?:please|pls|then|hey|hi|hello|ok(?:ay)?|now|just|(?:can|could|would|will) you|i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|help me(?: to)?|let's|use (?:the )?(?:bash|shell)(?: tool)? to)\b[\s,]*)+(?=.)/i,
  zh: /^(?:(?:请|然后|帮我|帮忙|麻烦你?|(?:你?能不能|你?能否|你?可以|你能)(?!(?:帮我|为我)?(?:做|干))|给我|我想(?:让你)?|你(?!好|是))[\s,，]*)+(?=.)/,
  ja: /^(?:(?:すみません|それから|では|じゃあ|ちょっと)[\s、,]*)+(?=.)/,
};

/** The language a text is written in, told by its script; quoted parts and file names do not count. */
export function languageOf(text: string): Language {
  const own = text.slice(0, LONGEST).replace(QUOTED, " ");
  const sample = /\p{L}/u.test(own) ? own : text;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]|(?<![任如几为])何/u.test(sample)) return "ja";
  return /\p{Script=Han}/u.test(sample) ? "zh" : "en";
}

/**
 * The clauses of a prompt, in order; none for a prompt that is too long to be understood as a whole.
 * @param it the file that was spoken of last before the prompt
 */
export function clausesOf(prompt: string, it?: string): Clause[] {
  if (prompt.length > LONGEST_PROMPT) return [];
  const language = languageOf(prompt);
  const { text, quotes } = markQuotes(prompt);
  if (text.length > LONGEST) return [];
  const clauses: Clause[] = [];
  for (const part of text.split(CLAUSE_BREAK[language])) {
    if (/[\p{L}\p{N}\uE000]/u.test(part)) clauses.push(clauseOf(part, language, quotes, clauses, it));
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
  it: string | undefined,
): Clause {
  const unquote = (text: string): string => {
    const whole = /^\uE000(\d+)\uE001$/.exec(text)?.[1];
    if (whole !== undefined) return quotes[Number(whole)]?.inside ?? "";
    return text.replaceAll(MARK, (_, index) => quotes[Number(index)]?.raw ?? "");
  };
  const text = part
    .trim()
    .replace(POLITE[language], "")
    .replace(/[\s.。?？,，、]+$/, "");
  const placed = match(text, PLACED[language]);
  const said = placed ? undefined : (match(text, LINES_SAID[language]) ?? match(text, SAID[language]));
  const [start, end] = (placed ?? said)?.indices?.groups?.content ?? [0, 0];
  const captured = text.slice(start, end).trim();
  const quoted = new RegExp(`^${MARK.source}$`).test(captured);
  // "A short summary", "the current date" are to be made, not written down.
  const described = [SUMMARY, DESCRIPTION].some((phrase) => match(captured, phrase[language])) || isFileName(captured);
  const foreign = placed !== undefined && language !== "en" && !/^[ -~\uE000\uE001]+$/.test(captured);
  const asLine = placed?.groups?.line !== undefined;
  const content = captured === "" || (!quoted && (described || (foreign && !asLine))) ? undefined : captured;
  const own = content === undefined ? text : `${text.slice(0, start)} ${text.slice(end)}`;
  const names = fileNamesIn(own, unquote);
  const words = own.replaceAll(WORD, (word) => (names.has(word) ? "\uE002" : word));
  const parts = (phrase: Phrase): Record<string, string> | undefined => {
    const found = match(text, phrase[language]);
    return (
      found &&
      Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [name, unquote(value?.trim() ?? "")]),
      )
    );
  };
  const files = [...new Set(names.values())];
  const last = before.at(-1);
  const [folderStart, folderEnd] = match(words, FOLDER[language])?.indices?.groups?.name ?? [0, 0];
  const ownWords = `${words.slice(0, folderStart)} ${words.slice(folderEnd)}`;
  return {
    text: text.replaceAll(MARK, (_, index) => quotes[Number(index)]?.raw ?? ""),
    language,
    files,
    it: last ? (last.files.at(-1) ?? last.it) : match(text, IT[language]) && it,
    before: [...before],
    content: content === undefined ? undefined : linesSaid(unquote(content), said?.groups?.lines !== undefined),
    explicit: content !== undefined && (quoted || said !== undefined),
    folder: parts(FOLDER)?.name,
    place: parts(PLACE)?.name ?? ".",
    says: (phrase) => match(words, phrase[language]) !== undefined,
    only: (vocabulary) => !/[^\s,，、。!！:：;；&]/.test(ownWords.replace(vocabulary[language], " ")),
    quotes: (wanted) => quotes.some(({ inside }) => inside === wanted),
    parts,
  };
}

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
