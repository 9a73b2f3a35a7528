import { expect, test } from "vitest";
import { commandsIn } from "./shell-commands.ts";

const PLACE = { workspace: "/shop", home: "/home/ada" };

function names(line: string): string[] {
  return commandsIn(line, PLACE).commands.map(({ name }) => name);
}

function last(line: string) {
  return commandsIn(line, PLACE).commands.at(-1);
}

test("finds every command of a line, what is substituted before what it is substituted in", () => {
  expect(names('cd a && ls "$(pwd; date)" | sort; (who) & wc < b')).toEqual([
    "cd",
    "pwd",
    "date",
    "ls",
    "sort",
    "who",
    "wc",
    "<",
  ]);
});

test("a wrapper and what it runs are two commands", () => {
  expect([...new Set(names("timeout 5 env A=1 xargs -n 1 sh -c 'ls; who'"))]).toEqual([
    "timeout",
    "env",
    "xargs",
    "sh",
    "ls",
    "who",
  ]);
});

test.each([
  ["/usr/bin/ls -l", "ls"],
  ["\\ls", "ls"],
  ["'l's", "ls"],
  ["$'\\x6cs'", "ls"],
  ["{ls,-l}", "ls"],
  ["L=ls; $L", "ls"],
  ["L='ls -l'; $L", "ls"],
  ["$HOME/bin/ls", "ls"],
  ["$UNKNOWN/bin/ls", "ls"],
  ["$L", "$L"],
  ["$(echo /bin/ls)", "$(echo /bin/ls)"],
])("the name of %s is %s", (line, name) => {
  expect(last(line)?.name).toBe(name);
});

test.each([
  ["ls", "/shop"],
  ["cd a; ls", "/shop/a"],
  ["cd a/../../b && ls", "/b"],
  ["cd; ls", "/home/ada"],
  ["cd ~/x && ls", "/home/ada/x"],
  ["cd a; cd -; ls", "/shop"],
  ["(cd a); ls", "/shop"],
  ["cd a | ls", "/shop"],
  ["echo $(cd a); ls", "/shop"],
  ["sh -c 'cd a'; ls", "/shop"],
  ["eval 'cd a'; ls", "/shop/a"],
  ["builtin cd a; ls", "/shop/a"],
  ["{ cd a; }; ls", "/shop/a"],
  ["cd $X; ls", "$X"],
  ["f() { cd a; }; f; ls", "/shop/a"],
])("after %s the folder is %s", (line, directory) => {
  expect(last(line)?.directory).toBe(directory);
});

test.each([
  ["A=1; ls $A", ["1"]],
  ["A=1; ls a${A}b", ["a1b"]],
  ["ls $A", ["$A"]],
  ["A=1; A=2; ls $A", ["1", "2"]],
  ["trap 'A=2' EXIT; A=1; ls $A", ["2", "1"]],
  ["A=1; A+=2; ls $A", ["1", "2", "$A"]],
  ["A=1; read A; ls $A", ["1", "$INPUT"]],
  ["A=1; ls ${A:-2}", ["1", "2"]],
  ["ls ${A:+2}", ["2"]],
  ["A='1 2'; ls $A", ["1", "2"]],
  ["A='1 2'; ls \"$A\"", ["1 2"]],
  ['A=(1 2); ls "${A[@]}"', ["1", "2"]],
  ["for f in a b; do ls $f; done", ["a", "b"]],
  ["f() { ls $1 $2; }; f a b", ["a", "b"]],
  ["ls {a,b}.ts {1..3}", ["a.ts", "b.ts", "{1..3}"]],
  ["ls *.ts '*.ts'", ["*.ts", "*.ts"]],
  ["ls $(date)", ["$(date)"]],
  ["ls $(pwd)/a $PWD/b", ["/shop/a", "/shop/b"]],
  ["ls $(mktemp -d)/a", ["/tmp/mktemp/a"]],
  ["ls ~ ~/a '~'", ["/home/ada", "/home/ada/a", "~"]],
])("the words of %s are %j", (line, words) => {
  expect(commandsIn(line, PLACE).commands.findLast(({ name }) => name === "ls")?.args).toEqual(words);
});

test.each([
  ["find .. src -type f | sort | xargs ls", ["../{}", "src/{}"]],
  ["ls a b | xargs ls", ["a", "b"]],
  ["echo a b | xargs -n 1 ls -l", ["-l", "a", "b"]],
  ["cat list | xargs ls", ["{}"]],
  ["find .. | xargs -I{} ls {} x", ["../{}", "x"]],
])("what xargs is given in %s is %j", (line, args) => {
  expect(commandsIn(line, PLACE).commands.findLast(({ name }) => name === "ls")?.args).toEqual(args);
});

test("a redirection into a file is a command of its own; one between descriptors is not", () => {
  const { commands } = commandsIn("ls > a 2>&1 < b; { ls; } &>> c", PLACE);
  expect(commands.filter(({ name }) => name === ">").map(({ args }) => args)).toEqual([["a"], ["c"]]);
});

test("says what could not be read, also inside a nested script, and gives what could", () => {
  const { commands, problems } = commandsIn("who; sh -c 'ls \"x'", PLACE);
  expect(problems.size).toBe(1);
  expect(commands.map(({ name }) => name)).toEqual(["who", "sh", "ls"]);
});

test("what is only taken for a command is told from what is one", () => {
  const assumed = (line: string) => commandsIn(line, PLACE).commands.map(({ name, assumed: taken }) => [name, taken]);
  expect(assumed("jail rm a")).toEqual([
    ["jail", false],
    ["rm", true],
  ]);
  expect(assumed("nice rm a")).toContainEqual(["rm", false]);
});
