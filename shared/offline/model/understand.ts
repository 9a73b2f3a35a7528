/** Takes a prompt apart into wishes: it is parted where it may be, and all of it has to be understood. */
import { ROWS, VOCABULARY, type Row } from "./rows.ts";
import { unmarked, wishOf } from "./slots.ts";
import { AROUND, BREAKS, PROGRAMS } from "./vocabulary.ts";
import type { Language } from "./words.ts";

/** One thing that is asked for: the row whose sentence it is, and what stood in the slots. */
export interface Wish {
  row: Row;
  language: Language | undefined;
  /** Files and folders by name; `""` where "it" was said or nothing. */
  slots: Record<string, string>;
  /** The list slots, taken apart. */
  lists: Record<string, string[]>;
  /** What the files are about is asked, not what they say. */
  brief?: boolean;
}

export type Understood = { wishes: Wish[] } | { rest: string; first: boolean };

export interface Quotes {
  text: string;
  inside: string[];
  raw: string[];
}

const LONGEST = 3_000;
const MOST_BREAKS = 30;
const QUOTED =
  /```(?:\w*\n)?([^`]+)```|`([^`\n]+)`|"([^"\n]*)"|“([^“”\n]*)”|‘([^‘’\n]*)’|「([^「」\n]*)」|『([^『』\n]*)』|(?<![\p{L}\p{N}])'((?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z]))+)'(?![A-Za-z\d])/gu;

/** Puts marks for quoted parts; wide letters become plain ones, a prompt in quotation marks loses them. */
export function markQuotes(prompt: string): Quotes {
  const whole = /^\s*(?:"([^"]*\s[^"]*)"|“([^“”]*)”|'([^']*\s[^']*)'|「([^「」]*)」)\s*$/.exec(prompt);
  const quotes: Quotes = { text: "", inside: [], raw: [] };
  quotes.text = (whole?.slice(1).find((group) => group !== undefined) ?? prompt)
    .replaceAll(/[\uE000\uE001]/g, "")
    .replaceAll(QUOTED, (raw: string, ...groups: unknown[]) => {
      quotes.inside.push(
        groups
          .slice(0, 8)
          .map((group) => (typeof group === "string" ? group : ""))
          .join(""),
      );
      return `\uE000${quotes.raw.push(raw) - 1}\uE001`;
    })
    .replaceAll(/[Ａ-Ｚａ-ｚ０-９．／＿－　]/g, (wide) => wide.normalize("NFKC"))
    .replaceAll("’", "'")
    .replaceAll(/[^\S\n]+/g, " ")
    .trim();
  return quotes;
}

/** The wishes of a prompt, in order, or the part of it that nobody understands. */
export function understand(prompt: string): Understood {
  const quotes = prompt.length > 200_000 ? { text: prompt, inside: [], raw: [] } : markQuotes(prompt);
  const { text } = quotes;
  const breaks = text.length > LONGEST ? [] : [...text.matchAll(new RegExp(BREAKS, "gu"))];
  if (text === "" || text.length > LONGEST || breaks.length > MOST_BREAKS) return { rest: prompt, first: true };
  const starts = [0, ...breaks.map(({ index, 0: sign }) => index + sign.length)];
  const ends = [...breaks.map(({ index, 0: sign }) => (/^[?？]/.test(sign) ? index + 1 : index)), text.length];
  let reached = 0;
  const dead = new Set<number>();
  const from = (at: number): Wish[] | undefined => {
    if (at === starts.length) return [];
    reached = Math.max(reached, at);
    if (dead.has(at)) return undefined;
    // The shortest clause first: what is an order of its own is no part of a text to write.
    for (let end = at; end < ends.length; end++) {
      const clause = text.slice(starts[at], ends[end]);
      const wish = /[\p{L}\p{N}\uE000?？]/u.test(clause)
        ? understandClause(clause, quotes, clause.trim() === text)
        : "nothing";
      const others = wish && from(end + 1);
      if (others) return wish === "nothing" ? others : [wish, ...others];
    }
    dead.add(at);
    return undefined;
  };
  const wishes = from(0);
  if (wishes && wishes.length > 0) return { wishes };
  return { rest: unmarked(text.slice(starts[reached]), quotes).trim(), first: reached === 0 };
}

function understandClause(clause: string, quotes: Quotes, isAll: boolean): Wish | undefined {
  const bare = clause.trim();
  let order = bare;
  for (let before = ""; before !== order;) {
    before = order;
    order = order.replace(AROUND.before, "").trim() || order;
  }
  const isPolite = AROUND.asksPolitely.test(bare);
  const isQuestion = /[?？]\s*$/.test(bare) && !isPolite;
  order = trimEnd(order);
  for (let before = ""; before !== order;) {
    before = order;
    order = trimEnd(order.replace(AROUND.after, "")) || order;
  }
  // As typed (its last mark may be a part of a text), without what is around it, with its typos mended.
  const spellings = [
    ...new Set([bare.replace(/(?:(?<=[^\s/.])[.]|[?。？、,，:：…\s])+$/u, ""), trimEnd(bare), order]),
  ].map((text) => ({
    text,
    mended: new Set<string>(),
  }));
  for (const { text, mended } of [...spellings, mend(order)]) {
    const wish = text === undefined ? undefined : firstRow(text, { isQuestion, isAll, mended, quotes });
    if (wish) return wish;
  }
  return undefined;
}

/** Marks at the end of a sentence; a dot that is a word of its own ("git add .") is none. */
const trimEnd = (text: string): string => text.replace(/(?:(?<=[^\s/.])[.]|[!?。！？、,，:：…\s]|(?<=\.)\.\.)+$/u, "");

export interface Reading {
  isQuestion: boolean;
  /** The clause is the whole prompt. */
  isAll: boolean;
  mended: ReadonlySet<string>;
  quotes: Quotes;
}

function firstRow(text: string, reading: Reading): Wish | undefined {
  for (const row of ROWS) {
    if ((row.changes && reading.isQuestion) || (row.alone && !reading.isAll)) continue;
    for (const { language, matcher } of row.sentences) {
      const found = matcher.match(text);
      const wish = found && wishOf(row, language, found, reading);
      if (wish) return wish;
    }
  }
  return undefined;
}

/** Mends what is clearly a slip of the fingers: two letters swapped, one missing or one doubled. */
function mend(order: string): { text: string | undefined; mended: Set<string> } {
  const mended = new Set<string>();
  const text = order.replaceAll(/(?<![\w./\uE000-])[a-z]{3,}(?![\w./-])/gi, (word) => {
    const slip = word.toLowerCase();
    if (VOCABULARY.has(slip) || /(?:ed|ing|s|er)$/.test(slip)) return word;
    const meant = [...VOCABULARY].filter((known) => known.length > 3 && isSlip(slip, known));
    if (meant.length !== 1) return word;
    mended.add(meant[0] ?? "");
    return meant[0] ?? word;
  });
  return { text: mended.size > 0 ? text : undefined, mended };
}

function isSlip(typed: string, known: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === known[at]) at++;
  const [rest, meant] = [typed.slice(at), known.slice(at)];
  if (rest.length === meant.length) return `${rest[1]}${rest[0]}${rest.slice(2)}` === meant && rest.length > 1;
  return rest === meant.slice(1) || (rest.slice(1) === meant && typed[at] === typed[at - 1]);
}

// Kana, and characters that only Japanese writes in this form.
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}気実検変図対読売続発験帰広転総済様単戻込働]/u;

/** The language a text is written in, told by its script; a text without letters is in that of what was said before. */
export function languageOf(text: string, earlier: readonly string[] = []): Language {
  const own = text.slice(0, LONGEST).replaceAll(QUOTED, " ");
  const sample = /\p{L}/u.test(own) ? own : text.slice(0, LONGEST);
  if (JAPANESE.test(sample)) return "ja";
  if (/\p{Script=Han}/u.test(sample)) return "zh";
  const before = earlier.at(-1);
  return before !== undefined && (!/\p{L}{2}/u.test(sample) || PROGRAMS.test(sample))
    ? languageOf(before, earlier.slice(0, -1))
    : "en";
}
