/** A lesson as its checks see it: what it shows of the code, what it tells one to type, where it points. */

/** A numbered item of "Try it": `prompt` ⌨ `answer to a question` → `what must be seen` → `and then`. */
interface Attempt {
  prompt: string;
  answers: string[];
  seen: string[];
}

export interface Lesson {
  /** The levels of its headings, such as "##", in order. */
  headings: string[];
  blocks: { language: string; text: string }[];
  /** The targets of its links, without what is behind a #. */
  links: string[];
  /** All that begins with `pnpm`, in sh blocks and in the text. */
  commands: string[];
  /** From the section "Try it". */
  attempts: Attempt[];
}

const TRY_IT = /^## (?:Try it|试一试|動かしてみる)$/m;

export function readLesson(markdown: string): Lesson {
  const blocks = [...markdown.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
  const prose = markdown.replaceAll(/^```[^]*?^```$/gm, "");
  const [, section = ""] = prose.split(TRY_IT);
  const [tryIt = ""] = section.split(/^## /m);
  const shellLines = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"));
  return {
    headings: all(prose, /^(#+) /gm),
    blocks,
    links: all(prose, /\]\(([^)#\s]+)/g),
    commands: [...shellLines, ...all(prose, /`([^`\n]+)`/g)]
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => /^(?:npx )?pnpm /.test(line)),
    attempts: [...tryIt.matchAll(/^\d+\. `([^`]+)`(.*)$/gm)].map(([, prompt = "", rest = ""]) => ({
      prompt,
      answers: all(rest, /⌨ `([^`]+)`/g),
      seen: all(rest, /→ `([^`]+)`/g),
    })),
  };
}

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);

/** What translations share: comments of commands are in the reader's language, links lead to their own pages. */
export function structureOf(markdown: string) {
  const { headings, blocks, links, commands, attempts } = readLesson(markdown);
  const withoutComments = (text: string) => text.replaceAll(/\s*#.*$/gm, "");
  return {
    headings,
    blocks: blocks.map(({ language, text }) => [language, { ts: text, sh: withoutComments(text) }[language]]),
    links: [...new Set(links.map((link) => link.replace(/README\.\w\w\.md$/, "README.md")))].toSorted(),
    commands: [...new Set(commands)].toSorted(),
    attempts: attempts.map(({ answers, seen }) => [answers.length, seen.length]),
  };
}

/**
 * Is a snippet in one of the files? White space does not count; a line `…` or `// …` stands for lines left out, what is
 * around it has to come in that order.
 */
export function isSnippetOf(snippet: string, files: string[]): boolean {
  const parts = snippet
    .split(/^\s*(?:\/\/ )?…\s*$/m)
    .map(squeezed)
    .filter(Boolean);
  return parts.length > 0 && files.some((file) => inOrder(parts, squeezed(file)) === undefined);
}

/** The first of these texts that does not come behind those before it; undefined when all do. */
export function inOrder(texts: string[], whole: string): string | undefined {
  let at = 0;
  return texts.find((text) => {
    const found = whole.indexOf(text, at);
    at = found + text.length;
    return found === -1;
  });
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
