import { expect, test } from "vitest";
import { estimateTokens } from "./tokens.ts";

/** Counted with two public tokenizers, cl100k and o200k; the middle of both. */
const COUNTED: [string, number, string][] = [
  [
    "English",
    53,
    "An agent is a model that calls tools in a loop. The harness sends the conversation, runs what the model asks for, and sends the results back until there is nothing left to do. Everything else in this course makes that loop safer, cheaper or more patient.",
  ],
  [
    "Chinese",
    73,
    "代理就是在循环里调用工具的模型。程序把对话发给模型，执行它要求的操作，再把结果送回去，直到没有事情可做为止。本课程的其他内容，都是为了让这个循环更安全、更省钱、更有耐心。",
  ],
  [
    "Japanese",
    75,
    "エージェントとは、ループの中でツールを呼び出すモデルのことです。プログラムは会話を送り、頼まれた作業を実行し、結果を返します。することがなくなるまで、これを繰り返します。",
  ],
  [
    "Russian",
    40,
    "Агент — это модель, которая в цикле вызывает инструменты. Программа отправляет разговор, выполняет просьбы и возвращает результаты.",
  ],
  [
    "TypeScript",
    58,
    'export async function readFile(path: string): Promise<string> {\n  const text = await fs.readFile(resolve(workspace, path), "utf8");\n  if (text.length > LIMIT) return text.slice(0, LIMIT) + "\\n… (cut)";\n  return text;\n}\n',
  ],
  [
    "Python",
    39,
    'def count_lines(path):\n    with open(path, encoding="utf-8") as file:\n        return sum(1 for line in file if line.strip())\n\nprint(count_lines("README.md"))\n',
  ],
  [
    "JSON",
    33,
    '{"name":"bash","input_schema":{"type":"object","properties":{"command":{"type":"string","description":"The command to run"}},"required":["command"]}}',
  ],
  [
    "a listing",
    73,
    "total 24\ndrwxr-xr-x 8 root root  4096 Nov 30 16:37 .\n-rw-r--r-- 1 root root   188 Nov 30 16:36 .editorconfig\n-rw-r--r-- 1 root root  1083 Nov 30 16:37 LICENSE\n",
  ],
];

test.each(COUNTED)("%s is estimated within a quarter", (_what, counted, text) => {
  expect(Math.abs(estimateTokens(text) - counted)).toBeLessThanOrEqual(counted / 4);
});

test("longer texts have more tokens, an empty one none", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("a b")).toBeLessThan(estimateTokens("a b c d"));
});
