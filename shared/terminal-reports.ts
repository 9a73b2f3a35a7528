/** What a terminal says by itself, in between the keys: where the mouse is, its colours, its name. */

/** A key that sends an escape sequence: arrows, function keys, the marks around a paste. */
const KEY = /^\p{Cc}\[(?:\[[A-E]|[\d;]*[A-HZ~^$@]|[a-e])$/u;

/** A text that begins with escape, `]`, `P`, `_`, `^` or `X`, and goes on until BEL, or until escape and a backslash. */
const TEXT = String.raw`\u001b[\]P_^X][^\u0000-\u001f]*`;

/** A whole sequence; or a text that another control character breaks off, so that Enter and Ctrl-C always come through. */
const SEQUENCE = new RegExp(
  String.raw`\u001b\[(?:\[[A-E]|M[^]{3}|[0-?]*[ -/]*[@-~])|${TEXT}(?:\u0007|\u001b\\)|${TEXT}(?<=[^]{3})(?=[\u0000-\u001f])`,
  "g",
);

/** The beginning of a sequence, at the end of what has come so far. */
const BEGINNING = new RegExp(String.raw`\u001b(?:\[(?:\[|M[^]{0,2}|[0-?]*[ -/]*))?$|${TEXT}\u001b?$`);

/** The rest of a sequence comes at once. After so many ms an escape is a key of its own. */
const KEY_MS = 50;

/**
 * Takes what comes from a terminal, in pieces, and hands on what was typed or pasted: all but the reports. A piece may
 * end inside of a sequence.
 */
export function withoutReports(handOn: (typed: string) => void): (piece: string) => void {
  let held = "";
  let timer: NodeJS.Timeout | undefined;

  const release = () => {
    const key = held;
    held = "";
    handOn(key);
  };
  return (piece) => {
    clearTimeout(timer);
    const all = held + piece;
    const start = all.search(BEGINNING);
    held = start < 0 ? "" : all.slice(start);
    const typed = all
      .slice(0, all.length - held.length)
      .replaceAll(SEQUENCE, (sequence) => (KEY.test(sequence) ? sequence : ""));
    if (typed !== "") handOn(typed);
    // A longer one is a report whose rest is on its way, however long that takes.
    if (held !== "" && held.length <= 2) timer = setTimeout(release, KEY_MS).unref();
  };
}
