/** Measurements that do not depend on the size of a folder: start and idle memory, one large file, one search of a program that then ends. */
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { denoCompile } from "../compile/deno_compile.ts";
import { copyFolder } from "../copy_folder.ts";
import { CHUNKS_A_FILE, wordsOf, writeCorpus } from "./corpus.ts";
import { idle, type Mode, programOf, type Side } from "./folder.ts";
import { Program } from "./program.ts";
import { Samples } from "./samples.ts";
import { chunks } from "./text.ts";

const STARTS = 40;
/** One start of so many is idle for a while and not searched. */
const IDLE_STARTS = 4;
const START_CHUNKS = 10_000;
const FILE_MB = 100;
const LARGE_ROUNDS = 3;
const FILES = 3400;
const ONE_SEARCHES = 9;

/** Writes the texts for each side and indexes them. Returns the folders and a question. */
async function folders(parent: string, name: string, sides: readonly Side[], count: number) {
  const all = sides.map((_, i) => join(parent, `${name}-${i}`));
  const { questions } = await writeCorpus(all[0]!, "en", count, wordsOf(loadTable(), "en"));
  for (const folder of all.slice(1)) await copyFolder(all[0]!, folder);
  for (const [i, side] of sides.entries()) await programOf(side, "hybrid").index(all[i]!);
  return { all, question: questions[0]! };
}

/** Compiles an executable that only waits until stdin ends. It shows what the runtime alone takes. */
async function emptyExecutable(parent: string): Promise<string> {
  const source = join(parent, "empty.js"), path = join(parent, "empty");
  await Deno.writeTextFile(source, "await Deno.stdin.read(new Uint8Array(1));");
  await denoCompile(path, [source], parent);
  return path;
}

/** Starts of the bare runtime, of the launcher, which needs no worker for `--version`, and of a server on 10,000 chunks, in turn. */
export async function measureStarts(parent: string, sides: readonly Side[]): Promise<Samples> {
  const samples = new Samples();
  const bare = new Program(parent, await emptyExecutable(parent));
  const { all, question } = await folders(parent, "start", sides, START_CHUNKS);
  // The first two starts read the executables from disk.
  for (let start = -2; start < STARTS; start++) {
    const empty = await bare.run();
    for (const [side, program] of sides.map((side) => programOf(side, "hybrid")).entries()) {
      const version = await program.run("--version");
      await using server = await program.serve(all[side]!);
      const cpu = server.cpuMs;
      if (start < 0) continue;
      samples.add("bare runtime ms", side, empty.seconds * 1000, empty.cpuSeconds * 1000);
      samples.add("--version ms", side, version.seconds * 1000, version.cpuSeconds * 1000);
      samples.add("initialize ms", side, server.initializeMs, cpu);
      samples.add("initialize : bare runtime", side, server.initializeMs / (empty.seconds * 1000));
      if (start % IDLE_STARTS === 0) {
        await idle();
        samples.add("idle MB", side, server.megabytes);
        continue;
      }
      const cpuBefore = server.cpuMs, began = performance.now();
      await server.search(question, "hybrid");
      samples.add("first search ms", side, performance.now() - began, server.cpuMs - cpuBefore);
      samples.add("MB after it", side, server.megabytes);
    }
  }
  for (const [side, { executable }] of sides.entries()) {
    if (executable !== undefined) {
      samples.add("executable MB", side, (await Deno.stat(executable)).size / 1e6);
    }
  }
  for (const folder of all) await Deno.remove(folder, { recursive: true });
  return samples;
}

/** Indexing of one text of 100 MB. */
export async function measureLargeFile(
  parent: string,
  sides: readonly Side[],
  mode: Mode,
): Promise<Samples> {
  const samples = new Samples();
  const folder = join(parent, "large");
  await Deno.mkdir(folder);
  {
    using file = await Deno.create(join(folder, "large.txt"));
    let bytes = 0;
    for (const text of chunks("en", Infinity, wordsOf(loadTable(), "en"))) {
      if (bytes + text.length + 2 > FILE_MB * 1e6) break;
      bytes += await file.write(new TextEncoder().encode(`${text}\n\n`));
    }
  }
  for (let round = 0; round < LARGE_ROUNDS; round++) {
    for (const [i, side] of sides.entries()) {
      const { seconds, cpuSeconds, megabytes } = await programOf(side, mode).index(folder);
      samples.add("100 MB file s", i, seconds, cpuSeconds);
      samples.add("100 MB file, peak MB", i, megabytes);
      await Deno.remove(join(folder, ".muxue_rag"), { recursive: true });
    }
  }
  await Deno.remove(folder, { recursive: true });
  return samples;
}

/** A search on the command line in a folder of 3,400 indexed files. */
export async function measureOneSearch(parent: string, sides: readonly Side[]): Promise<Samples> {
  const samples = new Samples();
  const { all, question } = await folders(parent, "files", sides, FILES * CHUNKS_A_FILE);
  for (let i = -1; i < ONE_SEARCHES; i++) {
    for (const [side, folder] of all.entries()) {
      const program = programOf(sides[side]!, "hybrid");
      const { seconds, cpuSeconds, megabytes } = await program.run("search", question, "--dir", folder);
      if (i < 0) continue;
      samples.add("one search in 3,400 files s", side, seconds, cpuSeconds);
      samples.add("one search in 3,400 files, peak MB", side, megabytes);
    }
  }
  for (const folder of all) await Deno.remove(folder, { recursive: true });
  return samples;
}
