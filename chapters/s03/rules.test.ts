import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeCommand } from "./rules.ts";

const PLACE = { workspace: "/home/ada/shop", home: "/home/ada" };

/** What becomes of a command line. */
function verdict(line: string): "run" | "ask" | "deny" {
  return judgeCommand(line, PLACE)[0]?.verdict ?? "run";
}

const TABLE = readFileSync(new URL("commands.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ wanted: line.slice(0, 6).trim(), command: line.slice(6).replaceAll("⏎", "\n") }));

describe("real commands", () => {
  test("the table is a table: many commands, each with a verdict, none twice", () => {
    expect(TABLE.length).toBeGreaterThan(900);
    expect(TABLE.filter(({ wanted }) => !["run", "ask", "ask*", "deny"].includes(wanted))).toEqual([]);
    expect(TABLE.map(({ command }) => command).filter((command, i, all) => all.indexOf(command) !== i)).toEqual([]);
  });

  test.each(["run", "ask", "deny"])("every one that is to %s does", (wanted) => {
    const others = TABLE.filter((row) => row.wanted.replace("*", "") === wanted).filter(
      ({ command }) => verdict(command) !== wanted,
    );
    expect(others.map(({ command }) => `${command}: ${JSON.stringify(judgeCommand(command, PLACE))}`)).toEqual([]);
  });

  test("few harmless ones are asked about", () => {
    const harmless = TABLE.filter(({ wanted }) => wanted === "run" || wanted === "ask*");
    const asked = harmless.filter(({ command }) => verdict(command) === "ask");
    expect(asked.length / harmless.length).toBeLessThan(0.03);
  });
});

/** Ways to run a command X from somewhere else in a line. */
const AROUND = [
  "X",
  "  X  ",
  "true && X",
  "false || X",
  "ls; X",
  "ls\nX",
  "sleep 1 & X",
  "X &",
  "ls | X",
  "X | cat",
  "! X",
  "(X)",
  "{ X; }",
  "if X; then ls; fi",
  "if true; then X; else ls; fi",
  "if false; then ls; elif X; then ls; fi",
  "while X; do ls; done",
  "for i in 1 2; do X; done",
  "for ((i = 0; i < 2; i++)); do X; done",
  "case a in a) X;; esac",
  "f() { X; }; f",
  "function f { X; }",
  "coproc X",
  "time X",
  "A=1 X",
  "X > out.txt 2>&1",
  "2>/dev/null X",
  "echo $(X)",
  "echo `X`",
  'echo "$(X)"',
  'echo "${a:-$(X)}"',
  "a=$(X)",
  "a=(1 $(X))",
  "export A=$(X)",
  "echo $(( $(X) + 1 ))",
  "[[ -n $(X) ]]",
  "cat <(X)",
  "ls > >(X)",
  "cat <<EOF\n$(X)\nEOF",
  "cat <<< $(X)",
  "bash <<EOF\nX\nEOF",
  "bash <<'EOF'\nX\nEOF",
  "command X",
  "exec X",
  "env A=1 X",
  "env -i -u B X",
  "nohup X",
  "/usr/bin/time -o t X",
  "timeout -k 5 10 X",
  "nice -n 5 X",
  "ionice -c 3 X",
  "setsid X",
  "stdbuf -oL X",
  "xargs -n 1 X",
  "busybox X",
  "strace -f X",
  "npx X",
  "poetry run X",
  "find . -exec X \\;",
  "find . -name a -exec echo {} \\; -exec X \\;",
  "env nohup nice timeout 5 X",
  "git bisect run X",
  "eval X",
  "watch -n 1 X",
  "ssh -p 22 host X",
].map((form) => (command: string) => form.replaceAll("X", () => command));

/** The same, with the command in single quotes. */
const QUOTED = [
  "sh -c 'X'",
  "bash -lc 'X'",
  "zsh -x -c 'X' name",
  "bash -euo pipefail -c 'X'",
  "/bin/sh -c 'X'",
  "env A=1 bash -c 'X'",
  "xargs sh -c 'X' _",
  "find . -exec sh -c 'X' _ {} +",
  "eval 'X'",
  "trap 'X' EXIT",
  "watch 'X'",
  "parallel 'X' ::: 1 2",
  "ssh host 'X'",
  "env -S 'X'",
  "flock lock -c 'X'",
  "script -c 'X' log",
  "bash <<< 'X'",
  "bash -c \"sh -c 'X'\"",
].map((form) => (command: string) => form.replaceAll("X", () => command));

const NEVER = [
  "rm -rf /",
  "rm -fr ~",
  "rm -r -f $HOME/*",
  "/bin/rm --recursive /",
  "sudo id",
  "doas id",
  "su -c id",
  "shutdown -h now",
  "/sbin/reboot",
  "systemctl poweroff",
  "init 6",
  "mkfs.ext4 /dev/sda1",
  "dd if=/dev/zero of=/dev/sda",
  "tee /dev/sda",
  "cp a /dev/nvme0n1",
];

describe("what is never allowed", () => {
  test.each(NEVER)("%s is not allowed from anywhere in a line", (command) => {
    const forms = [...AROUND, ...QUOTED].map((form) => form(command));
    expect(forms.filter((line) => verdict(line) !== "deny")).toEqual([]);
  });

  test("nor two forms deep", () => {
    const quoted = QUOTED.filter((form) => !form("").includes('"')); // eval and ssh take one pair of quotes off
    const forms = AROUND.flatMap((outer) => quoted.map((inner) => outer(inner("sudo"))));
    expect(forms.filter((line) => verdict(line) !== "deny")).toEqual([]);
  });

  test("a denial comes before every question", () => {
    const findings = judgeCommand('git push; rm a; sudo rm b; chmod 777 c; echo "', PLACE);
    expect(findings.map((finding) => finding.verdict)).toEqual(["deny", "ask", "ask", "ask", "ask"]);
  });
});

describe("words are only words", () => {
  const DATA = [
    "echo 'X'",
    'echo "X"',
    "printf '%s' 'X' > notes.txt",
    "git commit -m 'X'",
    "grep -rn 'X' src",
    "cat > notes.md <<'EOF'\nX\nEOF",
    "A='X'; echo \"$A\"",
    "node -e 'console.log(`X`)'",
    "ls # X",
    "[[ $a == 'X' ]]",
    "case $a in 'X') ls;; esac",
    "for a in 'X'; do echo \"$a\"; done",
    "gh pr create --title 'X' --body 'X'",
    "curl -d 'X' localhost:3000",
  ];

  test.each([...NEVER, "rm a", "git push --force", "chmod 777 a"])("%s", (command) => {
    const lines = DATA.map((form) => form.replaceAll("X", () => command)).filter((line) => verdict(line) !== "run");
    expect(lines).toEqual([]);
  });
});

describe("reasons", () => {
  test("name the rule, and say what and why", () => {
    expect(judgeCommand("ls && rm -f 'my notes.txt'", PLACE)).toEqual([
      { verdict: "ask", rule: "delete files", reason: "deletes files: rm -f my notes.txt" },
    ]);
  });

  test("say each thing once", () => {
    expect(judgeCommand("rm a; rm a; rm a", PLACE)).toHaveLength(1);
  });

  test("a forced push is named beside the push", () => {
    expect(judgeCommand("git -C . push --force", PLACE).map(({ rule }) => rule)).toEqual([
      "git force push",
      "git push",
    ]);
  });

  test("a line that cannot be read is asked about with the cause", () => {
    expect(judgeCommand('echo "x', PLACE)).toEqual([
      { verdict: "ask", rule: "unreadable command", reason: "cannot be read: unterminated double quote" },
    ]);
  });
});

describe("lines made to break the reader", () => {
  const deep = (open: string, close: string, middle: string, times = 5000) =>
    open.repeat(times) + middle + close.repeat(times);
  const LINES = {
    "nested subshells": deep("(", ")", "ls"),
    "nested substitutions": `echo ${deep("$(", ")", "ls")}`,
    "nested groups": deep("{ ", "; }", "ls"),
    "a chain of wrappers": `${"env ".repeat(5000)}ls`,
    "a chain of evals": `${"eval ".repeat(5000)}ls`,
    "loops in loops": `${Array.from({ length: 9 }, (_, i) => `for a${i} in 1 2 3 4 5 6 7 8 9; do `).join("")}x=1${"; done".repeat(9)}`,
    "braces upon braces in a name": `${"{a,b}".repeat(40)} x`,
    "open quotes": "'\"`$(".repeat(500),
    "more bytes than a system takes": `echo ${"é".repeat(65_536)}`,
    "substitutions in quotes that never close": '"$('.repeat(40_000),
    "parameters in quotes that never close": '"${'.repeat(40_000),
    "parameters in substitutions that never close": "$(${".repeat(30_000),
    "a path of countless folders": `touch ${"a/".repeat(50_000)}`,
    "countless files": `touch ${"a ".repeat(50_000)}`,
    "countless redirections": "> a ".repeat(30_000),
    "countless here-documents": `cat ${"<<E ".repeat(30_000)}`,
    "countless folders to go down": "cd a;touch b;".repeat(10_000),
    "countless values": `for a in ${"b ".repeat(50_000)}; do ls; done`,
    "countless variables": `${Array.from({ length: 10_000 }, (_, i) => `a${i}=b;`).join("")}${"(ls);".repeat(5000)}`,
    "countless places to find in": `find ${"a ".repeat(30_000)}${"-exec ls {} \\; ".repeat(4000)}`,
    "wrappers that can be read in two ways": `${"xargs --x ".repeat(10_000)}ls`,
  };

  test.each(Object.entries(LINES))("%s are asked about", (_, line) => {
    expect(verdict(line)).toBe("ask");
  });

  test("long ones that are honest run", () => {
    expect(verdict(Array.from({ length: 1000 }, (_, i) => `echo ${i}`).join(" && "))).toBe("run");
    expect(verdict(`cat > a.txt <<'EOF'\n${"rm -rf / \n".repeat(10_000)}EOF`)).toBe("run");
    expect(verdict(`echo ${"{a,b}".repeat(40)}`)).toBe("run");
  });

  test("any text at all gets an answer", () => {
    const pieces = [
      "rm",
      " ",
      "$(",
      ")",
      "'",
      '"',
      "`",
      "{",
      "}",
      ",",
      "|",
      "&",
      ";",
      "\n",
      "<<EOF",
      ">",
      "\\",
      "[[",
      "é",
      "\0",
      "${",
      "for",
      "sh -c",
    ];
    let seed = 1;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let i = 0; i < 1000; i++) {
      const line = Array.from({ length: next() % 20 }, () => pieces[next() % pieces.length]).join("");
      expect(["run", "ask", "deny"]).toContain(verdict(line));
    }
  });
});
