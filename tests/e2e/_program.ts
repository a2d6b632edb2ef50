import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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

/** A test that gets the program to start. */
export type ProgramTest = (start: Start, t: Deno.TestContext) => Promise<void>;

/** Registers an end-to-end test. */
export function programTest(name: string, test: ProgramTest): void {
  Deno.test(name, (t) => test(program, t));
}

/**
 * Registers an end-to-end test that also runs from source when the program is an executable. Ten tests do, for what is loaded
 * or permitted differently there: commands, both transports, changes of files, loaders, text recognition, models and servers.
 */
export function smokeTest(name: string, test: ProgramTest): void {
  programTest(name, test);
  if (program !== fromSources) Deno.test(`${name} (smoke test from source)`, (t) => test(fromSources, t));
}

/** A folder to index, and a separate state folder. */
export interface Sandbox extends AsyncDisposable {
  /** Real path of the folder. */
  readonly folder: string;
  /** The working folder, which has no configuration. */
  readonly cwd: string;
  /** Environment of the program: that of this process, except for the program's settings. */
  readonly env: Record<string, string>;
  /** Returns the command line of the program under test. */
  readonly start: Start;
  /** Runs the program to its end. */
  run(...args: string[]): Promise<Ended>;
  /** Runs the program to its end with another working folder or further variables. */
  runIn(setting: { cwd?: string; env?: Record<string, string> }, ...args: string[]): Promise<Ended>;
}

/** How a command ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, without stdin. Returns its exit code and what it wrote. */
export async function output(
  cmd: string,
  args: readonly string[],
  options: Omit<Deno.CommandOptions, "args" | "stdin"> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(cmd, {
    ...{ stdout: "piped", stderr: "piped" },
    ...options,
    args: [...args],
    stdin: "null",
  }).output();
  const text = (bytes: () => Uint8Array, how = "piped") =>
    how === "piped" ? new TextDecoder().decode(bytes()) : "";
  return { code, stdout: text(() => stdout, options.stdout), stderr: text(() => stderr, options.stderr) };
}

/** Makes a sandbox whose folder contains `files` (path -> text). Disposal removes everything. */
export async function makeSandbox(files: Record<string, string>, start = program): Promise<Sandbox> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_e2e_" }));
  const folder = join(top, "文档 docs");
  await Deno.mkdir(folder);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  // The tests run in a task, and a task keeps an existing INIT_CWD.
  const inherited = Object.entries(Deno.env.toObject()).filter(([name]) =>
    !/^(?:MUXUE_RAG_|LC_|INIT_CWD$)/.test(name)
  );
  const env = {
    ...Object.fromEntries(inherited),
    MUXUE_RAG_STATE_DIR: join(top, "state"),
    MUXUE_RAG_CONFIG_DIR: join(top, "config"),
    MUXUE_RAG_MODELS_DIR: join(top, "models"),
    NO_COLOR: "1",
    LANG: "zh_CN.UTF-8",
  };
  const sandbox: Sandbox = {
    folder,
    cwd: top,
    env,
    start,
    run: (...args) => sandbox.runIn({}, ...args),
    runIn({ cwd = top, env: more = {} }, ...args) {
      const { cmd, args: all } = start(args);
      return output(cmd, all, { cwd, env: { ...env, ...more }, clearEnv: true });
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(top, { recursive: true });
    },
  };
  return sandbox;
}

/** {@linkcode makeSandbox}, with the folder indexed. `env`: further variables, also for the sandbox. */
export async function makeIndexed(
  files: Record<string, string>,
  { start = program, env = {} }: { start?: Start; env?: Record<string, string> } = {},
): Promise<Sandbox> {
  const sandbox = await makeSandbox(files, start);
  const { code, stderr } = await sandbox.run("--dir", sandbox.folder, "--quiet");
  if (code !== 0) throw new Error(stderr);
  Object.assign(sandbox.env, env);
  return sandbox;
}
