// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * What a search in one process and small updates cost two executables, in turn in one run:
 *
 *     deno run -A --config deno.dev.json research/update_cost.ts BEFORE AFTER [FILES [UPDATES]]
 *
 * Searches: `muxue_rag search QUESTION` in a folder of FILES files (default 3,400, 20 chunks each) in each language and mode, with the
 * look at every file that comes first. Updates: a server is asked now and then while one file of another folder of 100,000 chunks is
 * changed, added or removed, UPDATES times each (default 40). Their time is that of the trace of each update, which leaves out the
 * wait for the program that saves; their CPU time is that of all threads of the server from the save to the trace. `many` changes another
 * file each time, so that the second file of the index grows. `next search` is the first search after an update, `warm` the one after it.
 *
 * CPU time is read from `/proc`, so that it needs Linux. Prints the medians and 95th percentiles of both, and the ratio of the medians.
 */
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { CHUNKS_A_FILE, wordsOf, writeCorpus } from "../scripts/bench/corpus.ts";
import { idle } from "../scripts/bench/folder.ts";
import { Program } from "../scripts/bench/program.ts";
import { quantile } from "../scripts/bench/samples.ts";
import { copyFolder } from "../scripts/copy_folder.ts";
import { random } from "../scripts/bench/text.ts";

const SEARCHES = 12, LARGE = 100_000;
/** Files of a folder. */
const IN_A_FOLDER = 100;
/** Milliseconds between two looks for the trace of an update, and after an update until the server is at rest. */
const LOOK_MS = 20, REST_MS = 700;
/** Milliseconds after the first search until a server is at rest. */
const START_MS = 3000;

const [before, after, files = "3400", updates = "40"] = Deno.args as [string, string, string?, string?];
const parent = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-update-" }));
const states = [0, 1].map((i) => join(parent, `state ${i}`));
const programs = [before, after].map((executable, i) => new Program(states[i]!, executable));
const words = { en: wordsOf(loadTable(), "en"), zh: wordsOf(loadTable(), "zh") };

/** Prints what both executables took, in milliseconds. */
function tell(name: string, [one, other]: readonly [number[], number[]]): void {
  const [p50, p95] = [0.5, 0.95].map((share) => [quantile(one, share), quantile(other, share)] as const);
  const text = (values: readonly [number, number]) => values.map((value) => value.toFixed(1)).join(" → ");
  console.log(`${name}: p50 ${text(p50!)}, p95 ${text(p95!)}, ratio ${(p50![1] / p50![0]).toFixed(3)}`);
}

/** Writes a folder with subfolders, as users have them. */
async function writeFolder(folder: string, language: "en" | "zh", count: number): Promise<string[]> {
  const flat = `${folder}-flat`;
  const { questions } = await writeCorpus(flat, language, count * CHUNKS_A_FILE, words[language]);
  for (let file = 0; file < count; file++) {
    const place = join(folder, `${Math.floor(file / IN_A_FOLDER)}`);
    await Deno.mkdir(place, { recursive: true });
    await Deno.rename(join(flat, `${file}.md`), join(place, `${file}.md`));
  }
  await Deno.remove(flat);
  return questions;
}

/** Milliseconds of CPU time of all threads of a process that are there. */
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return Deno.readDirSync(tasks).reduce((sum, { name }) => {
    try {
      return sum + Number(Deno.readTextFileSync(`${tasks}/${name}/schedstat`).split(" ")[0]) / 1e6;
    } catch {
      return sum;
    }
  }, 0);
}

/** Copies a folder for each program, which indexes its copy. Returns the copies. */
async function indexedCopies(folder: string): Promise<string[]> {
  const copies = programs.map((_, i) => `${folder} ${i}`);
  for (const [i, copy] of copies.entries()) {
    await copyFolder(folder, copy);
    await programs[i]!.index(copy);
  }
  return copies;
}

type Pair = [number[], number[]];

async function measureSearches(language: "en" | "zh"): Promise<void> {
  const folder = join(parent, language);
  const questions = await writeFolder(folder, language, Number(files));
  const copies = await indexedCopies(folder);
  for (const mode of ["keyword", "hybrid"]) {
    const wall: Pair = [[], []], cpu: Pair = [[], []];
    for (let round = -1; round < SEARCHES; round++) {
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const args = ["search", questions[round + 1]!, "--dir", copies[i]!, "--mode", mode];
        const { seconds, cpuSeconds } = await programs[i]!.run(...args);
        if (round < 0) continue;
        wall[i]!.push(seconds * 1000);
        cpu[i]!.push(cpuSeconds * 1000);
      }
    }
    tell(`search, ${language}, ${mode}: wall ms`, wall);
    tell(`search, ${language}, ${mode}: CPU ms`, cpu);
  }
  for (const copy of [folder, ...copies]) await Deno.remove(copy, { recursive: true });
}

/** The traces that a server writes. */
class Traces {
  readonly #logs: string;
  /** Bytes of each file of traces that were read. */
  readonly #read = new Map<string, number>();

  /** Of the server whose state is in the folder `state`. */
  constructor(state: string) {
    this.#logs = join(state, "logs");
  }

  /** Milliseconds of the updates that were traced since the last call. */
  updates(): number[] {
    const files = [...Deno.readDirSync(this.#logs)].map(({ name }) => name);
    return files.filter((name) => name.includes("traces")).flatMap((name) => {
      using file = Deno.openSync(join(this.#logs, name));
      const from = this.#read.get(name) ?? 0;
      const bytes = new Uint8Array(file.statSync().size - from);
      file.seekSync(from, Deno.SeekMode.Start);
      const end = bytes.subarray(0, file.readSync(bytes) ?? 0).lastIndexOf(0x0a) + 1;
      this.#read.set(name, from + end);
      const lines = new TextDecoder().decode(bytes.subarray(0, end)).split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "ingestion")
        .map(({ ms }) => ms);
    });
  }

  /** Waits for the trace of one update. Returns its milliseconds. */
  async updated(): Promise<number> {
    for (let waited = 0; waited < 30_000; waited += LOOK_MS) {
      const [ms] = this.updates();
      if (ms !== undefined) return ms;
      await idle(LOOK_MS);
    }
    throw new Error("no update in 30 s");
  }
}

const KINDS = ["same", "many", "added", "removed"] as const;

/** Changes a file of the folder in the way of a kind. */
function change(folder: string, kind: typeof KINDS[number], turn: number, next: () => number): void {
  const existing = (file: number) => join(folder, `${Math.floor(file / IN_A_FOLDER)}`, `${file}.md`);
  const added = join(folder, "0", `added ${turn}.md`);
  if (kind === "removed") return Deno.removeSync(added);
  const path = kind === "added"
    ? added
    : existing(kind === "same" ? 150 : Math.floor(next() * LARGE / CHUNKS_A_FILE));
  const text = kind === "added" ? "# Added\n\n" : Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, `${text.slice(0, 12_000)} zeppelin${turn}x`);
}

async function measureUpdates(): Promise<void> {
  const folder = join(parent, "large");
  const questions = await writeFolder(folder, "en", LARGE / CHUNKS_A_FILE);
  const copies = await indexedCopies(folder);
  await using running = new AsyncDisposableStack();
  const servers = [];
  for (const [i, program] of programs.entries()) {
    const server = running.use(await program.serve(copies[i]!));
    const search = async (question: string) => {
      const began = performance.now();
      await server.search(question, "hybrid");
      return performance.now() - began;
    };
    await search("begin");
    await idle(START_MS);
    const traces = new Traces(states[i]!);
    traces.updates();
    servers.push({ folder: copies[i]!, pid: server.pid, traces, search });
  }
  for (const question of questions.slice(0, 40)) for (const { search } of servers) await search(question);
  for (const kind of KINDS) {
    const figures = {
      "work wall ms": [[], []],
      "CPU ms": [[], []],
      "next search ms": [[], []],
      "warm ms": [[], []],
    } as Record<string, Pair>;
    const dice = servers.map(() => random(5));
    for (let turn = 0; turn < Number(updates); turn++) {
      for (const [i, server] of servers.entries()) {
        const used = cpuOf(server.pid);
        change(server.folder, kind, turn, dice[i]!);
        figures["work wall ms"]![i]!.push(await server.traces.updated());
        figures["CPU ms"]![i]!.push(cpuOf(server.pid) - used);
        figures["next search ms"]![i]!.push(await server.search(questions[turn % questions.length]!));
        figures["warm ms"]![i]!.push(await server.search(questions[(turn + 1) % questions.length]!));
        await idle(REST_MS);
      }
    }
    for (const [name, pair] of Object.entries(figures)) tell(`update, ${kind}: ${name}`, pair);
  }
}

try {
  for (const state of states) await Deno.mkdir(state);
  for (const language of ["en", "zh"] as const) await measureSearches(language);
  await measureUpdates();
} finally {
  await Deno.remove(parent, { recursive: true });
}
