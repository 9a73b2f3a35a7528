/** Repairs of one token: what a slip of the fingers or of the mind may have turned into what stands there. */

/** A line as it would be with one change. */
export interface Mutation {
  /** Counted from 0. */
  line: number;
  before: string;
  after: string;
  /** The lower, the likelier. */
  weight: number;
}

const SWAPS: Record<string, string[]> = {
  "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
  "===": ["!=="], "!==": ["==="], "==": ["!="], "!=": ["=="],
  "+": ["-", "*"], "-": ["+"], "*": ["/", "+"], "/": ["*", "%"], "%": ["/"], "//": ["/", "%"], "**": ["*"],
  "&&": ["||"], "||": ["&&", "??"], "??": ["||"], "+=": ["-=", "*="], "-=": ["+="], "*=": ["/=", "+="], "/=": ["*="],
  "++": ["--"], "--": ["++"], "!": [""],
  and: ["or"], or: ["and"], not: [""], true: ["false"], false: ["true"], True: ["False"], False: ["True"],
  floor: ["round", "ceil", "trunc"], ceil: ["floor", "round"], round: ["floor", "ceil"], trunc: ["round", "floor"],
  min: ["max"], max: ["min"], push: ["unshift"], unshift: ["push"], shift: ["pop"], pop: ["shift"],
  startsWith: ["endsWith"], endsWith: ["startsWith"], startswith: ["endswith"], endswith: ["startswith"],
  some: ["every"], every: ["some"], any: ["all"], all: ["any"], continue: ["break"], break: ["continue"],
  toUpperCase: ["toLowerCase"], toLowerCase: ["toUpperCase"], upper: ["lower"], lower: ["upper"],
  indexOf: ["lastIndexOf"], lastIndexOf: ["indexOf"], find: ["findLast", "filter"], filter: ["find"],
  trimStart: ["trimEnd"], trimEnd: ["trimStart"], keys: ["values"], values: ["keys"], append: ["extend"], extend: ["append"],
  parseInt: ["parseFloat"], replace: ["replaceAll"], padStart: ["padEnd"], padEnd: ["padStart"],
}; // prettier-ignore

const MEMBERS =
  "length map filter reduce forEach includes indexOf join split slice splice concat push pop shift unshift sort reverse trim toFixed toString toUpperCase toLowerCase startsWith endsWith padStart padEnd replace replaceAll charAt keys values entries has get set add delete size floor round ceil max min abs append extend insert remove lower upper strip items isoformat".split(
    " ",
  );
const KEYWORDS = new Set(
  "if else for while return function const let var new of in not and or is def class import from export default async await try catch finally throw raise except pass lambda None null undefined typeof this self true false True False number string boolean void".split(
    " ",
  ),
);

/**
 * All changes of one token to a program, the likeliest first.
 * @param complaint what its tests printed: a name that is not known is looked for first
 */
export function mutationsOf(source: string, isPython: boolean, complaint: string): Mutation[] {
  const lines = source.split("\n");
  const code = withoutTexts(source, isPython).split("\n");
  const unknown = new Set(
    [
      ...complaint.matchAll(
        /(?:(\w+) is not defined|name '(\w+)'|has no attribute '(\w+)'|\.(\w+) is not a function|[Pp]roperty '(\w+)' does not exist)/g,
      ),
    ].flatMap((match) => match.slice(1).filter(Boolean)),
  );
  const found: Mutation[] = [];
  for (const [line, before] of lines.entries()) {
    const text = code[line] ?? "";
    if (text.trim() === "" || /^\s*(?:import|from|export \{|@|["'])/.test(text)) continue;
    const change = (at: number, length: number, to: string, weight: number): void => {
      const after = before.slice(0, at) + to + before.slice(at + length);
      if (after !== before)
        found.push({ line, before, after, weight: /^\s*(?:\}\s*)?while\b/.test(text) ? weight + 1 : weight });
    };
    tokens(text, change);
    expressions(text, change, lines[line + 1] ?? "", isPython);
    names(text, change, scopeAt(code, line), unknown, source);
  }
  return found.toSorted((a, b) => a.weight - b.weight);
}

type Change = (at: number, length: number, to: string, weight: number) => void;

function tokens(text: string, change: Change): void {
  for (const { 0: token, index } of text.matchAll(
    /===|!==|==|!=|<=|>=|=>|&&|\|\||\?\?|\+\+|--|\+=|-=|\*=|\/=|\*\*|\/\/|\b\d+(?:\.\d+)?\b|[A-Za-z_$][\w$]*|[-+*/%<>=!]/g,
  )) {
    const isStep = token === "++" || token === "--";
    for (const to of (Object.hasOwn(SWAPS, token) && SWAPS[token]) || []) {
      const length = token === "not" ? 4 : token.length;
      change(index, length, to, isStep ? 6 : /^[A-Za-z]|^[!=]=/.test(token) ? 2 : 1);
    }
    if (token === "=" && /^\s*(?:\}?\s*else\s+)?(?:if|while)\b/.test(text)) change(index, 1, "===", 1);
    if (!/^\d/.test(token)) continue;
    const value = Number(token);
    const near = token.includes(".")
      ? [value * 10, value / 10, 1 - value]
      : [value + 1, value - 1, value * 10, value / 10, value * 100];
    for (const to of near)
      if (to >= 0 && (Number.isInteger(to) || token.includes(".") || value % 10 === 0))
        change(index, token.length, String(Number(to.toFixed(6))), 2);
  }
}

function expressions(text: string, change: Change, after: string, isPython: boolean): void {
  const each = (pattern: RegExp, weight: number, to: (match: RegExpExecArray) => string): void => {
    for (const match of text.matchAll(pattern)) change(match.index, match[0].length, to(match), weight);
  };
  // A bound by one.
  each(/ [-+] 1\b/g, 1, () => "");
  each(/\.length\b(?! [-+])|\blen\(\w+\)(?! [-+])/g, 3, ([all]) => `${all} - 1`);
  each(/(?<=\brange\((?:\w+, )?)\w+(?=\))/g, 2, ([all]) => `${all} + 1`);
  each(/(?<=\brange\()(?=\w+\))/g, 3, () => "1, ");
  each(/(?<=\w\[)\w+(?=\])/g, 4, ([all]) => `${all} + 1`);
  each(/(?<=\w\[)\w+(?=\])/g, 4, ([all]) => `${all} - 1`);
  // A value that is computed and not returned.
  const isLast = isPython ? /^\s*$|^\S/.test(after) : /^\s*\}/.test(after);
  if (
    isLast &&
    !/^\s*(?:return|const|let|var|if|else|for|while|throw|raise|def|class|function|export|\}|pass\b|break|continue|await|with|try)/.test(
      text,
    ) &&
    !/[^=!<>]=[^=>]|[{:]\s*$/.test(text)
  )
    each(/(?<=^\s*)(?=\S)/g, 1, () => "return ");
  each(/(?<=(?:=>|\))\s*\{\s*)(?=(?!return\b|\}|const|let|var|if|for)[^;{}=]+;?\s*\})/g, 1, () => "return ");
  // A condition the wrong way round, two things in the wrong order.
  each(/(?<=\b(?:if|while) \(|\breturn |=> )(?=[A-Za-z_$][\w$.]*(?:\)|;|\(|$))/g, 3, () => (isPython ? "not " : "!"));
  if (isPython) each(/(?<=^\s*(?:el)?if )(?=\w)/g, 3, () => "not ");
  if (isPython) each(/ in (?=\w)/g, 3, () => (/\bfor\b/.test(text) ? " in " : " not in "));
  each(/\b([\w.$]+) ([-/%*<>]|<=|>=) ([\w.$]+)/g, 3, ([, a = "", sign = "", b = ""]) => `${b} ${sign} ${a}`);
  if (!DEFINITION.test(text)) each(/(?<=[\w$]\()([^(),]+), ([^(),]+)(?=\))/g, 3, ([, a = "", b = ""]) => `${b}, ${a}`);
  each(/\? ([^?:]+) : ([^?:;)]+)/g, 3, ([, a = "", b = ""]) => `? ${b} : ${a}`);
}

/** Another name of the same scope, first of all for one that nobody knows; a member that is spelled like a known one. */
function names(text: string, change: Change, scope: string[], unknown: ReadonlySet<string>, source: string): void {
  for (const { 0: name, index } of text.matchAll(/(?<![\w$])[A-Za-z_$][\w$]*/g)) {
    if (KEYWORDS.has(name)) continue;
    const isMember = text[index - 1] === "." && text[index - 2] !== ".";
    if (unknown.has(name) || (isMember && !MEMBERS.includes(name))) {
      const all = [...new Set([...scope, ...MEMBERS, ...(source.match(/(?<![\w$])[A-Za-z_$][\w$]*/g) ?? [])])];
      for (const other of all)
        if (other !== name && distance(name, other) <= 2)
          change(index, name.length, other, unknown.has(name) || MEMBERS.includes(other) ? 0 : 2);
    }
    if (
      isMember ||
      !(scope.includes(name) || unknown.has(name)) ||
      /^\s*(?:async )?(?:export |default )*(?:def|function|class)\b/.test(text) ||
      /^\s*[:(]?\s*=(?![=>])/.test(text.slice(index + name.length))
    )
      continue;
    for (const other of scope) if (other !== name) change(index, name.length, other, 4);
  }
}

/** Parameters and variables of the function a line is in. */
function scopeAt(code: string[], line: number): string[] {
  const start = code.slice(0, line + 1).findLastIndex((one) => DEFINITION.test(one));
  const inside = code.slice(Math.max(0, start), line + 1).join("\n");
  const parameters = /\(([^()]*)\)/.exec(code[Math.max(0, start)] ?? "")?.[1]?.replaceAll(/[:=][^,]*/g, "") ?? "";
  const declared = [
    ...inside.matchAll(/\b(?:const|let|var|for \(?(?:const|let)?)\s+(\w+)|^\s+(\w+) = |\bfor (\w+) in/gm),
  ].flatMap((match) => match.slice(1));
  return [...new Set([...(parameters.match(/[A-Za-z_$][\w$]*/g) ?? []), ...declared.filter(Boolean)])].filter(
    (name) => name !== "self",
  );
}

/** A line that begins a function, with its name. */
export const DEFINITION =
  /^\s*(?:export )?(?:default )?(?:async )?(?:(?:function\*?|def) (\w+)|(?:const|let|var) (\w+) = (?:async )?(?:\([^=]*\)|\w+)(?:: [\w<>[\]]+)? =>|(?:static |async |get )*(\w+)\([^)]*\)(?:: [\w<>[\]|]+)? \{\s*$)/;

/** The source with blanks for comments and texts, so that places stay. */
function withoutTexts(source: string, isPython: boolean): string {
  const comment = isPython
    ? "#[^\\n]*|\"\"\"[^]*?\"\"\"|'''[^]*?'''"
    : "//[^\\n]*|/\\*[^]*?\\*/|`(?:\\\\[^]|[^`\\\\])*`";
  const skip = new RegExp(`${comment}|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'`, "g");
  return source.replaceAll(skip, (text) => text.replaceAll(/[^\n]/g, /^["'`]/.test(text) ? "\u00a4" : " "));
}

/** How many letters to change, to add, to drop or to swap with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2 || Math.min(a.length, b.length) < 3) return 9;
  let [older, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const now = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      now[j] = Math.min((row[j] ?? 9) + 1, (now[j - 1] ?? 9) + 1, (row[j - 1] ?? 9) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        now[j] = Math.min(now[j] ?? 9, (older[j - 2] ?? 9) + 1);
    }
    [older, row] = [row, now];
  }
  return row[b.length] ?? 9;
}
