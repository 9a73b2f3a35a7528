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
  /** The console blocks of sections that are run: how it fails before, how it works then, what still goes wrong. */
  sessions: Session[];
}

/** A console block: commands, each with the texts that it must show, in order. */
export interface Session {
  section: string;
  steps: { command: string; seen: string[] }[];
}

const TRY_IT = /^##+ (?:Try it|试一试|試してみる)$/m;

export function readLesson(markdown: string): Lesson {
  const blocks = [...markdown.matchAll(/^```(\S*)\n([^]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
  const prose = markdown.replaceAll(/^```[^]*?^```$/gm, "");
  const [, section = ""] = prose.split(TRY_IT);
  const [tryIt = ""] = section.split(/^## /m);
  const sections = markdown.split(/^## /m).slice(1);
  const shellLines = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"));
  return {
    headings: all(prose, /^(#+) /gm),
    blocks,
    links: all(prose, /\]\(([^)#\s]+)/g),
    commands: [...shellLines, ...all(prose, /`([^`\n]+)`/g)]
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      .filter((line) => /^(?:npx )?pnpm /.test(line)),
    sessions: sections.flatMap((text) =>
      [...text.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block = ""]) => ({
        section: text.split("\n", 1)[0] ?? "",
        steps: stepsOf(block),
      })),
    ),
    attempts: [...tryIt.matchAll(/^\d+\. `([^`]+)`(.*)$/gm)]
      .map(([, prompt = "", rest = ""]) => ({
        prompt,
        answers: all(rest, /⌨ `([^`]+)`/g),
        seen: all(rest, /→ `([^`]+)`/g),
      }))
      .filter(({ seen }) => seen.length > 0), // what is to be watched (a key pressed in time) is no text
  };
}

const stepsOf = (block: string): Session["steps"] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = "", ...lines] = step.split("\n");
      return { command, seen: lines.map((line) => line.trim()).filter((line) => line !== "" && line !== "…") };
    });

/** The length of a lesson outside of blocks and of what unfolds: words, in Chinese and Japanese characters. */
export function lengthOf(markdown: string, language: string): number {
  const text = markdown.replaceAll(/<details>[^]*?<\/details>|^```[^]*?^```$/gm, "");
  if (language === "en") return text.split(/\s+/).filter(Boolean).length;
  return text.replaceAll(/`[^`]*`|\]\([^)]*\)|[\s|*#\->]/g, "").length;
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
    commands: [...new Set(commands.map((command) => command.replaceAll(/(["']).*\1/g, "…")))].toSorted(),
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
