/** How the offline model acts: by the tools whose schemas it knows, else by a shell command that does the same. */
import type { MessageCreateParams } from "@anthropic-ai/sdk/resources/messages";
import { posix } from "node:path";
import { fieldsOf, fitting, isRecord, records } from "./schema.ts";

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** A tool as it was offered, and the names its fields go by. */
interface Tool {
  name: string;
  description: string;
  schema: unknown;
  properties: Record<string, unknown>;
  required: string[];
}

export interface Todo {
  content: string;
  status: string;
}

/** Thrown where no tool offered can do what is to be done. */
export class NoToolFits extends Error {}

const FIELDS = {
  command: ["command", "cmd"],
  path: ["path", "file_path", "filePath", "filepath", "absolute_path", "filename"],
  content: ["content", "contents", "file_text"],
  old: ["old_text", "old_string", "oldString", "oldText", "old_str"],
  new: ["new_text", "new_string", "newString", "newText", "new_str"],
  pattern: ["pattern"],
} as const;
type Field = keyof typeof FIELDS;
const FIELD_NAMES = ["command", "path", "content", "old", "new", "pattern"] as const satisfies Field[];

const SKIP = "-not -path '*/node_modules/*' -not -path '*/.git/*'";

// Node is there wherever the course runs, and takes both texts literally (sed and perl read them as patterns).
const REPLACE = `
const fs = require("fs");
const [path, from, to] = process.argv.slice(1);
const text = fs.readFileSync(path, "utf8");
if (!text.includes(from)) { console.error("Error: text not found"); process.exit(1); }
fs.writeFileSync(path, text.replaceAll(from, () => to));
`;

/** The end of a command of `edit`: the file, and both texts as words of the shell. */
const SWAPPED = /( -- \S+) ((?:'[^']*'|\\'|[^\s'])+) ((?:'[^']*'|\\'|[^\s'])+)$/;

export type Hands = ReturnType<typeof handsFor>;

/** @param cwd the client's folder, for tools that want whole paths */
export function handsFor(request: MessageCreateParams, cwd?: string) {
  const tools = request.tool_choice?.type === "none" ? [] : toolsOf(request);
  const tool = (fields: Field[], named = /./): Tool | undefined =>
    tools.find((one) => named.test(one.name) && takes(one, fields));
  const shell = tool(["command"]);
  const reader = tool(["path"], /read|view|open|cat/i);
  const writer = tool(["path", "content"], /^(?!.*(?:append|insert))/i);
  const editor = tool(["path", "old", "new"]);
  const finder = tool(["pattern"], /glob|find/i);
  const todo = tools.find(({ required, properties }) => required.join() === "todos" && isTodoList(properties.todos));

  const run = (command: string): ToolCall => {
    if (!shell) throw new NoToolFits();
    return call(shell, { command: fieldIs(shell, "command", "array") ? ["bash", "-lc", command] : command });
  };
  const at = (one: Tool, path: string): string => {
    const field = FIELDS.path.find((name) => name in one.properties) ?? "";
    const wantsWhole = /absolute/i.test(`${field} ${JSON.stringify(one.properties[field] ?? "")}`);
    return wantsWhole && cwd !== undefined && !/^[/~]/.test(path) ? posix.join(cwd, path) : path;
  };
  const hands = {
    names: tools.map(({ name }) => name),
    offers: {
      todo: todo !== undefined,
      shell: shell !== undefined,
      edit: editor !== undefined,
      write: writer !== undefined,
    },
    run,
    /** Names those of the paths that are there. */
    look: (paths: string[]): ToolCall => run(`ls -d ${paths.map(shellPath).join(" ")} 2>/dev/null || true`),
    // `ls` shows folders too, which a pattern for files passes over.
    list: (folders: string[]): ToolCall =>
      shell || !finder
        ? run(`ls -p ${folders.map(shellPath).join(" ")}`)
        : call(finder, { pattern: below(folders[0] ?? ".", "*") }),
    find: (folder: string, wildcard: string): ToolCall =>
      finder
        ? call(finder, { pattern: below(folder, `**/${wildcard}`) })
        : run(findCommand(folder, `-name ${quote(wildcard)}`)),
    read: (path: string): ToolCall =>
      reader ? call(reader, { path: at(reader, path) }) : run(`cat ${shellPath(path)}`),
    write: (path: string, content: string): ToolCall =>
      // Only the shell knows where the home folder is.
      writer && !path.startsWith("~/")
        ? call(writer, { path: at(writer, path), content })
        : run(`${makeFolderOf(path)}printf '%s' ${quote(content)} > ${shellPath(path)}`),
    /** Replaces the one place where a text stands, taken literally, or all of them. */
    edit: (path: string, old: string, to: string, everywhere = false): ToolCall =>
      editor && !everywhere
        ? call(editor, { path: at(editor, path), old, new: to })
        : run(`node -e ${quote(REPLACE)} -- ${[path, old, to].map(quote).join(" ")}`),
    /** What an edit put where, in place of what; undefined where the shell did it. */
    edited: ({ input }: ToolCall): { path: string; old: string; to: string } | undefined => {
      const [path, old, to] = [FIELDS.path, FIELDS.old, FIELDS.new].map(
        (names) => input[names.find((one) => one in input) ?? ""],
      );
      return typeof path === "string" && typeof old === "string" && typeof to === "string"
        ? { path, old, to }
        : undefined;
    },
    /** The call that takes an edit back. */
    undo: ({ name, input }: ToolCall): ToolCall => {
      const field = (names: readonly string[]): string => names.find((one) => one in input) ?? "";
      const [old, to] = [field(FIELDS.old), field(FIELDS.new)];
      if (old !== "") return { name, input: { ...input, [old]: input[to], [to]: input[old] } };
      return run(String(Object.values(input)[0]).replace(SWAPPED, "$1 $3 $2"));
    },
    /** The call that has to come before a file may be changed, with tools that say so. */
    readsFirst: (path: string): ToolCall[] =>
      reader &&
      [editor, writer].some((one) =>
        /must[^.]{0,80}\bread\b|\bread\b[^.]{0,60}\b(?:first|before)\b/i.test(one?.description ?? ""),
      )
        ? [hands.read(path)]
        : [],
    todo: (list: Todo[]): ToolCall | undefined => todo && { name: todo.name, input: { todos: todosFor(todo, list) } },
    isTodo: (name: string): boolean => name === todo?.name,
    /** A call of whatever tool demands just these fields. */
    other: (input: Record<string, string>): ToolCall => {
      const wanted = Object.keys(input);
      const found = tools.find(
        ({ required, properties }) =>
          required.length > 0 &&
          required.every((name) => wanted.includes(name)) &&
          wanted.every((name) => name in properties),
      );
      if (!found) throw new NoToolFits();
      return { name: found.name, input };
    },
    /** A tool not called yet, with the least arguments that fit: one that only takes an answer, if there is one. */
    unused: (called: ReadonlySet<string>, text: string, only = /./): ToolCall | undefined => {
      const left = tools.filter(({ name }) => !called.has(name) && only.test(name));
      const known = new Set([shell, reader, writer, editor, finder, todo]);
      const found = left.find((one) => !known.has(one)) ?? left.find((one) => one !== shell) ?? left[0];
      if (!found) return undefined;
      if (found === shell) return run("true");
      const input = fitting(found.schema, text);
      return { name: found.name, input: isRecord(input) ? input : {} };
    },
  };
  return hands;

  function call(one: Tool, values: Partial<Record<Field, unknown>>): ToolCall {
    const input: Record<string, unknown> = {};
    for (const field of FIELD_NAMES) {
      const value = values[field];
      if (value === undefined) continue;
      const name = FIELDS[field].find((candidate) => candidate in one.properties) ?? field;
      input[name] = value;
    }
    const [about] = Object.values(values);
    for (const name of one.required) input[name] ??= fitting(one.properties[name], String(about).slice(0, 80));
    return { name: one.name, input };
  }
}

export function toolsOf(request: MessageCreateParams): Tool[] {
  return records(request.tools).flatMap(({ name, description, input_schema: schema }) =>
    typeof name === "string"
      ? [{ name, description: typeof description === "string" ? description : "", schema, ...fieldsOf(schema) }]
      : [],
  );
}

/** Whether a tool has these fields, and demands no others but such as say what a call is for or switch something on. */
function takes({ properties, required }: Tool, fields: Field[]): boolean {
  const known = new Set<string>(fields.flatMap((field) => FIELDS[field]));
  const isFree = (name: string): boolean => {
    const { type } = isRecord(properties[name]) ? properties[name] : {};
    return type === "boolean" || (type === "string" && /^(?:description|explanation|reason|purpose)$/.test(name));
  };
  return (
    fields.every((field) => FIELDS[field].some((name) => required.includes(name))) &&
    required.every((name) => known.has(name) || isFree(name))
  );
}

function fieldIs({ properties }: Tool, field: Field, type: string): boolean {
  return FIELDS[field].some((name) => isRecord(properties[name]) && properties[name].type === type);
}

function isTodoList(schema: unknown): boolean {
  const { properties } = fieldsOf(isRecord(schema) ? schema.items : undefined);
  return "content" in properties && "status" in properties;
}

/** The list as the tool wants it: some demand an id, a priority, or a second form of the words. */
function todosFor({ properties }: Tool, list: Todo[]): Record<string, unknown>[] {
  const items = isRecord(properties.todos) ? properties.todos.items : undefined;
  const { required, properties: fields } = fieldsOf(items);
  return list.map(({ content, status }, i) => {
    const more = required.filter((name) => !["content", "status"].includes(name));
    const filled = more.map((name) => [name, name === "id" ? String(i + 1) : fitting(fields[name], content)]);
    return { content, status, ...Object.fromEntries(filled) };
  });
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

const below = (folder: string, pattern: string): string => (folder === "." ? pattern : posix.join(folder, pattern));

function makeFolderOf(path: string): string {
  const folder = posix.dirname(path);
  return [".", "/", "~"].includes(folder) ? "" : `mkdir -p ${shellPath(folder)} && `;
}
