import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { longForm, SHELLS } from "#program/options.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { place } from "./_place.ts";

/** A line with `↹` for each press of the tab key, and the arguments that the shell then passes. */
const TYPED: readonly (readonly [typed: string, passed: string])[] = [
  ["comple↹", "completions"],
  ["search tea --mod↹keyw↹", "search tea --mode keyword"],
  ["--dir notes search --expl↹", "--dir notes search --explain"],
  ["search --top-k 3 --no-u↹", "search --top-k 3 --no-update"],
  ["index --dir no↹", "index --dir notes/"],
  ["index no↹", "index notes/"],
  ["restore he↹", "restore here.bak"],
  ["setup claude-d↹", "setup claude-desktop"],
  ["config enc↹emb↹", "config encrypt embedding.api_key"],
  ["eval here.b↹", "eval here.bak"],
  ["eval hist↹no↹", "eval history notes/"],
  ["eval here.bak --basel↹", "eval here.bak --baseline"],
  ["completions zs↹", "completions zsh"],
  ["help restor↹", "help restore"],
];

/** A folder with the script of a shell in `completions`, a folder `notes` and a file `here.bak`. */
async function completing(shell: string) {
  const here = await place({ "here.bak": "" });
  await here.mkdir("notes");
  await here.write("completions", (await here.run(["completions", shell])).stdout);
  return here;
}

function lacks(command: string): boolean {
  try {
    return !new Deno.Command(command, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync()
      .success;
  } catch {
    return true;
  }
}

async function output(cwd: string, command: string, args: string[], stdin = ""): Promise<string> {
  const child = new Deno.Command(command, {
    ...{ args, cwd, stdin: "piped", stdout: "piped", stderr: "piped" },
    env: { TERM: "dumb", HOME: cwd },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { stdout, stderr } = await child.output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

for (
  const { shell, args, setUp } of [
    { shell: "bash", args: "--norc --noprofile -i", setUp: 'muxue_rag() { echo "passed: $*"; }' },
    {
      shell: "zsh",
      args: "-f -i",
      setUp: 'autoload -U compinit; compinit -u -D; muxue_rag() { print -r -- "passed: $*" }',
    },
  ]
) {
  Deno.test({
    name: `completions ${shell}: the tab key completes commands, flags, values and paths`,
    ignore: lacks(shell) || lacks("script"),
    fn: async () => {
      await using here = await completing(shell);
      const lines = [
        `${setUp}; source ./completions`,
        ...TYPED.map(([typed]) => `muxue_rag ${typed.replaceAll("↹", "\t")}`),
        "exit\n",
      ];
      // The pseudo-terminal of util-linux: shells complete only at a terminal.
      const shown = await output(
        here.dir,
        "script",
        ["--quiet", "--command", `${shell} ${args}`, "/dev/null"],
        lines.join("\n"),
      );
      const passed = [...shown.matchAll(/passed: (.*?)\s*\r\n/g)].map(([, words]) => words!)
        // the echo of the set-up
        .filter((words) => !words.startsWith("$"));
      // zsh takes the slash after a folder away again.
      const plain = (words: string) => words.replace(/\/$/, "");
      deepEqual(passed.map(plain), TYPED.map(([, words]) => plain(words)), shown);
    },
  });
}

Deno.test({
  name: "completions fish: completes commands, flags, values and paths, with descriptions",
  ignore: lacks("fish"),
  fn: async () => {
    await using here = await completing("fish");
    const complete = async (line: string) =>
      (await output(here.dir, "fish", ["--no-config", "-c", `source completions; complete -C '${line}'`]))
        .trimEnd();
    equal(
      await complete("muxue_rag comple"),
      "completions\tprint a script with which a shell completes commands and options",
    );
    for (const [typed, passed] of TYPED) {
      const [line, ...rest] = typed.split("↹");
      if (rest.length > 1) continue;
      const word = passed.split(" ").at(-1)!;
      ok(
        (await complete(`muxue_rag ${line}`)).split("\n").some((found) => found.split("\t")[0] === word),
        typed,
      );
    }
    equal(await complete("muxue_rag config enc"), await complete("muxue_rag config encr"));
    equal((await complete("muxue_rag config encrypt emb")).split("\t")[0], "embedding.api_key");
  },
});

Deno.test({
  name: "completions pwsh: completes commands, flags and values",
  ignore: lacks("pwsh"),
  fn: async () => {
    await using here = await completing("pwsh");
    await Deno.rename(join(here.dir, "completions"), join(here.dir, "completions.ps1"));
    const complete = async (line: string) =>
      (await output(here.dir, "pwsh", [
        "-NoProfile",
        "-Command",
        `. ./completions.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`,
      ])).trim();
    equal(await complete("muxue_rag comple"), "completions");
    equal(await complete("muxue_rag search tea --mod"), "--mode");
    equal(await complete("muxue_rag search --mode keyw"), "keyword");
  },
});

Deno.test("completions contain every command and every flag that the help shows", async () => {
  await using here = await place();
  for (const shell of SHELLS) {
    const { code, stdout } = await here.run(["completions", shell]);
    equal(code, 0);
    for (const { name, help, flags, chosenBy } of COMMANDS) {
      if (help === undefined) continue;
      ok(stdout.includes(name.replace(/^.* /, "")), `${shell}: ${name}`);
      for (const flag of flags) {
        const form = shell === "fish" ? `-l ${longForm(flag).slice(2)} ` : longForm(flag);
        ok(flag === chosenBy || stdout.includes(form), `${shell}: ${name} ${form}`);
      }
    }
  }
});

Deno.test("completions without a shell, or for an unknown one, names the shells", async () => {
  await using here = await place();
  const names = "The shells are: bash, zsh, fish, pwsh|Did you mean";
  for (
    const [shell, said] of [
      [[], /Usage: muxue_rag completions bash, zsh, fish or pwsh/],
      [["tcsh"], new RegExp(`no completions for tcsh\\. (${names})`)],
      [["bsh"], /Did you mean bash\?/],
    ] as const
  ) {
    const { code, stderr } = await here.run(["completions", ...shell]);
    equal(code, 2);
    match(stderr, said);
  }
});
