/** What edit_file needs: a text in a text, found where it is the same to a reader, and replaced where it stands. */
import { shortened } from "shared/shorten";

const unixEnds = (text: string) => text.replaceAll("\r\n", "\n");

/** The form that texts are compared in: é can be one character or two, a line can end in two ways. */
const comparable = (text: string) => unixEnds(text.normalize("NFC"));

const withoutMark = (text: string) => text.replace(/^\ufeff/, ""); // a byte order mark stays where it is: in the file

/** Where a part begins in a text, overlapping places included, as indexes of the text in its comparable form. */
export function occurrences(text: string, part: string): number[] {
  const [all, wanted] = [comparable(text), comparable(withoutMark(part))];
  const places: number[] = [];
  if (wanted === "" || !wanted.isWellFormed()) return places; // half a character
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

/** Replaces the part of a text at one of its `occurrences`. Line ends and the form of accents stay as they are there. */
export function replaceAt(text: string, at: number, part: string, replacement: string): string {
  const wanted = withoutMark(part);
  const from = indexIn(text, at);
  const to = indexIn(text, at + comparable(wanted).length);
  const old = text.slice(from, to);
  if (comparable(old) !== comparable(wanted))
    throw new Error("text not found: it is there, but as a part of a character");

  const ends = old.match(LINE_END) ?? text.slice(to).match(/\r?\n/) ?? text.match(/\r?\n/) ?? ["\n"];
  let line = 0;
  let added = withoutMark(replacement).replaceAll(LINE_END, () => ends[line++] ?? ends.at(-1) ?? "\n");
  const form = unixEnds(old) !== unixEnds(wanted) && FORMS.find((one) => old.normalize(one) === old);
  if (form) added = added.normalize(form);
  if (added === old) throw new Error("new_text is the same as what is there: nothing would change");
  return text.slice(0, from) + added + text.slice(to);
}

const LINE_END = /\r?\n/g;
const FORMS = ["NFC", "NFD"] as const;

/** The index in a text of an index in its comparable form. */
function indexIn(text: string, index: number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (comparable(text.slice(0, middle)).length <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

const MAX_LINES = 20;

/** Says how often a text was found, and in which lines. */
export function severalPlaces(text: string, places: number[]): string {
  const all = comparable(text);
  const lines = new Set<number>();
  let line = 1;
  let from = 0;
  for (const at of places.slice(0, MAX_LINES)) {
    line += all.slice(from, at).split("\n").length - 1;
    from = at;
    lines.add(line);
  }
  const more = places.length > MAX_LINES ? ", …" : "";
  return `text found ${places.length} times, in lines ${[...lines].join(", ")}${more}; give more of the lines around it`;
}

/** What stays when only quotes, dashes, widths and white space differ. */
const letters = (line: string) => line.normalize("NFKC").replaceAll(/[^\p{L}\p{N}]/gu, "");

const MIN_LETTERS = 3; // fewer are in many lines by chance
const MAX_LINE = 300; // characters

/** A hint for a text that was not found: where the letters are the same, the first line that differs. */
export function nearestLine(text: string, part: string): string {
  const [lines, wanted] = [unixEnds(text).split("\n"), unixEnds(part).split("\n")];
  const inLines = lines.map(letters);
  const at = inLines.join("").indexOf(letters(part));
  if (at < 0 || letters(part).length < MIN_LETTERS) return "";

  let [first, end] = [0, inLines[0]?.length ?? 0]; // the line where it begins in the text, and where that ends
  while (end <= at) end += inLines[++first]?.length ?? 0;
  const begin = wanted.findIndex((line) => letters(line) !== "");
  const isOther = (line: string, i: number) => (i === 0 ? !lines[first]?.endsWith(line) : lines[first + i] !== line);
  const line = first + Math.max(0, wanted.slice(begin).findIndex(isOther));

  const there = lines[line] ?? "";
  const signs = new Set(there.match(/[^ -~\p{L}\p{N}]/gu)?.filter((sign) => !part.includes(sign)));
  const codes = [...signs].map(
    (sign) => `${sign} is U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  const difference = [shortened(JSON.stringify(there), MAX_LINE), ...codes].join(", ");
  return `; but line ${line + 1} is ${difference}: copy it exactly, white space too`;
}
