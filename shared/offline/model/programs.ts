/** The few texts and programs the offline model can write. */
import { posix } from "node:path";
import { quote } from "./hands.ts";

/** What a program computes from two numbers. */
export type Operation = "add" | "subtract" | "multiply";

/** Which of them the words of a prompt mean. */
export function operationIn(words: string): Operation {
  if (/^sub|减|差|引/.test(words)) return "subtract";
  return /^mul|乘|积|積|掛|かけ/.test(words) ? "multiply" : "add";
}

const SIGNS: Record<Operation, string> = { add: "+", subtract: "-", multiply: "*" };
const SIX_AND_TWO: Record<Operation, number> = { add: 8, subtract: 4, multiply: 12 };

/** A file that says `text`: a program that prints it where the file is one, else the text as a line. */
export function fileSaying(path: string, text: string): string {
  if (isScript(path)) return `console.log(${JSON.stringify(text)});\n`;
  if (path.endsWith(".py")) return `print(${JSON.stringify(text)})\n`;
  if (path.endsWith(".sh")) return `printf '%s\\n' ${quote(text)}\n`;
  return text.endsWith("\n") ? text : `${text}\n`;
}

/** A file nobody said the content of. */
export function emptyFile(path: string): string {
  const { dir, base, name, ext } = posix.parse(path);
  if (ext === ".md") return `# ${base === "README.md" && dir !== "" ? posix.basename(dir) : name}\n`;
  if (ext === ".json") return "{}\n";
  return isScript(path) ? `// ${base}\n` : "";
}

/** JavaScript or TypeScript: the languages in which more than printing can be written. */
export const isScript = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);

/** A module with one function of two numbers, named like the operation. */
export function arithmetic(path: string, operation: Operation): string {
  const number = isTypeScript(path) ? ": number" : "";
  return `export function ${operation}(a${number}, b${number}) {\n  return a ${SIGNS[operation]} b;\n}\n`;
}

export const arithmeticTest = (path: string, operation: Operation): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${operation} } from "./${posix.basename(path)}";

test("${operation} two numbers", () => {
  assert.equal(${operation}(6, 2), ${SIX_AND_TWO[operation]});
});
`;

/** `lib/sum.js` → `lib/sum.test.js` */
export function testPath(path: string): string {
  const { dir, name, ext } = posix.parse(path);
  return posix.join(dir, `${name}.test${ext}`);
}

/** The command that runs a program, or its tests where it is a test. */
export function runCommand(path: string, word: string): string {
  const test = /\.test\.\w+$/.test(path) ? "--test " : "";
  if (isTypeScript(path)) return `npx tsx ${test}${word}`;
  if (isScript(path)) return `node ${test}${word}`;
  if (path.endsWith(".py")) return `python3 ${word}`;
  if (path.endsWith(".sh")) return `sh ${word}`;
  return path.includes("/") ? word : `./${word}`;
}

const isTypeScript = (path: string): boolean => /\.[cm]?ts$/.test(path);
