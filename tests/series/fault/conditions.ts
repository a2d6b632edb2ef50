/** Conditions in which the real program runs, beside faults of single operations. */
import { AT, hashOf, seal } from "#engine/index/blob/format.ts";
import { openNamedSync } from "#foundation/boundary/mod.ts";
import { verifyFolder } from "#library/ingest/mod.ts";
import { join } from "node:path";
import { output } from "../../e2e/_program.ts";
import { markdownTable, Random } from "../random.ts";
import { Arena, contentsOf } from "./arena.ts";
import { Killed } from "./inject.ts";
import { defectsOf } from "./judge.ts";
import { type Ended, runProgram } from "./processes.ts";
import type { SeriesOptions } from "./series.ts";

/** Means to try a condition. */
interface Try {
  readonly arena: Arena;
  readonly random: Random;
  /** Runs the program, by a command such as `prlimit` if one is given. */
  readonly run: (args: readonly string[], by?: readonly string[]) => Promise<Ended>;
}

/** Result of one try: how the program took it, and what was wrong afterwards. */
interface Outcome {
  readonly end: string;
  readonly defects: readonly string[];
}

/** A condition, by its name in the fault table. It throws {@linkcode Untried} where the machine lacks something for it. */
type Condition = (given: Try) => Promise<Outcome>;

/** Exit code of a run that was refused with a message. */
const REFUSED = 1;

export const CONDITIONS: Readonly<Record<string, Condition>> = {
  "two writers at once": async ({ arena, run }) => {
    arena.reset("update");
    const ends = await Promise.all([1, 2, 3].map(() => run([...update(arena), "--full"])));
    const wrong = ends.filter(({ code, text }) =>
      code !== 0 && !(code === REFUSED && /is indexing this folder/i.test(text))
    );
    const defects = wrong.map(({ code, text }) => `${code}: ${text}`);
    if (ends.every(({ code }) => code !== 0)) defects.push("nobody wrote");
    const busy = ends.filter(({ code }) => code !== 0).length;
    return {
      end: busy > 0 ? "one writes, the others are refused" : "one after the other",
      defects: [...defects, ...await defectsOf(arena, "update", undefined)],
    };
  },
  "a lock file of a process that is gone": async ({ arena, random, run }) => {
    arena.reset("update");
    const lock = ["99999999\n", "", `${Deno.pid}\n`, "x".repeat(100_000)][random.below(4)]!;
    Deno.writeTextFileSync(join(arena.root, ".muxue_rag/lock"), lock);
    return await done(arena, await run(update(arena)));
  },
  "the clock is set back by years": async ({ arena, random, run }) => {
    arena.reset("index");
    const years = 1 + random.below(10);
    const ahead = await run(update(arena), await faketime(`+${years}y`));
    if (ahead.code !== 0) return { end: "failed", defects: [ahead.text] };
    // the index and its file are years ahead of the next run
    arena.reset("update");
    return await done(arena, await run(update(arena)));
  },
  "a file from the future, or with an older time than before": async ({ arena, random, run }) => {
    arena.reset("update");
    const path = join(arena.root, "tea.md");
    const text = Deno.readTextFileSync(path);
    const time = new Date(Date.UTC([1971, 2001, 2037, 2100][random.below(4)]!, 1, 1));
    Deno.writeTextFileSync(path, "# Tea\n\nA text from another time.\n");
    Deno.utimeSync(path, time, time);
    const { code, text: said } = await run(update(arena));
    const found = (await arena.read())?.["tea.md"];
    Deno.writeTextFileSync(path, text);
    await arena.run("update");
    const defects = found?.includes("another time") ? [] : [`not found: ${said}`];
    return {
      end: code === 0 ? "indexed" : "refused",
      defects: [...defects, ...await defectsOf(arena, "update", undefined)],
    };
  },
  "an index of an older or newer format": async ({ arena, random, run }) => {
    arena.reset("update");
    const names = arena.files();
    const path = join(arena.root, ".muxue_rag", random.of(names));
    const bytes = Deno.readFileSync(path);
    new DataView(bytes.buffer).setUint32(AT.version, [0, 1, 3, 1000][random.below(4)]!, true);
    if (random.below(2) === 0) reseal(bytes, arena.key);
    Deno.writeFileSync(path, bytes);
    const verified = await run(["verify", "--dir", arena.root]);
    const isTold = verified.code === REFUSED && /another version|damaged/i.test(verified.text);
    const defects = isTold ? [] : [`verify ends with ${verified.code}: ${verified.text}`];
    return await done(
      arena,
      await run(update(arena)),
      "said to be of another version, made anew by the next run",
      defects,
    );
  },
  "too little memory": async ({ arena, random, run }) => {
    arena.reset("update");
    const bytes = 500_000_000 + random.below(40) * 50_000_000;
    const ended = await run([...update(arena), "--full"], ["prlimit", `--data=${bytes}`, "--core=0"]);
    const end = ended.code === 0 ? "done" : ended.code === REFUSED ? "refused" : "ended by the system";
    return { end, defects: await defectsOf(arena, "full", ended.code === 0 ? undefined : new Killed()) };
  },
  "a disk that is full": async ({ arena, random, run }) => {
    arena.reset("update");
    const data = join(arena.root, ".muxue_rag");
    const files = arena.files().map((name) => [name, Deno.readFileSync(join(data, name))] as const);
    const size = files.reduce((sum, [, { length }]) => sum + length, 0);
    const room = Math.ceil(size / 4096) * 4096 + 4096 * (1 + random.below(5));
    using disk = await mounted(data, "-t", "tmpfs", "-o", `size=${room}`, "tmpfs");
    for (const [name, bytes] of files) Deno.writeFileSync(join(data, name), bytes, { mode: 0o600 });
    const ended = await run(update(arena));
    const isTold = ended.code === 0 || /disk is full|no space/i.test(ended.text);
    const defects = isTold ? [] : [`ends with ${ended.code}: ${ended.text}`];
    await disk.again("-o", `remount,size=${room + 100_000_000}`);
    return {
      end: ended.code === 0 ? "done" : "refused, the old index stays",
      defects: [...defects, ...await defectsOf(arena, "update", ended.code === 0 ? undefined : new Killed())],
    };
  },
  "a folder on read-only media": async ({ arena, run }) => {
    arena.reset("index");
    const indexes = join(arena.path, "indexes");
    using _disk = await mounted(arena.root, "--bind", "-o", "ro", arena.root);
    const inside = await run(update(arena));
    const beside = await run([...update(arena), "--index-dir", indexes]);
    const search = await run(["search", "oolong", "--dir", arena.root, "--index-dir", indexes, "--json"]);
    Deno.removeSync(indexes, { recursive: true });
    const defects = [
      ...(inside.code === REFUSED ? [] : [`without --index-dir: ${inside.code} ${inside.text}`]),
      ...(beside.code === 0 ? [] : [`with --index-dir: ${beside.text}`]),
      ...(search.text.includes("Oolong at 90") ? [] : [`search: ${search.text}`]),
    ];
    return { end: "refused; with --index-dir indexed and searched", defects };
  },
  "a backup while a writer runs": async ({ arena, run }) => {
    arena.reset("update");
    let isOver = false;
    const states = new Set([JSON.stringify(await arena.read())]);
    const path = join(arena.root, "tea.md");
    const text = Deno.readTextFileSync(path);
    const writing = (async () => {
      for (let number = 0; !isOver; number++) {
        Deno.writeTextFileSync(path, `# Tea\n\nCup number ${number}.\n`);
        await arena.run("update");
        states.add(JSON.stringify(await arena.read()));
      }
    })();
    const ended = await run(["backup", "--dir", arena.root, "--backup-path", arena.backup, "--quiet"]);
    isOver = true;
    await writing;
    Deno.writeTextFileSync(path, text);
    if (ended.code !== 0) return { end: "refused", defects: [ended.text] };
    using backup = await arena.store(arena.root).openBackup(openNamedSync(arena.backup));
    const isState = states.has(JSON.stringify(await contentsOf(backup)));
    return { end: "one whole state", defects: isState ? [] : ["the backup is no state of the index"] };
  },
  "copies that a sync client leaves in the data folder": async ({ arena, random, run }) => {
    arena.reset("update");
    const data = join(arena.root, ".muxue_rag");
    const bytes = Deno.readFileSync(arena.index);
    const copies = ["index (conflicted copy).bin", "index.bin.~tmp", ".index.bin.icloud", "changes (1).bin"];
    for (const name of copies) {
      Deno.writeFileSync(join(data, name), bytes.subarray(0, random.below(bytes.length)));
    }
    const ended = await run(update(arena));
    for (const name of copies) await Deno.remove(join(data, name)).catch(() => {});
    return await done(arena, ended);
  },
  "damaged bytes, by verify and doctor": async ({ arena, random, run }) => {
    arena.reset("update");
    const path = join(arena.root, ".muxue_rag", random.of(arena.files()));
    const bytes = Deno.readFileSync(path);
    for (let flips = 1 + random.below(3); flips > 0; flips--) {
      bytes[random.below(bytes.length)]! ^= 1 + random.below(255);
    }
    Deno.writeFileSync(
      path,
      bytes.subarray(0, random.below(4) === 0 ? random.below(bytes.length) : bytes.length),
    );
    const { state } = await verifyFolder(arena.root, arena.config, { indexKey: arena.key });
    const defects = ["damaged", "foreign", "outdated"].includes(state) ? [] : [`verify says ${state}`];
    for (const command of ["verify", "doctor"]) {
      const { code, text } = await run([command, "--dir", arena.root]);
      if (code !== REFUSED || !/damaged|not made by this|another version|older|newer/i.test(text)) {
        defects.push(`${command} ends with ${code}: ${text}`);
      }
    }
    return await done(
      arena,
      await run(update(arena)),
      "said to be damaged, made anew by the next run",
      defects,
    );
  },
};

function update({ root }: Arena): string[] {
  return ["--dir", root, "--quiet"];
}

/** The outcome after an update that must have succeeded. */
async function done(
  arena: Arena,
  { code, text }: Ended,
  end = "done",
  defects: readonly string[] = [],
): Promise<Outcome> {
  const failed = code === 0 ? [] : [`ends with ${code}: ${text}`];
  return { end, defects: [...defects, ...failed, ...await defectsOf(arena, "update", undefined)] };
}

/** Corrects checksum and seal of an index, as a program of another version would. */
function reseal(bytes: Uint8Array<ArrayBuffer>, key: Uint8Array): void {
  const view = new DataView(bytes.buffer);
  const table = view.getFloat64(AT.table, true);
  bytes.set(hashOf(bytes.subarray(table)), AT.tableHash);
  seal(bytes.subarray(0, 4096), key);
}

/** Returns the command that runs a program at another time. */
async function faketime(offset: string): Promise<string[]> {
  await runTool("faketime", "--version");
  return ["faketime", "-f", offset];
}

/** Options of {@linkcode runConditions}. `tries`: of each condition. */
export type ConditionOptions =
  & Required<Pick<SeriesOptions, "tries" | "seed">>
  & Pick<SeriesOptions, "arena">
  & {
    readonly onTry?: (name: string, outcome: Outcome) => void;
  };

/** All tries of a condition. `untried`: what the machine lacks for it. */
export interface TriedCondition {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly untried?: string;
}

/** Lets the program run under each condition. */
export async function runConditions(
  { tries, seed, arena: options, onTry }: ConditionOptions,
): Promise<TriedCondition[]> {
  using arena = await Arena.make(options);
  const results: TriedCondition[] = [];
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    const random = new Random(seed);
    const run: Try["run"] = (args, by) => runProgram(arena, args, by);
    const outcomes: Outcome[] = [];
    let untried: string | undefined;
    while (outcomes.length < tries && untried === undefined) {
      try {
        outcomes.push(await condition({ arena, random, run }));
        onTry?.(name, outcomes.at(-1)!);
      } catch (error) {
        if (!(error instanceof Untried)) throw error;
        untried = error.message;
      }
    }
    results.push({ name, outcomes, ...(untried === undefined ? {} : { untried }) });
  }
  return results;
}

/** A mounted file system. Disposal unmounts it. */
interface Mounted extends Disposable {
  /** Mounts it again with other options. */
  again(...args: string[]): Promise<void>;
}

/** Mounts a file system at `path`. `args`: those of `mount` before the path. Throws {@linkcode Untried} without the right to. */
async function mounted(path: string, ...args: string[]): Promise<Mounted> {
  await runTool("mount", ...args, path);
  return {
    again: (...args) => runTool("mount", ...args, path),
    [Symbol.dispose]: () => void new Deno.Command("umount", { args: [path] }).outputSync(),
  };
}

/** Runs a program of the system. Throws {@linkcode Untried} if it is missing or fails. */
async function runTool(command: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await output(command, args).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return { code: 127, stderr: `${command} is missing` };
    throw error;
  });
  if (code !== 0) throw new Untried(stderr);
}

/** The machine has no right or program that a condition needs. */
class Untried extends Error {
  override readonly name = "Untried";
}

/** Returns the conditions as a Markdown table: how often each was tried, how the program took it, and how often it was wrong. */
export function conditionTable(results: readonly TriedCondition[]): string {
  const rows = results.map(({ name, outcomes, untried }) => {
    const ends = Map.groupBy(outcomes, ({ end }) => end);
    const told = untried === undefined
      ? [...ends].map(([end, all]) => ends.size > 1 ? `${end} (${all.length})` : end).join("; ")
      : `not tried: ${untried.trim()}`;
    return [name, outcomes.length, told, outcomes.filter(({ defects }) => defects.length > 0).length];
  });
  return markdownTable(["condition", "tries", "outcome", "wrong afterwards"], rows);
}
