/**
 * Measures programs on a folder of generated texts, in turn: indexing, searches over stdio, memory and updates, with an index of words
 * alone (`keyword`) and with the built-in vectors (`hybrid`).
 */
import { join } from "node:path";
import { loadTable } from "#models/embedding/mod.ts";
import { copyFolder } from "../copy_folder.ts";
import { wordsOf, writeCorpus } from "./corpus.ts";
import { Program, type Served } from "./program.ts";
import { median, quantile, Samples } from "./samples.ts";
import type { BenchLanguage } from "./text.ts";

/** Runs a script of this folder and returns its figures. */
export type Measure = (script: string, ...args: (string | number)[]) => Promise<Record<string, number>>;

export const MODES = ["keyword", "hybrid"] as const;
export type Mode = typeof MODES[number];

/** A program that is measured. */
export interface Side {
  /** Folder of its key and list of folders. */
  readonly state: string;
  /** `undefined`: the sources. */
  readonly executable: string | undefined;
}

/** Returns the program with an index for the mode. */
export function programOf({ state, executable }: Side, mode: Mode): Program {
  return new Program(state, executable, {
    MUXUE_RAG_EMBEDDING_PROVIDER: mode === "keyword" ? "none" : "builtin",
  });
}

/** Data folder of an index. */
const DATA = ".muxue_rag";

/** Most chunks of a folder that is indexed several times. */
const REPEATED_CHUNKS = 100_000;
const INDEXINGS = 3;
/** Rounds over all questions; the first is not counted. */
const ROUNDS = 3;
const CHANGES = 5;
const IDLE_MS = 1000;
const POLL_MS = 10;
/** Longest wait for a changed file to be found. */
const CHANGE_LIMIT_MS = 60_000;
/** Searches after which the memory should be flat. */
const MANY_SEARCHES = 10_000;

export const idle = (ms = IDLE_MS) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export interface FolderInput {
  /** Folder for the texts and indexes. */
  readonly parent: string;
  readonly sides: readonly Side[];
  readonly measure: Measure;
  readonly language: BenchLanguage;
  /** Chunks. */
  readonly size: number;
  /** Whether 10,000 more searches are made. */
  readonly withManySearches: boolean;
}

/** A folder that is measured: the texts once for each program, because a program may not read the index of another. */
export class MeasuredFolder implements AsyncDisposable {
  /** Bytes of the texts. */
  readonly bytes: number;
  readonly #input: FolderInput;
  readonly #folders: readonly string[];
  readonly #questions: readonly string[];
  /** File with the questions. */
  readonly asked: string;

  private constructor(
    input: FolderInput,
    folders: readonly string[],
    questions: readonly string[],
    asked: string,
    bytes: number,
  ) {
    this.#input = input;
    this.#folders = folders;
    this.#questions = questions;
    this.asked = asked;
    this.bytes = bytes;
  }

  static async write(input: FolderInput): Promise<MeasuredFolder> {
    const { parent, language, size, sides } = input;
    const folders = sides.map((_, i) => join(parent, `${language}-${size}-${i}`));
    const asked = `${folders[0]!}.json`;
    const { questions, bytes } = await writeCorpus(
      folders[0]!,
      language,
      size,
      wordsOf(loadTable(), language),
    );
    for (const folder of folders.slice(1)) await copyFolder(folders[0]!, folder);
    await Deno.writeTextFile(asked, JSON.stringify(questions));
    return new MeasuredFolder(input, folders, questions, asked, bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#folders) await Deno.remove(folder, { recursive: true });
  }

  /** The texts, beside which other engines are measured. */
  get folder(): string {
    return this.#folders[0]!;
  }

  /** Adds the figures of one mode to `samples`, and yields when some are complete. Throws if an index cannot be made. */
  async *measure(mode: Mode, samples: Samples): AsyncGenerator<void> {
    const programs = this.#input.sides.map((side) => programOf(side, mode));
    await this.#index(programs, samples);
    yield;
    const servers: Served[] = [];
    try {
      for (const [side, program] of programs.entries()) {
        const served = await program.serve(this.#folders[side]!);
        servers.push(served);
        const began = performance.now();
        await served.search(this.#questions[0]!, mode);
        samples.add("first search ms", side, performance.now() - began);
      }
      await this.#search(mode, servers, samples);
      yield;
      await this.#compareHits(mode, servers, samples);
      await idle();
      for (const [side, server] of servers.entries()) samples.add("serving MB", side, server.megabytes);
      if (this.#input.withManySearches) await this.#searchMany(mode, servers, samples);
      yield;
      await this.#change(servers, samples);
      yield;
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  }

  async #index(programs: readonly Program[], samples: Samples): Promise<void> {
    const rounds = this.#input.size > REPEATED_CHUNKS ? 1 : INDEXINGS;
    for (let round = 0; round < rounds; round++) {
      for (const [side, program] of programs.entries()) {
        const folder = this.#folders[side]!, data = join(folder, DATA);
        await Deno.remove(data, { recursive: true }).catch(() => {});
        const { seconds, cpuSeconds, megabytes } = await program.index(folder);
        samples.add("index s", side, seconds, cpuSeconds);
        samples.add("index MB/s", side, this.bytes / 1e6 / seconds, this.bytes / 1e6 / cpuSeconds);
        samples.add("peak of indexing MB", side, megabytes);
        samples.add("index on disk MB", side, (await bytesIn(data)) / 1e6);
      }
    }
  }

  async #search(mode: Mode, servers: readonly Served[], samples: Samples): Promise<void> {
    const { measure, sides } = this.#input;
    const times: number[][] = servers.map(() => []);
    const cpuBefore: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      if (round === 1) cpuBefore.push(...servers.map((server) => server.cpuMs));
      for (const question of this.#questions) {
        for (const [side, server] of servers.entries()) {
          const began = performance.now();
          await server.search(question, mode);
          if (round > 0) times[side]!.push(performance.now() - began);
        }
      }
    }
    const last = sides.length - 1;
    // The library of these sources, without a server. It cannot read the index of a program with another format.
    const alone = await measure("searches.ts", this.#folders[last]!, this.asked, sides[last]!.state, mode)
      .catch(() => undefined);
    for (const [side, server] of servers.entries()) {
      const list = times[side]!;
      const cpu = (server.cpuMs - cpuBefore[side]!) / list.length;
      samples.add("search p50 ms", side, median(list), cpu);
      samples.add("search p95 ms", side, quantile(list, 0.95));
      if (side < last || alone === undefined) continue;
      samples.add("search without server p50 ms", side, alone["p50"]!);
      samples.add("search without server p95 ms", side, alone["p95"]!);
      samples.add("server adds p50 ms", side, median(list) - alone["p50"]!);
    }
  }

  async #compareHits(mode: Mode, servers: readonly Served[], samples: Samples): Promise<void> {
    for (const [side, server] of servers.entries()) {
      const times: Record<number, number[]> = { 3: [], 10: [] };
      for (const question of this.#questions) {
        for (const hits of [3, 10]) {
          const began = performance.now();
          await server.search(question, mode, hits);
          times[hits]!.push(performance.now() - began);
        }
      }
      samples.add("ten hits : three hits", side, median(times[10]!) / median(times[3]!));
    }
  }

  /** Searches many times, one server after the other, so that none waits for long while others search. */
  async #searchMany(mode: Mode, servers: readonly Served[], samples: Samples): Promise<void> {
    for (const [side, server] of servers.entries()) {
      const search = async (times: number) => {
        for (let i = 0; i < times; i++) {
          await server.search(this.#questions[i % this.#questions.length]!, mode);
        }
        await idle();
        return server.megabytes;
      };
      // A server that has waited while another one searched has given memory back.
      const before = await search(this.#questions.length);
      samples.add("MB after 10,000 searches : before", side, await search(MANY_SEARCHES) / before);
    }
  }

  /** Changes a file: once the program is asked to update the index, once it finds the file by itself. */
  async #change(servers: readonly Served[], samples: Samples): Promise<void> {
    for (let i = 0; i < CHANGES; i++) {
      for (const [side, server] of servers.entries()) {
        // Words that no text holds.
        const asked = `qxv${"abcdefghij"[i]}wkj`, found = `zxv${"abcdefghij"[i]}wkj`;
        await this.#save(side, asked);
        const cpuBefore = server.cpuMs;
        let began = performance.now();
        await server.call("ingest_now", {});
        samples.add("update ms", side, performance.now() - began, server.cpuMs - cpuBefore);
        if (!await has(server, asked)) throw new Error(`${asked} was not found after the update`);
        // The server looks at the file again when it has rested.
        await idle();
        await this.#save(side, found);
        began = performance.now();
        while (!await has(server, found)) {
          if (performance.now() - began > CHANGE_LIMIT_MS) throw new Error(`${found} was not found`);
          await idle(POLL_MS);
        }
        samples.add("saved until found ms", side, performance.now() - began);
        await idle();
      }
    }
  }

  #save(side: number, word: string): Promise<void> {
    return Deno.writeTextFile(join(this.#folders[side]!, "0.md"), `# 1\n\n${word} ${NEIGHBOUR}.`);
  }
}

/** A word beside the one that is searched, because an answer without hits repeats the question. */
const NEIGHBOUR = "mxqzvkjw";

async function has(server: Served, word: string): Promise<boolean> {
  return (await server.search(word, "keyword")).includes(`${word} ${NEIGHBOUR}`);
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    bytes += isDirectory ? await bytesIn(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}
