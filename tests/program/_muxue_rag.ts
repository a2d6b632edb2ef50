import { join } from "node:path";
import { shellWord } from "#foundation/messages/mod.ts";
import { program, type Start } from "../e2e/_program.ts";

/** A temporary working folder with its own state and configuration. */
export interface Place extends AsyncDisposable {
  /** Its real path: the program's working directory. */
  readonly path: string;
  /** Returns the command line of the program under test. */
  readonly start: Start;
}

/** How a run of the program ended. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Sends the running program a signal. */
export type Kill = (signal: Deno.Signal) => void;

/** How a run of the program is set up. */
export interface Setting {
  /** Added to this process's environment. */
  readonly env?: Record<string, string>;
  /** Text on stdin. Without it stdin is empty. */
  readonly stdin?: string;
  /** Width of the pseudo-terminal. */
  readonly columns?: number;
  /** Called once, as soon as stderr matches. */
  readonly when?: { readonly stderr: RegExp; readonly act: (kill: Kill) => void };
  /** Closes the program's stdout after its first piece, as `head` does. */
  readonly closeStdout?: boolean;
}

/** Makes a working folder, which is removed on disposal. */
export async function sandbox(start = program): Promise<Place> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag_cli_" }));
  return { path, start, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Writes the folder `notes`: a Chinese and two English text files, and a picture. Returns its path. */
export async function folderOfNotes(place: Place): Promise<string> {
  const dir = join(place.path, "notes");
  await Deno.mkdir(dir);
  await Deno.writeTextFile(
    join(dir, "备份.md"),
    "# 备份\n\n每周把全部数据备份到移动硬盘，并检查备份能否恢复。\n",
  );
  await Deno.writeTextFile(
    join(dir, "guide.md"),
    "# Guide\n\n## Install\n\nUnpack the archive and run it.\n",
  );
  await Deno.writeTextFile(join(dir, "recipe.txt"), "Tomato soup: cook the tomatoes with onions.\n");
  await Deno.writeFile(
    join(dir, "logo.png"),
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
  );
  return dir;
}

/** Runs the program as a script would, without a terminal. */
export async function muxueRag(place: Place, args: readonly string[], setting: Setting = {}): Promise<Run> {
  const { cmd, args: all } = place.start(args);
  return await start(place, cmd, all, setting);
}

/** Whether `script` of util-linux provides a pseudo-terminal. Tests that need one are skipped without it. */
export async function hasTerminal(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** Runs the program on a pseudo-terminal of util-linux's `script`. `stdout` holds everything that the terminal got. */
export async function terminal(place: Place, args: readonly string[], setting: Setting = {}): Promise<Run> {
  const { cmd, args: all } = place.start(args);
  const command = [cmd, ...all].map((part) => shellWord(part)).join(" ");
  const { columns } = setting;
  const line = columns === undefined ? command : `stty columns ${columns} && ${command}`;
  return await start(place, "script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    ...setting,
    env: { TERM: "xterm", ...setting.env },
  });
}

async function start(place: Place, cmd: string, args: string[], setting: Setting): Promise<Run> {
  const inherited = Object.entries(Deno.env.toObject())
    .filter(([name]) =>
      !/^(?:MUXUE_RAG_|LC_|NO_COLOR$|FORCE_HYPERLINK$|TERM_PROGRAM|VTE_|KONSOLE_|KITTY_|WT_|TMUX)/.test(name)
    );
  const child = new Deno.Command(cmd, {
    args,
    cwd: place.path,
    env: {
      ...Object.fromEntries(inherited),
      MUXUE_RAG_STATE_DIR: join(place.path, "state"),
      MUXUE_RAG_CONFIG_DIR: join(place.path, "settings"),
      MUXUE_RAG_MODELS_DIR: join(place.path, "models"),
      LANG: "zh_CN.UTF-8",
      ...setting.env,
    },
    clearEnv: true,
    stdin: setting.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let { when } = setting;
  const [stdout, stderr, { code }] = await Promise.all([
    setting.closeStdout ? child.stdout.cancel().then(() => "") : readAll(child.stdout),
    readAll(child.stderr, (text) => {
      if (!when?.stderr.test(text)) return;
      when.act((signal) => child.kill(signal));
      when = undefined;
    }),
    child.status,
    setting.stdin === undefined ? undefined : writeAll(child.stdin, setting.stdin),
  ]);
  return { code, stdout, stderr };
}

/** `onText` gets all that was read so far. */
async function readAll(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void = () => {},
): Promise<string> {
  let all = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    all += text;
    onText(all);
  }
  return all;
}

async function writeAll(stream: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stream.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
}
