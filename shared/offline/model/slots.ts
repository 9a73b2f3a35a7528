/** What stands in the slots of a sentence, and whether it may. */
import { VOCABULARY, type Row } from "./rows.ts";
import { FILE, IT, LIST_SEPARATOR, MARK } from "./templates.ts";
import type { Quotes, Reading, Wish } from "./understand.ts";
import { DOUBTFUL, PROGRAMS, REMARKS } from "./vocabulary.ts";
import type { Language } from "./words.ts";

/** A text with its quoted parts as they were typed. */
export const unmarked = (text: string, { raw }: Quotes): string =>
  text.replaceAll(new RegExp(MARK, "g"), (mark) => raw[Number(mark.slice(1, -1))] ?? "");

/** The slots as what they mean; undefined when one of them holds what it must not. */
export function wishOf(
  row: Row,
  language: Language,
  found: Map<string, { type: string; text: string }>,
  { mended, quotes }: Reading,
): Wish | undefined {
  const wish: Wish = { row, language, slots: {}, lists: {} };
  const isQuoted = (text: string): boolean => new RegExp(`^${MARK}$`).test(text);
  const unquote = (text: string): string =>
    isQuoted(text) ? (quotes.inside[Number(text.slice(1, -1))] ?? "") : unmarked(text, quotes);
  for (const [name, { type, text }] of found) {
    if (text.split(/\s+/).some((word) => mended.has(word))) return undefined;
    const value = unquote(text);
    if (value.trim() === "" && type !== "every" && !(type === "text" && isQuoted(text))) return undefined;
    switch (type) {
      case "file":
      case "files": {
        const names = new RegExp(`^(?:${IT})$`, "iu").test(text) ? [""] : text.split(new RegExp(LIST_SEPARATOR, "iu"));
        const files = names.map((one) => fileName(unquote(one), isQuoted(one.trim())));
        if (files.some((file) => file === undefined)) return undefined;
        wish.lists[name] = files.flatMap((file) => file ?? []);
        wish.slots[name] = wish.lists[name][0] ?? "";
        break;
      }
      case "folder":
      case "folders": {
        const folders = text.split(new RegExp(LIST_SEPARATOR, "iu")).map((one) => folderName(unquote(one)));
        wish.lists[name] = folders;
        wish.slots[name] = folders[0] ?? ".";
        break;
      }
      case "token":
        if (!isQuoted(text) && !/^[A-Z_]{2,}$|[a-z][A-Z]|_/.test(text)) return undefined;
        wish.slots.word = value;
        break;
      case "text":
      case "word":
        if (!isQuoted(text) && !isPlain(text, type)) return undefined;
        wish.slots[name] = value;
        if (isQuoted(text)) wish.slots[`${name}Quoted`] = "yes";
        break;
      case "command":
      case "bare":
        if (
          isQuoted(text) ? type === "bare" && !quotes.raw[Number(text.slice(1, -1))]?.startsWith("`") : !isCommand(text)
        )
          return undefined;
        wish.slots[name] = value;
        if (type === "bare") wish.language = undefined;
        break;
      default:
        wish.slots[name] = value;
    }
  }
  return wish;
}

const WELL_KNOWN: Record<string, string> = {
  readme: "README.md",
  license: "LICENSE",
  licence: "LICENSE",
  makefile: "Makefile",
  dockerfile: "Dockerfile",
};

function fileName(text: string, isQuoted: boolean): string | undefined {
  if (isQuoted && /\s/.test(text) && !/\.\w{1,8}$/.test(text)) return undefined;
  if (text.includes("\n") || text.length > 300 || /^(?:e\.g|i\.e|node\.js)$/i.test(text)) return undefined;
  return WELL_KNOWN[text.toLowerCase()] ?? text;
}

const folderName = (text: string): string =>
  /^(?:here|(?:this|the)(?: current)? \w+|当前.*|这里|这个.*|此目录|ここ|この.*|カレント.*)$/iu.test(text)
    ? "."
    : text.replace(/(?<=.)\/+$/, "");

/** An unquoted text is taken literally only when nothing in it could be a part of the order. */
function isPlain(text: string, type: string): boolean {
  if (new RegExp(`(?<![\\w.])${FILE}`, "iu").test(text.replaceAll(new RegExp(MARK, "g"), "x")) && type === "text")
    return /^[\w.]+\([\w. ]*\)$|^[A-Za-z]+\.[a-z]+$/.test(text) && !/\.(?:\w{1,4})$/.test(text);
  const words = text.split(/\s+/);
  if (type === "word") return !DOUBTFUL.words.test(text) && !DOUBTFUL.zh.test(text) && !DOUBTFUL.ja.test(text);
  if (words.length > 5 || DOUBTFUL.words.test(text)) return false;
  const han = text.replaceAll(/[\x20-\x7e]/g, "");
  if (DOUBTFUL.zh.test(han) || DOUBTFUL.ja.test(han)) return false;
  // What follows a comma or an "and" may be an order that nobody understands.
  const [, ...behind] = text.split(/\s*[,，、;；]\s*|\s+and\s+|[.!?。！？]\s+/u);
  return behind.every((part) => part.split(" ").length <= 1 && !VOCABULARY.has(part.toLowerCase()) && han.length <= 20);
}

const unquotedIn = (line: string): string => line.replaceAll(new RegExp(MARK, "g"), "");

/** A command as it is typed; what people say about one is none. */
function isCommand(line: string): boolean {
  // What goes on behind a comma is a second thought of the speaker.
  if (!PROGRAMS.test(line) || (/[,，、](?:\s|$)/.test(unquotedIn(line)) && !/^(?:echo|printf)\s/.test(line)))
    return false;
  // A word of English too: "find all the files", "make it better".
  if (
    /^(?:find|make|test|sort|file|type|time|which|head|cut|tree|yes|kill|exit|command|date|touch)\s+\S+\s/.test(line) &&
    !/\s-|[|<>*;&$]/.test(line)
  )
    return false;
  if (/^(?:for|while|if)\s/.test(line)) return /;\s*(?:done|fi)\b/.test(line);
  return /^(?:echo|printf)\s/.test(line)
    ? !/[^\s\x20-\x7e].*\s.*(?:吗|什么|怎么|どう|何)/u.test(line)
    : !REMARKS.test(unquotedIn(line));
}
