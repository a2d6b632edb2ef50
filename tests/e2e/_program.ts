import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { shellWord } from "#foundation/messages/mod.ts";
import project from "../../deno.json" with { type: "json" };
import { executable } from "../../scripts/compile/own_executable.ts";

export { NO_EXECUTABLE } from "../../scripts/compile/own_executable.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The command line that starts the program with `args`. */
export type Start = (args: readonly string[]) => { readonly cmd: string; readonly args: string[] };

/** Starts the sources, by the flags of the task `start`. */
export const fromSources: Start = (args) => {
  const [, flags] = /\bdeno run (.*) "\$ROOT\/main\.ts"$/.exec(project.tasks.start.command)!;
  return { cmd: Deno.execPath(), args: ["run", ...flags!.split(" "), join(ROOT, "main.ts"), ...args] };
};

/** Starts an executable. */
export function fromExecutable(path: string): Start {
  return (args) => ({ cmd: path, args: [...args] });
}

/** The path of an executable of these sources, if there is one. */
export const EXECUTABLE: string | undefined = await executable();

/** Starts the real program: the executable if there is one, otherwise the sources. */
export const program: Start = EXECUTABLE === undefined ? fromSources : fromExecutable(EXECUTABLE);

/**
 * Registers an end-to-end test that also runs from source when the program is an executable. Ten tests do, for what is loaded
 * or permitted differently there: commands, both transports, changes of files, loaders, text recognition, models and servers.
 */
export function smokeTest(name: string, test: (start: Start, t: Deno.TestContext) => Promise<void>): void {
  Deno.test(name, (t) => test(program, t));
  if (program !== fromSources) Deno.test(`${name} (smoke test from source)`, (t) => test(fromSources, t));
}

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the program to its end. In a template, blanks separate the arguments, a value is one argument and a list several:
 * run`search ${"green tea"} --dir ${dir}`.
 */
export interface Run {
  (text: TemplateStringsArray, ...values: readonly (string | readonly string[])[]): Promise<Ended>;
  (...args: readonly string[]): Promise<Ended>;
}

/** How a run differs from others. */
export interface Setting {
  readonly cwd?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text on stdin. Without it stdin is empty. */
  readonly stdin?: string | undefined;
  /** Columns of a pseudo-terminal, all of whose text is in `stdout`. */
  readonly terminal?: number;
  /** Called once, as soon as stderr matches. */
  readonly when?: { readonly stderr: RegExp; readonly act: (kill: (signal: Deno.Signal) => void) => void };
  /** Closes the program's stdout after its first piece, as `head` does. */
  readonly closeStdout?: boolean;
}

/** A folder to index, and beside it the program's state, configuration and models. */
export interface Sandbox extends AsyncDisposable {
  /** Real path of the folder. */
  readonly folder: string;
  /** The working folder, which has no configuration and contains `folder`. */
  readonly cwd: string;
  /** Environment of the program: that of this process, except for the program's settings and those of terminals. */
  readonly env: Record<string, string>;
  /** Returns the command line of the program under test. */
  readonly start: Start;
  readonly run: Run;
  /** Returns {@linkcode Sandbox.run} with a setting. */
  runIn(setting: Setting): Run;
}

/** The settings of a sandbox. */
export interface SandboxOptions {
  readonly start?: Start;
  /** Further variables of the program. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Paths of files in the folder, and their content. */
export type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** A Chinese and two English text files, and a picture. */
export const NOTES: Files = {
  "备份.md": "# 备份\n\n每周把全部数据备份到移动硬盘，并检查备份能否恢复。\n",
  "guide.md": "# Guide\n\n## Install\n\nUnpack the archive and run it.\n",
  "recipe.txt": "Tomato soup: cook the tomatoes with onions.\n",
  "logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
};

/** Makes a sandbox. Disposal removes everything. */
export async function makeSandbox(
  files: Files,
  { start = program, env: more = {} }: SandboxOptions = {},
): Promise<Sandbox> {
  const cwd = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_e2e_" }));
  const folder = join(cwd, "文档 docs");
  await Deno.mkdir(folder);
  await writeFiles(folder, files);
  // The tests run in a task, and a task keeps an existing INIT_CWD.
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) =>
    !/^(?:MUXUE_RAG_|LC_|INIT_CWD$|NO_COLOR$|FORCE_HYPERLINK$|TERM_PROGRAM|VTE_|KONSOLE_|KITTY_|WT_|TMUX)/
      .test(name)
  );
  const env = {
    ...Object.fromEntries(inherited),
    MUXUE_RAG_STATE_DIR: join(cwd, "state"),
    MUXUE_RAG_CONFIG_DIR: join(cwd, "config"),
    MUXUE_RAG_MODELS_DIR: join(cwd, "models"),
    LANG: "zh_CN.UTF-8",
    ...more,
  };
  const runIn = (setting: Setting): Run => (first?, ...rest) => {
    const args = typeof first === "string" ? [first, ...rest as string[]] : first ? words(first, rest) : [];
    const { terminal, env: also } = setting;
    const place = { cwd: setting.cwd ?? cwd, env: { ...env, ...terminal && { TERM: "xterm" }, ...also } };
    const command = start(args);
    return finished(place, terminal === undefined ? command : onTerminal(terminal, command), setting);
  };
  return {
    ...{ folder, cwd, env, start, run: runIn({}), runIn },
    [Symbol.asyncDispose]: () => Deno.remove(cwd, { recursive: true }),
  };
}

/** {@linkcode makeSandbox}, with the folder indexed, for which `env` does not count. */
export async function makeIndexed(files: Files, { start, env }: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await makeSandbox(files, start && { start });
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  if (code !== 0) throw new Error(stderr);
  Object.assign(sandbox.env, env);
  return sandbox;
}

/** Writes files into a folder, and the folders that they need. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await (typeof content === "string" ? Deno.writeTextFile : Deno.writeFile)(
      join(folder, path),
      content as never,
    );
  }
}

function words(text: TemplateStringsArray, values: readonly (string | readonly string[])[]): string[] {
  return text.flatMap((part, i) => [
    ...part.split(/\s+/).filter((word) => word !== ""),
    ...(values[i] === undefined ? [] : [values[i]].flat()),
  ]);
}

/** Whether `script` of util-linux provides a pseudo-terminal. Tests that need one are skipped without it. */
export async function hasTerminal(): Promise<boolean> {
  const ended = await output("script", ["--version"]).catch(() => undefined);
  return ended?.stdout.includes("util-linux") ?? false;
}

/** Starts a command in a sandbox, with only the sandbox's environment, connected by pipes. */
export function spawnIn(
  { env, cwd }: Pick<Sandbox, "env" | "cwd">,
  { cmd, args }: ReturnType<Start>,
  stdin: "piped" | "null" = "piped",
): Deno.ChildProcess {
  const stdio = { stdin, stdout: "piped", stderr: "piped" } as const;
  return new Deno.Command(cmd, { args, env, cwd, clearEnv: true, ...stdio }).spawn();
}

/** Runs a command in a setting to its end. */
async function finished(
  place: Pick<Sandbox, "env" | "cwd">,
  command: ReturnType<Start>,
  { stdin, when, closeStdout }: Setting,
): Promise<Ended> {
  const child = spawnIn(place, command, stdin === undefined ? "null" : "piped");
  const write = async () => {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin));
    await writer.close();
  };
  let act = when?.act;
  const readErrors = async () => {
    let all = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      all += text;
      if (!when?.stderr.test(all)) continue;
      act?.((signal) => child.kill(signal));
      act = undefined;
    }
    return all;
  };
  const [stdout, stderr, { code }] = await Promise.all([
    closeStdout ? child.stdout.cancel().then(() => "") : new Response(child.stdout).text(),
    readErrors(),
    child.status,
    stdin === undefined ? undefined : write(),
  ]);
  return { code, stdout, stderr };
}

/** The command that runs another one on a pseudo-terminal. */
function onTerminal(columns: number, { cmd, args }: ReturnType<Start>): ReturnType<Start> {
  const line = [cmd, ...args].map((word) => shellWord(word)).join(" ");
  const command = `stty columns ${columns} && ${line}`;
  return { cmd: "script", args: ["--quiet", "--return", "--command", command, "/dev/null"] };
}

/** Runs a command to its end, without stdin. Returns its exit code and what it wrote. */
export async function output(
  cmd: string,
  args: readonly string[],
  options: Omit<Deno.CommandOptions, "args" | "stdin" | "stdout" | "stderr"> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(cmd, { ...options, args: [...args], stdin: "null" })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
