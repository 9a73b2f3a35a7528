/** How the offline model acts: by the file tools where they are offered, else by a shell command that does the same. */
import { posix } from "node:path";

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Hands {
  run(command: string): ToolCall;
  /** Names those of the paths that are there. */
  look(paths: string[]): ToolCall;
  list(folder: string): ToolCall;
  /** Files below `folder` whose name fits the wildcard. */
  find(folder: string, wildcard: string): ToolCall;
  read(path: string): ToolCall;
  write(path: string, content: string): ToolCall;
  /** Writes a file that is to be new: a command of the shell names one that is there, and leaves it. */
  create(path: string, content: string): ToolCall;
  /** Replaces the one place where a text stands, taken literally. */
  edit(path: string, from: string, to: string): ToolCall;
  /** Replaces it wherever it stands. */
  editAll(path: string, from: string, to: string): ToolCall;
}

const SKIP = "-not -path '*/node_modules/*' -not -path '*/.git/*'";

// Node is there wherever the course runs, and takes both texts literally (sed and perl read them as patterns).
const REPLACE = `
const fs = require("fs");
const [path, from, to] = process.argv.slice(1);
const text = fs.readFileSync(path, "utf8");
if (!text.includes(from)) { console.error("Error: text not found"); process.exit(1); }
fs.writeFileSync(path, text.replaceAll(from, () => to));
`;

/** Calls of the tools offered. What no tool offered can do comes out as a call of `bash`, so check the name. */
export function handsFor(tools: ReadonlySet<string>): Hands {
  const run = (command: string): ToolCall => ({ name: "bash", input: { command } });
  const editAll = (path: string, from: string, to: string): ToolCall =>
    run(`node -e ${quote(REPLACE)} -- ${[path, from, to].map(quote).join(" ")}`);
  const prefer = (name: string, input: Record<string, unknown>, command: string): ToolCall =>
    tools.has(name) ? { name, input } : run(command);
  return {
    run,
    look: (paths) => run(`ls -d ${paths.map(shellPath).join(" ")} 2>/dev/null || true`),
    // `ls` shows folders too, which a pattern for files passes over.
    list: (folder) =>
      tools.has("bash") || !tools.has("glob")
        ? run(`ls -p ${shellPath(folder)}`)
        : { name: "glob", input: { pattern: below(folder, "*") } },
    find: (folder, wildcard) =>
      prefer("glob", { pattern: below(folder, `**/${wildcard}`) }, findCommand(folder, `-name ${quote(wildcard)}`)),
    read: (path) => prefer("read_file", { path }, `cat ${shellPath(path)}`),
    write: (path, content) => prefer("write_file", { path, content }, writeCommand(path, content)),
    // Only the shell knows where the home folder is, so only it can look there.
    create: (path, content) =>
      prefer(
        path.startsWith("~/") ? "" : "write_file",
        { path, content },
        unlessThere(path, writeCommand(path, content)),
      ),
    edit: (path, from, to) =>
      tools.has("edit_file")
        ? { name: "edit_file", input: { path, old_text: from, new_text: to } }
        : editAll(path, from, to),
    editAll,
  };
}

/** A `find` of files that passes over what no one means. */
export const findCommand = (folder: string, condition = ""): string =>
  ["find", shellPath(folder), "-type f", condition, SKIP].filter((part) => part !== "").join(" ");

/** A word that the shell reads as exactly this text. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A path as a word of the shell: never taken for an option, and `~/` still means the home folder. */
export function shellPath(path: string): string {
  if (path === "~") return path;
  if (path.startsWith("~/")) return `~/${quote(path.slice(2))}`;
  return quote(path.startsWith("-") ? `./${path}` : path);
}

/** A command that makes a file of this name, and only names it where there is one. */
export const unlessThere = (path: string, command: string): string =>
  `ls -d ${shellPath(path)} 2>/dev/null || ${command.includes(" && ") ? `{ ${command}; }` : command}`;

const writeCommand = (path: string, content: string): string =>
  `${makeFolderOf(path)}printf '%s' ${quote(content)} > ${shellPath(path)}`;

const below = (folder: string, pattern: string): string => (folder === "." ? pattern : posix.join(folder, pattern));

function makeFolderOf(path: string): string {
  const folder = posix.dirname(path);
  return [".", "/", "~"].includes(folder) ? "" : `mkdir -p ${shellPath(folder)} && `;
}
