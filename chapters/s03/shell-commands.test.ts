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
  ]);
});

test("a wrapper and what it runs are two commands", () => {
  expect(names("timeout 5 env A=1 xargs -n 1 sh -c 'ls; who'")).toEqual(["timeout", "env", "xargs", "sh", "ls", "who"]);
});

test.each([
  ["/usr/bin/ls -l", "ls"],
  ["\\ls", "ls"],
  ["'l's", "ls"],
  ["$'\\x6cs'", "ls"],
  ["{ls,-l}", "ls"],
  ["L=ls; $L", "ls"],
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
  ["{ cd a; }; ls", "/shop/a"],
  ["cd $X; ls", "$X"],
  ["f() { cd a; }; ls", "/shop"],
  ["f() { cd a; }; f; ls", "/shop/a"],
  ["f() { cd a; }; (f); ls", "/shop"],
  ["f() { ls; }; f; ls", "/shop"],
])("after %s the folder is %s", (line, directory) => {
  expect(last(line)?.directory).toBe(directory);
});

test.each([
  ["A=1; ls $A", ["1"]],
  ["A=1; ls a${A}b", ["a1b"]],
  ["ls $A", ["$A"]],
  ["A=1; A=2; ls $A", ["$A"]],
  ["A=1; A+=2; ls $A", ["$A"]],
  ["A=1; read A; ls $A", ["$A"]],
  ["A=1; printf -v A 2; ls $A", ["$A"]],
  ["A=1; printf 2; ls $A", ["1"]],
  ["A=1; ls ${A:=2}", ["1"]],
  ["A=1; ls ${A:?}", ["1"]],
  ["ls ${A:=2}; A=1; ls $A", ["$A"]],
  ["A=1; source b; ls $A", ["$A"]],
  ["A=1; f() { ls; }; ls $A", ["1"]],
  ["A=1; f() { ls; }; f; ls $A", ["1"]],
  ["A=1; f() { A=2; }; f; ls $A", ["$A"]],
  [
    "A=src/a.test.js; ls ${A%.js} ${A%%.*} ${A##*/} ${A#*/} ${A%.ts}",
    ["src/a.test", "src/a", "a.test.js", "a.test.js", "src/a.test.js"],
  ],
  ["A=a.js; ls ${A%[a-z]s} ${A%$B} ${A%*}", ["${A%[a-z]s}", "${A%$B}", "${A%*}"]],
  ["A=a; ls ${A#a} ${A%%*}", ["${A#a}", "${A%%*}"]],
  ["A=1; export B=2; ls $A $B", ["1", "2"]],
  ['A=1; declare "A=2"; ls $A', ["$A"]],
  ["A=; ls $A", ["$A"]],
  ["A='1 2'; ls $A", ["$A"]],
  ["export A=1; ls $A", ["1"]],
  ["(A=1); ls $A", ["$A"]],
  ["ls {a,b{c,d}}.ts", ["a.ts", "bc.ts", "bd.ts"]],
  ["ls {1..3}", ["{1..3}"]],
  ["ls a{,*}", ["a", "a*"]],
  ["ls *.ts '*.ts'", ["*.ts", "*.ts"]],
  ["ls $(date)", ["$(date)"]],
  ["ls $(pwd)/a", ["/shop/a"]],
])("the words of %s are %j", (line, words) => {
  expect(last(line)?.args).toEqual(words);
});

test("a loop is read once for each value", () => {
  const { commands } = commandsIn("for f in a b; do ls $f; done", PLACE);
  expect(commands.map(({ args }) => args)).toEqual([["a"], ["b"]]);
});

test("a word behind an option that is not known may be its value, or the command", () => {
  expect(names("env --unknown ls who")).toEqual(["env", "ls", "who"]);
  expect(names("env --unknown=ls who")).toEqual(["env", "who"]);
  expect(names("env -iu ls who")).toEqual(["env", "ls", "who"]);
  expect(names("env -i ls who")).toEqual(["env", "ls"]);
  expect(names("timeout -k5 10 ls who")).toEqual(["timeout", "ls"]);
  expect(names("timeout --unknown 5 10 ls who")).toEqual(["timeout", "10", "ls"]);
});

test.each([
  ["find .. src -type f | sort | xargs ls", ["../{}", "src/{}"]],
  ["ls a b | xargs ls", ["a", "b"]],
  ["cat list | xargs ls", []],
  ["find .. | xargs -I{} ls {}", []],
  ["find .. | xargs ls < list", []],
])("what %s is given is %j", (line, given) => {
  expect(last(line)?.given).toEqual(given);
});

test("a redirection into a file is a command of its own; one between descriptors is not", () => {
  const { commands } = commandsIn("ls > a 2>&1 < b; { ls; } &>> c", PLACE);
  expect(commands.filter(({ name }) => name === ">").map(({ args }) => args)).toEqual([["a"], ["c"]]);
});

test("says what could not be read, also inside a nested script, and gives what could", () => {
  const { commands, problems } = commandsIn("who; sh -c 'ls \"x'", PLACE);
  expect(problems).toHaveLength(1);
  expect(commands.map(({ name }) => name)).toEqual(["who", "sh", "ls"]);
});
