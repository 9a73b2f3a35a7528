import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { judgeCommand } from "./rules.ts";

const PLACE = { workspace: "/home/ada/shop", home: "/home/ada" };

/** What becomes of a command line. */
function verdict(line: string): string {
  return judgeCommand(line, PLACE)[0]?.verdict ?? "run";
}

function rules(line: string): string[] {
  return judgeCommand(line, PLACE).map(({ rule }) => rule);
}

/** The lines that are not judged as wanted. */
function others(lines: string[], wanted: string): string[] {
  return lines.filter((line) => verdict(line) !== wanted);
}

const TABLE = readFileSync(new URL("commands.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ wanted: line.slice(0, 6).trim(), command: line.slice(6).replaceAll("⏎", "\n") }));

describe("real commands", () => {
  test("the table is a table: many commands, each with a verdict, none twice", () => {
    expect(TABLE.length).toBeGreaterThan(300);
    expect(TABLE.filter(({ wanted }) => !["run", "ask", "deny"].includes(wanted))).toEqual([]);
    expect(TABLE.map(({ command }) => command).filter((command, i, all) => all.indexOf(command) !== i)).toEqual([]);
  });

  test.each(["run", "ask", "deny"])("every one that is to %s does", (wanted) => {
    const rows = TABLE.filter((row) => row.wanted === wanted).map(({ command }) => command);
    expect(others(rows, wanted).map((command) => `${command}: ${JSON.stringify(rules(command))}`)).toEqual([]);
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
  "find . -exec X \\;",
  "find . -name a -exec echo {} \\; -exec X \\;",
  "env nohup nice timeout 5 X",
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
];

describe("what is never allowed", () => {
  test.each(NEVER)("%s is not allowed from anywhere in a line", (command) => {
    const forms = [...AROUND, ...QUOTED].map((form) => form(command));
    expect(others(forms, "deny")).toEqual([]);
  });

  test("nor two forms deep", () => {
    const quoted = QUOTED.filter((form) => !form("").includes('"')); // eval and ssh take one pair of quotes off
    const around = AROUND.filter((form) => !form("").startsWith("xargs")); // it reads what follows `<<<`
    const forms = around.flatMap((outer) => quoted.map((inner) => outer(inner("sudo"))));
    expect(others(forms, "deny")).toEqual([]);
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
    const lines = DATA.map((form) => form.replaceAll("X", () => command));
    expect(others(lines, "run")).toEqual([]);
  });
});

describe("a program that is not known is assumed to run the command among its words", () => {
  const PROGRAMS = ["jail", "with-env --fast", "run-in-box -n 3 --", "./wrap.sh", "$HOME/bin/wrap", "retry 3"];
  const INNER = ["rm a", "rm -rf ../b", "git push --force", "git reset --hard", "kubectl delete pod a", "chmod 777 a"];

  test.each(PROGRAMS)("%s", (program) => {
    expect(
      others(
        INNER.map((inner) => `${program} ${inner}`),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        INNER.map((inner) => `${program} --run '${inner}'`),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        INNER.map((inner) => `${program} sh -c '${inner}'`),
        "ask",
      ),
    ).toEqual([]);
    expect(others([`${program} sudo id`, `${program} rm -rf ~`, `${program} sh -c 'rm -rf /'`], "deny")).toEqual([]);
    expect(others([`${program} ls -la`, `${program} npm test`, `${program} --help`], "run")).toEqual([]);
  });

  test("so does one that is known to run others, in a container or on another machine, too", () => {
    const outer = [
      "docker exec web",
      "docker run --rm node:20",
      "docker compose exec -T web",
      "kubectl exec a --",
      "ssh ada@host",
    ];
    expect(
      others(
        outer.flatMap((words) =>
          ["rm -rf /data", "psql -c 'DROP TABLE a'", "sh -c 'rm b'"].map((inner) => `${words} ${inner}`),
        ),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        outer.flatMap((words) => ["ls /data", "npm test", "psql -c 'select 1'"].map((inner) => `${words} ${inner}`)),
        "run",
      ),
    ).toEqual([]);
  });

  test("behind one that searches they are data", () => {
    const outer = ["timeout 5", "env A=1", "npx", "xargs -0", "jail"];
    expect(
      others(
        outer.flatMap((words) => [`${words} grep -n sudo a.txt`, `${words} rg rm src`]),
        "run",
      ),
    ).toEqual([]);
  });
});

describe("every spelling of what deletes everything", () => {
  const OPTIONS = ["-rf", "-fr", "-r -f", "--recursive --force", "-rf --", "-vrf"];
  const PLACES = [
    "/",
    "~",
    "$HOME",
    "${HOME}",
    '"$HOME"',
    "/home",
    "/*",
    "~/",
    "~/*",
    "~/.*",
    "../..",
    "~ada",
    "/home/ada/shop/../..",
    "{a,~}",
  ];

  test.each(OPTIONS)("rm %s", (options) => {
    const names = ["rm", "/bin/rm", "\\rm", "'r'm", "RM", "command rm"];
    expect(
      others(
        names.flatMap((name) => PLACES.map((place) => `${name} ${options} ${place}`)),
        "deny",
      ),
    ).toEqual([]);
    expect(
      others(
        ["'~'", "./~", "src", "../other", "~/a", "$A"].map((place) => `rm ${options} ${place}`),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        ["/tmp/a", '"$(mktemp -d)"', "$TMPDIR/a", "/var/tmp/a/*"].map((place) => `rm ${options} ${place}`),
        "run",
      ),
    ).toEqual([]);
  });

  test("find deletes everything only where no test chooses", () => {
    expect(
      others(
        ["find / -delete", "find ~ -type f -delete", "find ~ -exec rm -rf {} +", "find / -type d -exec rm -r {} \\;"],
        "deny",
      ),
    ).toEqual([]);
    const tests = ["-name a", "-nouser", "-samefile a", "-used 9", "-mtime +7", "-empty", "-newer a"];
    expect(
      others(
        tests.map((choice) => `find ~ ${choice} -delete`),
        "ask",
      ),
    ).toEqual([]);
  });
});

describe("what is changed elsewhere", () => {
  const VERBS = [
    "delete",
    "destroy",
    "remove",
    "rm",
    "purge",
    "terminate-instances",
    "deploy",
    "db:reset",
    "undeploy-and-delete",
  ];
  const TOOLS = [
    "aws",
    "gcloud",
    "az",
    "kubectl",
    "helm",
    "terraform",
    "pulumi",
    "fly",
    "heroku",
    "gh",
    "wrangler",
    "firebase",
    "docker volume",
  ];

  test.each(TOOLS)("%s", (tool) => {
    expect(
      others(
        VERBS.map((verb) => `${tool} ${verb} a`).filter((line) => !/docker volume (term|undep)/.test(line)),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        VERBS.map((verb) => `${tool} ${verb} a --dry-run`),
        "run",
      ),
    ).toEqual([]);
    expect(
      others(
        ["list", "ls", "describe", "logs", "show", "status", "get"].map((verb) => `${tool} ${verb} delete-job`),
        "run",
      ),
    ).toEqual([]);
  });

  test("a database, by every way to it", () => {
    const queries = [
      "DROP TABLE a",
      "delete from a where b = 1",
      "TRUNCATE a",
      "update a set b = 1",
      "DROP SCHEMA c CASCADE",
    ];
    const ways = (query: string) => [
      `psql -c "${query}"`,
      `mysql -e "${query}" shop`,
      `sqlite3 a.db "${query};"`,
      `echo "${query}" | psql shop`,
      `psql shop <<< "${query}"`,
      `psql shop <<SQL\n${query};\nSQL`,
      `docker compose exec -T db psql -c "${query}"`,
      `wrangler d1 execute a --command "${query}"`,
    ];
    expect(others(queries.flatMap(ways), "ask")).toEqual([]);
    expect(
      others(
        [
          "SELECT 1",
          "select * from deleted",
          "explain select a from dropped",
          "update a set b = 1 where c = 2",
        ].flatMap(ways),
        "run",
      ),
    ).toEqual([]);
  });

  test("a tool of a package, by every package manager", () => {
    const runners = [
      "npx",
      "bunx",
      "pnpm",
      "pnpm exec",
      "pnpm dlx",
      "yarn",
      "yarn run",
      "npm exec --",
      "bun x",
      "node_modules/.bin/",
    ];
    const line = (runner: string, command: string) =>
      runner.endsWith("/") ? `${runner}${command}` : `${runner} ${command}`;
    expect(
      others(
        runners.map((runner) => line(runner, "prisma migrate reset --force")),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        runners.map((runner) => line(runner, "prisma db push --accept-data-loss")),
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        runners.map((runner) => line(runner, "prisma generate")),
        "run",
      ),
    ).toEqual([]);
  });

  test("an address, unless it is this machine", () => {
    const methods = ["-X DELETE", "-XPUT", "--request PATCH", "-T a.tgz", "-d @a.json", "-F f=@a"];
    const line = (host: string) => (method: string) => `curl -s ${method} ${host}`;
    for (const host of ["https://example.com/a", "$API/a", '"https://$HOST/a"'])
      expect(others(methods.map(line(host)), "ask")).toEqual([]);
    for (const host of ["http://localhost:3000/a", "127.0.0.1:80", "http://[::1]/a", "localhost:$PORT/a"])
      expect(others(methods.map(line(host)), "run")).toEqual([]);
  });
});

describe("dry runs are not asked about", () => {
  test.each([
    "git push -n backup",
    "git push --dry-run -u origin topic",
    "git clean -ndX src",
    "git rm -n -r src",
    "npm publish --tag next --dry-run",
    "rsync -an --delete a/ b/",
    "helm uninstall a --dry-run",
    "kubectl delete pod a --dry-run=client",
    "make -n all deploy",
    "aws s3 rm s3://a --dryrun",
    "php artisan migrate:fresh --pretend",
  ])("%s", (line) => {
    expect(verdict(line)).toBe("run");
  });

  test("but one that is none, or that takes administrator rights, is", () => {
    expect(
      others(
        ["kubectl delete pod a --dry-run=none", "kubectl -n prod delete pod a", "npm publish --tag dry-run"],
        "ask",
      ),
    ).toEqual([]);
    expect(verdict("sudo rm --dry-run a")).toBe("deny");
  });
});

describe("options are told from what looks like them", () => {
  test("the letters of a word, and the name of a branch", () => {
    expect(
      others(
        ["go test -count=2 ./pkg/...", "git switch -cfeature", "git checkout -bfix-delete", "gcc -O2 -fPIC a.c"],
        "run",
      ),
    ).toEqual([]);
    expect(others(["git clean -xdf", "git push -uf", "git branch -qD a", "git checkout -qf"], "ask")).toEqual([]);
  });
});

describe("code in other languages", () => {
  const DELETIONS = [
    ["python3 -c", "import shutil; shutil.rmtree('X')"],
    ["python3 -c", "import os; os.remove('X')"],
    ["node -e", "require('fs').rmSync('X', { recursive: true })"],
    ["node -e", "fs.unlinkSync('X')"],
    ["perl -e", "unlink 'X'"],
    ["ruby -e", "FileUtils.rm_rf('X')"],
    ["php -r", "unlink('X');"],
  ];

  test.each(DELETIONS)("%s %s", (program, code) => {
    const line = (path: string) => `${program} "${code.replace("X", path)}"`;
    expect([rules(line("a.txt")), rules(line("../b")), rules(line("/tmp/c"))]).toEqual([
      ["delete files"],
      ["delete files outside"],
      [],
    ]);
    expect(verdict(line("/home/ada"))).toBe("deny");
  });

  test("what it starts", () => {
    expect(
      others(
        [
          `python3 -c "import os; os.system('rm a')"`,
          `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
          `node -e "require('child_process').execSync('rm a')"`,
          "ruby -e '`rm a`'",
        ],
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        [`python3 -c "print('rm -rf /')"`, `node -e "console.log('git push')"`, "node -e 'console.log(`sudo id`)'"],
        "run",
      ),
    ).toEqual([]);
  });
});

describe("processes", () => {
  test("what a search finds, the agent itself, and all", () => {
    expect(
      others(
        [
          "pkill a",
          "kill $(pgrep a)",
          "kill `pidof a`",
          "pgrep a | xargs kill",
          "p=$(lsof -ti :80); kill $p",
          "kill $PPID",
          "kill -9 -1",
          "fuser -k 80/tcp",
          "lsof -ti :80 | xargs -r kill -9",
          "for p in $(pgrep a); do kill $p; done",
        ],
        "ask",
      ),
    ).toEqual([]);
    expect(
      others(
        [
          "kill 123",
          "kill -9 123",
          "a & kill $!",
          "kill %1",
          "kill -0 4242",
          "kill $(cat a.pid)",
          "kill $(jobs -p)",
          "pgrep a",
          "lsof -i :80",
        ],
        "run",
      ),
    ).toEqual([]);
  });
});

describe("always opens what was seen", () => {
  test("deleting in the workspace and deleting outside are two rules", () => {
    expect(rules("rm a.txt")).toEqual(["delete files"]);
    expect(rules("rm ../a.txt")).toEqual(["delete files outside"]);
    expect(rules("rm a.txt ~/b.txt")).toEqual(["delete files", "delete files outside"]);
    expect(rules("rm $A")).toEqual(["delete files outside"]);
  });

  test("a file that the line makes may go; one that it makes later, or adds to, may not", () => {
    expect(others(["echo a > b; rm b", "curl -so b https://example.com/a && rm b", "a > ../b"], "run")).toEqual([
      "a > ../b",
    ]);
    expect(others(["rm b; echo a > b", "echo a >> b; rm b", "mkdir -p b; rm -r b"], "ask")).toEqual([]);
  });
});

describe("secrets", () => {
  const PLACES = [
    "~/.ssh/id_rsa",
    "~/.aws/credentials",
    "$HOME/.kube/config",
    "~/.netrc",
    "~/.docker/config.json",
    "~/.gnupg",
  ];
  test.each(PLACES)("%s", (place) => {
    expect(
      others(
        [`cat ${place}`, `cp ${place} .`, `tar cf a.tar ${place}`, `base64 < ${place}`, `cd ~ && head ${place}`],
        "ask",
      ),
    ).toEqual([]);
    expect(others([`ls -l ${place}`, `test -e ${place}`, `echo ${place}`, `stat ${place}`], "run")).toEqual([]);
  });
});

describe("reasons", () => {
  test("name the rule, and say what and why", () => {
    expect(judgeCommand("ls && rm -f 'my notes.txt'", PLACE)).toEqual([
      { verdict: "ask", rule: "delete files", reason: "deletes files: rm -f my notes.txt" },
    ]);
  });

  test("are one for each rule, however much it finds", () => {
    expect(judgeCommand("rm a; rm a; rm b", PLACE)).toEqual([
      { verdict: "ask", rule: "delete files", reason: "deletes files: rm a, rm b" },
    ]);
    expect(judgeCommand("rm a; rm b; rm c; rm d; rm e", PLACE)[0]?.reason).toBe(
      "deletes files: rm a, rm b, rm c and 2 more",
    );
  });

  test("a forced push is named beside the push", () => {
    expect(rules("git -C . push --force")).toEqual(["git force push", "git push"]);
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
  test.each([
    ["nested subshells", deep("(", ")", "ls")],
    ["nested substitutions", `echo ${deep("$(", ")", "ls")}`],
    ["nested groups", deep("{ ", "; }", "ls")],
    ["a chain of wrappers", `${"env ".repeat(5000)}ls`],
    ["a chain of evals", `${"eval ".repeat(5000)}ls`],
    ["an unknown program in front of countless others", `jail ${"rm ".repeat(5000)}`],
    ["braces upon braces in a name", `${"{a,b}".repeat(40)} x`],
    ["open quotes", "'\"`$(".repeat(500)],
    ["substitutions in quotes that never close", '"$('.repeat(40_000)],
    ["parameters in quotes that never close", '"${'.repeat(40_000)],
    ["parameters in substitutions that never close", "$(${".repeat(30_000)],
    ["a path of countless folders", `touch ${"a/".repeat(50_000)}`],
    ["countless here-documents", `cat ${"<<E ".repeat(30_000)}`],
    ["countless folders to go down", "cd a;touch b;".repeat(10_000)],
    ["countless places to find in", `find ${"a ".repeat(30_000)}${"-exec ls {} \\; ".repeat(4000)}`],
  ])("%s are asked about", (_, line) => {
    expect(verdict(line)).toBe("ask");
  });

  test("long ones that are honest run", () => {
    expect(verdict(Array.from({ length: 1000 }, (_, i) => `echo ${i}`).join(" && "))).toBe("run");
    expect(verdict(`cat > a.txt <<'EOF'\n${"rm -rf / \n".repeat(10_000)}EOF`)).toBe("run");
    expect(verdict(`echo ${"{a,b}".repeat(40)}`)).toBe("run");
    expect(verdict(Array.from({ length: 3000 }, (_, i) => `echo ${i}`).join(" && "))).toBe("run");
    expect(verdict(`for a in ${"b.ts ".repeat(1000)}; do wc -l "$a"; touch "$a"; done`)).toBe("run");
    expect(verdict(`case $a in ${Array.from({ length: 5000 }, (_, i) => `a${i}) ls;;`).join(" ")} esac`)).toBe("run");
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
