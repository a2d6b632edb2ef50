/**
 * Runs the program and writes each answer to a text file. Everything that may differ between two runs of the same program is
 * listed in {@linkcode RULES}.
 * @module
 */
import { dirname, join } from "node:path";

/** The folder of all fixtures, the user's home included. A fixed path, because paths are part of many answers. */
export const PLACE = "/tmp/recorded_calls";
export const HOME = join(PLACE, "home");

/** How one call differs from the others. */
export interface Setting {
  /** Default: {@linkcode PLACE}. */
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Runs the program on a pseudo-terminal with this number of columns. Its whole output is recorded as stdout. */
  readonly columns?: number;
}

/** How the program is started. */
export interface Program {
  /** Root of the checkout. */
  readonly root: string;
  readonly cmd: string;
  /** Arguments before those of a call. */
  readonly args: readonly string[];
  /** The executable, or `undefined` when the program runs from source. */
  readonly executable: string | undefined;
}

/** The program of a checkout, with the permissions of its task `start`, or an executable. */
export function programOf(root: string, executable: string | undefined): Program {
  if (executable !== undefined) return { root, cmd: executable, args: [], executable };
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(root, "deno.json")));
  const [, flags] = /\bdeno run (.*) "\$ROOT\/main\.ts"$/.exec(tasks.start.command)!;
  return {
    root,
    cmd: Deno.execPath(),
    args: ["run", ...flags!.split(" "), join(root, "main.ts")],
    executable,
  };
}

/** The whole environment of the program in a call. */
export function environment(setting: Setting = {}): Record<string, string> {
  return {
    HOME,
    PATH: "/usr/bin:/bin",
    USER: "me",
    LOGNAME: "me",
    SHELL: "/bin/sh",
    TERM: setting.columns === undefined ? "dumb" : "xterm",
    LANG: "en_US.UTF-8",
    TZ: "UTC",
    TMPDIR: join(PLACE, "tmp"),
    XDG_CONFIG_HOME: join(HOME, ".config"),
    XDG_STATE_HOME: join(HOME, ".local/state"),
    XDG_DATA_HOME: join(HOME, ".local/share"),
    XDG_CACHE_HOME: join(HOME, ".cache"),
    DENO_DIR: Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "/root", ".cache/deno"),
    DENO_NO_UPDATE_CHECK: "1",
    ...setting.env,
  };
}

/** The replacements in a record. */
interface Rule {
  /** Why the text differs between runs. */
  readonly why: string;
  readonly pattern: RegExp;
  readonly by: string;
  /** Only records of these sections. Default: all. */
  readonly sections?: readonly string[];
}

/** Everything that is replaced, besides the instants of {@linkcode withoutNow} and the paths of the program. */
const RULES: readonly Rule[] = [
  {
    why: "durations in JSON",
    pattern: /("(?:cost_time|seconds|milliseconds|indexSeconds)": ?)[\d.e-]+/g,
    by: '$1"<duration>"',
  },
  {
    why: "duration at the end of a summary: 28 files, 377 chunks, 1.2 s",
    pattern:
      /((?:files?|chunks?|dimensions|works|文件|分片|维|可用)[,，] ?)(?:\d+ min )?\d+(?:\.\d+)? (?:s|秒)(?!\w)/g,
    by: "$1<duration>",
  },
  {
    why: "duration as a row of a table",
    pattern: /^( +(?:Time|用时) +)(?:\d+ min )?\d+(?:\.\d+)? s$/gm,
    by: "$1<duration>",
  },
  {
    why: "time to load a local model, in doctor",
    pattern: /\d+(?= ms to load it and embed a sentence)|(?<=加载和一句话共 )\d+(?= 毫秒)/g,
    by: "<duration>",
  },
  { why: "progress of work that takes more than a second", pattern: /^\d+% {2}.*\n/gm, by: "" },
  {
    why: "times of queries in JSON",
    pattern: /"milliseconds": \{[^}]*\}/g,
    by: '"milliseconds": "<duration>"',
    sections: ["eval"],
  },
  {
    why: "times of queries in tables, whose columns are as wide as the times",
    pattern:
      /(?: +[+-]?[\d.,]+){3}$|(?<=\]\*?) +[+-]?[\d.,]+$| +(?:ms mean|毫秒 均值) +p50 +p95$| +(?:ms|毫秒) p50$/gm,
    by: "<durations>",
    sections: ["eval"],
  },
  {
    why: "time to build the index of a collection",
    pattern: /((?:index built in|建索引) )\d+(?:\.\d+)? s/g,
    by: "$1<duration>",
    sections: ["eval"],
  },
  {
    why:
      "the comparison with the folder ends after 50 ms, so on a busy machine an answer may lack that nothing is newer",
    pattern: /,\s*"newer_files": ?0(?=\s*\})/g,
    by: "",
  },
  { why: "random nonce of an encrypted value", pattern: /enc:v1:[\w-]{30,}/g, by: "enc:v1:<random>" },
  {
    why: "sizes of folders with a log, or with a lock file that holds the number of a process",
    pattern: /(?<="bytes": )\d+|(?<=\.muxue_rag \(|logs \(|logs（)[\d.]+ k?M?B/g,
    by: "<size>",
    sections: ["end"],
  },
  {
    why: "a log is named after the day",
    pattern: /muxue_rag-\d{4}-\d{2}-\d{2}(?=\.jsonl)/g,
    by: "muxue_rag-<day>",
  },
];

/** Writes the records of one run. */
export class Recorder {
  readonly #counts = new Map<string, number>();
  readonly #started = Date.now();
  readonly #program: Program;
  readonly #out: string;

  constructor(program: Program, out: string) {
    this.#program = program;
    this.#out = out;
  }

  get program(): Program {
    return this.#program;
  }

  /** Number of records of each section. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Runs the program and writes a record. Returns what it printed on stdout. */
  async run(
    section: string,
    subject: string,
    args: readonly string[],
    setting: Setting = {},
  ): Promise<string> {
    const { code, stdout, stderr } = await this.output(args, setting);
    this.write(section, subject, [
      ...shownCall(args, setting),
      `exit code: ${code}`,
      "--- stdout",
      stdout,
      "--- stderr",
      stderr,
    ]);
    return stdout;
  }

  /** Runs the program to its end. A call that takes more than two minutes is ended. */
  async output(args: readonly string[], setting: Setting = {}) {
    const { cmd, args: first } = this.#program;
    const line = [cmd, ...first, ...args].map(shellWord).join(" ");
    const [command, all] = setting.columns === undefined ? [cmd, [...first, ...args]] : ["/usr/bin/script", [
      "--quiet",
      "--return",
      "--command",
      `stty columns ${setting.columns} rows 40 && ${line}`,
      "/dev/null",
    ]];
    const child = new Deno.Command(command, {
      args: all,
      cwd: setting.cwd ?? PLACE,
      env: environment(setting),
      clearEnv: true,
      stdin: setting.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(120_000),
    }).spawn();
    if (setting.stdin !== undefined) {
      const writer = child.stdin.getWriter();
      // A command that does not read its input may have ended.
      await writer.write(new TextEncoder().encode(setting.stdin)).then(() => writer.close()).catch(() => {});
    }
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** Writes a record, one file. */
  write(section: string, subject: string, lines: readonly string[]): void {
    const count = (this.#counts.get(section) ?? 0) + 1;
    this.#counts.set(section, count);
    const name = `${String(count).padStart(3, "0")} ${subject}.txt`;
    const path = join(this.#out, section, name.replaceAll("/", "_"));
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, this.normalised(section, lines.join("\n")) + "\n");
  }

  /** The text of a record without what differs between runs of the same program. */
  normalised(section: string, text: string): string {
    const { root, executable } = this.#program;
    let shown = text;
    if (executable !== undefined) shown = shown.replaceAll(executable, "<program>");
    shown = shown.replaceAll(Deno.execPath(), "<deno>").replaceAll(root, "<root>");
    for (const { pattern, by, sections } of RULES) {
      if (sections === undefined || sections.includes(section)) shown = shown.replaceAll(pattern, by);
    }
    return withoutNow(shown, this.#started);
  }
}

/** The text without the instants since the run began, to the second. Other times stay. */
function withoutNow(text: string, started: number): string {
  const isNow = (instant: number) => instant >= started - 1_000 && instant <= Date.now() + 1_000;
  return text
    .replaceAll(
      /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d{1,3})?(Z|\b)/g,
      (found, day, time) => isNow(Date.parse(`${day}T${time}Z`)) ? "<now>" : found,
    )
    .replaceAll(
      /\b(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\b/g,
      (found, ...part) => {
        const [year, month, day, hour, minute, second] = part;
        return isNow(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)) ? "<now>" : found;
      },
    );
}

function shownCall(args: readonly string[], { cwd, env, stdin, columns }: Setting): string[] {
  return [
    `$ muxue_rag ${args.map(shellWord).join(" ")}`,
    ...(cwd === undefined ? [] : [`in: ${cwd}`]),
    ...Object.entries(env ?? {}).map(([name, value]) => `with: ${name}=${value}`),
    ...(stdin === undefined ? [] : [`stdin: ${JSON.stringify(stdin)}`]),
    ...(columns === undefined ? [] : [`on a terminal of ${columns} columns`]),
  ];
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Runs the program with arguments as one writes them in a shell: words, and texts in single quotes. */
export type Call = (subject: string, line: string, setting?: Setting) => Promise<string>;

/** Records calls of one section. */
export function callsOf(recorder: Recorder, section: string): Call {
  return (subject, line, setting) => recorder.run(section, subject, wordsOf(line), setting);
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

/** The system's language is Chinese. */
export const CHINESE: Setting = { env: { LANG: "zh_CN.UTF-8" } };
