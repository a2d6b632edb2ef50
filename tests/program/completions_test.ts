import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { longForm, SHELLS } from "#program/options.ts";
import { COMMANDS } from "#program/commands/declarations.ts";
import { run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";

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
  ["completions zs↹", "completions zsh"],
  ["help restor↹", "help restore"],
];

async function printed(...argv: string[]) {
  const { context, stdout, stderr } = fakeContext({ io: { env: { MUXUE_RAG_LANGUAGE: "en" } } });
  return {
    code: await run(["completions", ...argv], context.io, "1.2.3"),
    stdout: stdout(),
    stderr: stderr(),
  };
}

/** A folder with the script of a shell in `completions`, a folder `notes` and a file `here.bak`. */
async function place(shell: string) {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(join(dir, "completions"), (await printed(shell)).stdout);
  await Deno.mkdir(join(dir, "notes"));
  await Deno.writeTextFile(join(dir, "here.bak"), "");
  return { dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
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
      await using here = await place(shell);
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
    await using here = await place("fish");
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
    await using here = await place("pwsh");
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
  for (const shell of SHELLS) {
    const { code, stdout } = await printed(shell);
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
  match((await printed()).stderr, /Usage: muxue_rag completions bash, zsh, fish or pwsh/);
  match(
    (await printed("tcsh")).stderr,
    /no completions for tcsh\. (The shells are: bash, zsh, fish, pwsh|Did you mean)/,
  );
  match((await printed("bsh")).stderr, /Did you mean bash\?/);
  equal((await printed("bsh")).code, 2);
});
