/** Reads the rows of sentences.txt. */
import { readFileSync } from "node:fs";
import { compile, wordsOf, type Matcher } from "./templates.ts";
import type { Language } from "./words.ts";

/** What a sentence leads to; see the head of sentences.txt. */
export interface Row {
  does?: string;
  run?: string;
  call?: string;
  answer?: string;
  about?: string;
  changes?: string;
  alone?: string;
  sentences: { language: Language; template: string; matcher: Matcher }[];
}

/** A prompt worth trying where tools of these kinds are offered. */
export interface Suggestion {
  tools: string[];
  prompt: Record<Language, string>;
}

const LANGUAGES = { en: "en", zh: "zh", ja: "ja" } as const;
const isLanguage = (key: string): key is Language => key in LANGUAGES;

/** Blocks of `key: value` lines; `part <name>` lines first. Several sentences on a line are parted by ` / `. */
export function readRows(text: string): { rows: Row[]; suggestions: Suggestion[]; vocabulary: Set<string> } {
  const parts: Record<string, string> = {};
  const rows: Row[] = [];
  const suggestions: Suggestion[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const row: Row & { try?: string } = { sentences: [] };
    for (const line of block.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
      const [, key = "", value = ""] = /^([\w ]+?): (.*)$/.exec(line) ?? [];
      if (isLanguage(key)) {
        const templates = row.try === undefined ? value.split(" / ") : [];
        for (const template of templates) {
          row.sentences.push({ language: key, template, matcher: compile(template, parts) });
        }
        if (row.try !== undefined) {
          const last = suggestions.at(-1);
          if (last) last.prompt[key] = value;
        }
      } else if (key.startsWith("part ")) parts[key.slice(5)] = value;
      else if (key === "try") {
        row.try = value;
        suggestions.push({ tools: value.split(" "), prompt: { en: "", zh: "", ja: "" } });
      } else if (
        key === "does" ||
        key === "run" ||
        key === "call" ||
        key === "answer" ||
        key === "about" ||
        key === "changes" ||
        key === "alone"
      )
        row[key] = value;
      else throw new Error(`sentences.txt: what is this? ${line}`);
    }
    if (row.sentences.length > 0) rows.push(row);
  }
  const vocabulary = new Set(
    rows
      .flatMap(({ sentences }) => sentences.flatMap(({ template }) => wordsOf(template)))
      .concat(Object.values(parts).flatMap(wordsOf)),
  );
  return { rows, suggestions, vocabulary };
}

export const {
  rows: ROWS,
  suggestions: SUGGESTIONS,
  vocabulary: VOCABULARY,
} = readRows(readFileSync(new URL("sentences.txt", import.meta.url), "utf8"));
