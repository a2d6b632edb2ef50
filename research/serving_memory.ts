// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * What the bytes of a server are, on Linux: by kind, first of an empty executable with as many threads, then of the server when it waits, after {@linkcode WARM} searches, and after every tenth of many different
 * ones, in both languages. A last line has the memory after words that are misspelt. Then what answers cost over stdio: CPU time with
 * three and with ten hits, and the time of a round trip beside that of the search in it.
 *
 *     deno run -A --config deno.dev.json research/serving_memory.ts EXECUTABLE [--chunks 100000] [--searches 10000] [--modes keyword,hybrid]
 *
 * The kinds are told by the form of the mappings in `/proc/PID/smaps`, in MB of 2^20 bytes.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadTable } from "#models/embedding/mod.ts";
import { denoCompile } from "../scripts/compile/deno_compile.ts";
import { startFlags } from "../scripts/compile/start_flags.ts";
import { wordsOf, writeCorpus } from "../scripts/bench/corpus.ts";
import { idle } from "../scripts/bench/folder.ts";
import { Program, type Served } from "../scripts/bench/program.ts";
import { median } from "../scripts/bench/samples.ts";

const WARM = 400;
/** Searches that are timed, of each number of hits. */
const TIMED = 200;
const IDLE_MS = 3000;
const MISSPELT = ["serach 引擎", "documant 系统", "exmaple memroy", "retreival 检索"];

const { values, positionals: [executable] } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    chunks: { type: "string", default: "100000" },
    searches: { type: "string", default: "10000" },
    modes: { type: "string", default: "keyword,hybrid" },
  },
});
if (executable === undefined) throw new Error("serving_memory.ts EXECUTABLE");
const searches = Number(values.searches);

/** A mapping of a process: bytes `from` to `to` of its addresses, and how much of it is in memory. */
interface Mapping {
  readonly from: number;
  readonly to: number;
  readonly isCode: boolean;
  readonly file: string;
  readonly resident: number;
}

function mappingsOf(pid: number): Mapping[] {
  const mappings = Deno.readTextFileSync(`/proc/${pid}/smaps`).split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/);
  return mappings.map((text) => {
    const [, from, to, rights, file] = /^(\w+)-(\w+) (\S+) \S+ \S+ \S+ *(.*)/.exec(text)!;
    return {
      from: parseInt(from!, 16),
      to: parseInt(to!, 16),
      isCode: rights!.includes("x"),
      file: file!,
      resident: Number(/\nRss: +(\d+)/.exec(text)![1]) * 1024,
    };
  });
}

/** V8 maps the code of its built-in functions once more for each thread, always as many bytes. */
const BUILTINS = 2112 * 1024;
/** The C library begins the memory of a thread at a multiple of this, and WebAssembly its memories. */
const ARENA = 64 * 1024 * 1024;
/** Where the C library and the system map: V8 places the pages of its heaps below. */
const SYSTEM = 0x7f00_0000_0000;
const LARGE = 1024 * 1024;

function kindOf({ from, to, isCode, file }: Mapping): string {
  if (file === executable || file.includes("muxue_rag")) {
    if (to - from === BUILTINS) return "builtins for each thread";
    return isCode ? "native code" : "native data";
  }
  if (file.startsWith("/")) return "libraries";
  if (file === "[heap]") return "malloc, first thread";
  if (file !== "") return "stacks";
  if (isCode) return "compiled code";
  if (from < SYSTEM) return "JavaScript heaps";
  if (from % ARENA === 0) return "malloc, threads; WebAssembly";
  return to - from > LARGE ? "modules, table" : "stacks";
}

function show(name: string, { pid }: Pick<Served, "pid">): void {
  const kinds = new Map<string, number>();
  for (const mapping of mappingsOf(pid)) {
    const kind = kindOf(mapping);
    kinds.set(kind, (kinds.get(kind) ?? 0) + mapping.resident);
  }
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const all = [...kinds.values()].reduce((sum, bytes) => sum + bytes, 0);
  const parts = [...kinds].toSorted(([, a], [, b]) => b - a).map(([kind, bytes]) =>
    `${kind} ${megabytes(bytes)}`
  );
  console.log(`${name}: ${megabytes(all)} MB (${parts.join(", ")})`);
}

/** Prints the memory of an executable that starts two threads and does nothing, as a server has the worker and the thread that watches. */
async function showEmpty(folder: string): Promise<void> {
  // The name tells `kindOf` what its code is.
  const main = join(folder, "main.js"), thread = join(folder, "thread.js"), path = join(folder, "muxue_rag");
  const start = `new Worker(new URL("./thread.js", import.meta.url), { type: "module" });`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(thread, "self.onmessage = () => {};");
  await Deno.writeTextFile(main, `${start}${start}await Deno.stdin.read(new Uint8Array(1)); Deno.exit();`);
  await denoCompile(path, [...startFlags(), "--include", thread, main], folder);
  const child = new Deno.Command(path, { stdin: "piped" }).spawn();
  await idle(IDLE_MS);
  show("empty, two threads", child);
  await child.stdin.close();
  await child.status;
}

/** Prints the CPU time of answers with three and ten hits, in turn, and the round trip beside the time of the search in it. */
async function showAnswers(
  name: string,
  server: Served,
  questions: readonly string[],
  mode: string,
): Promise<void> {
  const cpu = new Map([[3, 0], [10, 0]]), trips: number[] = [], inside: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const hits of cpu.keys()) {
      const before = server.cpuMs;
      for (let i = 0; i < TIMED / 10; i++) {
        const keyword = questions[(round * TIMED / 10 + i) % questions.length]!;
        const began = performance.now();
        const answer = await server.search(keyword, mode, hits);
        trips.push(performance.now() - began);
        const { result: { structuredContent } } = JSON.parse(answer);
        inside.push(structuredContent.data.stats.cost_time * 1000);
      }
      cpu.set(hits, cpu.get(hits)! + server.cpuMs - before);
    }
  }
  const [three, ten] = [3, 10].map((hits) => cpu.get(hits)! / TIMED) as [number, number];
  console.log(
    `${name}: CPU of three hits ${three.toFixed(1)} ms, of ten ${ten.toFixed(1)} ms (${
      (ten / three).toFixed(2)
    }); ` +
      `round trip ${median(trips).toFixed(1)} ms, longer than its search by ${
        median(trips.map((ms, i) => ms - inside[i]!)).toFixed(1)
      } ms`,
  );
}

const parent = await Deno.makeTempDir({ prefix: "muxue_rag-memory-" });
try {
  const state = join(parent, "state");
  await Deno.mkdir(state);
  await showEmpty(join(parent, "empty"));
  const program = new Program(state, executable);
  for (const language of ["en", "zh"] as const) {
    const folder = join(parent, language), words = wordsOf(loadTable(), language);
    const { questions } = await writeCorpus(folder, language, Number(values.chunks), words, searches);
    await program.index(folder);
    for (const mode of values.modes.split(",")) {
      const name = `${language} ${mode}`;
      await using server = await program.serve(folder);
      await idle(IDLE_MS);
      show(`${name}, waiting`, server);
      for (let i = 0; i < searches; i++) {
        await server.search(questions[i % questions.length]!, mode);
        if (i + 1 === WARM || (i + 1) % Math.ceil(searches / 10) === 0) {
          show(`${name}, ${i + 1} searches`, server);
        }
      }
      for (const question of MISSPELT) await server.search(question, mode);
      show(`${name}, misspelt words`, server);
      await showAnswers(name, server, questions, mode);
    }
    await Deno.remove(folder, { recursive: true });
  }
} finally {
  await Deno.remove(parent, { recursive: true });
}
