import { join } from "node:path";
import { Random } from "../../tests/series/random.ts";
import { startFlags } from "../compile/start_flags.ts";
import { ask, searchForNote, Tally } from "./client.ts";
import { Notes } from "./notes.ts";
import { handlesOf, memoryOf, quantile, type Sample } from "./sample.ts";
import { Server, type ServerOptions } from "./server.ts";

/** Options of {@linkcode soak}. */
export interface SoakOptions {
  readonly seconds: number;
  /** Clients, each with a server of its own on the same folders. Every second one is restarted or killed now and then. */
  readonly clients: number;
  /** Notes in each of two folders. */
  readonly notes: number;
  /** MB of other texts in the first folder. From 8 MB on, small updates are written beside the index. */
  readonly bulkMb: number;
  /** Milliseconds between two changes of a note. */
  readonly changeMs: number;
  /** Longest wait between two requests of a client, in milliseconds. */
  readonly pauseMs: number;
  /** Mean seconds between two restarts of a server. */
  readonly restartSeconds: number;
  /** Seconds between two samples. */
  readonly sampleSeconds: number;
  readonly seed: number;
  readonly executable?: string | undefined;
  readonly onSample?: (sample: Sample, tally: Tally) => void;
}

/** Result of a run. */
export interface Soaked {
  readonly samples: readonly Sample[];
  readonly tally: Tally;
  readonly changes: number;
  /** Output of `verify --deep` on the folders after the run; its code is 0 if the indexes are sound and current. */
  readonly verified: { readonly code: number; readonly text: string };
}

/** Lets clients search and read folders that change, and checks every answer. Only on Linux, which tells memory and handles. */
export async function soak(options: SoakOptions): Promise<Soaked> {
  const top = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "muxue_rag-soak-" }));
  try {
    return await soakIn(top, options);
  } finally {
    Deno.removeSync(top, { recursive: true });
  }
}

async function soakIn(top: string, options: SoakOptions): Promise<Soaked> {
  const random = new Random(options.seed);
  const folders = ["one", "两"].map((name) => join(top, name));
  const stateDir = join(top, "state");
  Deno.mkdirSync(stateDir);
  const notes = new Notes(folders, options.notes, random);
  writeBulk(folders[0]!, options.bulkMb);
  const how: ServerOptions = { executable: options.executable, folders, stateDir };
  for (const folder of folders) {
    const { code, text } = await run(how, ["--dir", folder, "--quiet"]);
    if (code !== 0) throw new Error(text);
  }

  const tally = new Tally();
  const servers = await Promise.all(Array.from({ length: options.clients }, () => Server.start(how)));
  const began = performance.now();
  const isOver = () => performance.now() - began >= options.seconds * 1000;
  const samples: Sample[] = [];
  const sample = () => {
    const lasting = servers.filter((_, i) => i % 2 === 0);
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(tally.latencies, share));
    samples.push({
      at: (performance.now() - began) / 1000,
      memory: lasting.map(({ pid }) => memoryOf(pid)),
      handles: lasting.map(({ pid }) => handlesOf(pid)),
      ...(p50 === undefined ? {} : { p50, p95: p95! }),
      requests: tally.latencies.length,
    });
    tally.latencies = [];
    options.onSample?.(samples.at(-1)!, tally);
  };
  const clients = servers.map(async (_, i) => {
    let restartAt = nextRestart();
    while (!isOver()) {
      if (i % 2 === 1 && performance.now() >= restartAt) {
        await restart(i);
        restartAt = nextRestart();
      }
      await ask(servers[i]!, notes, random, tally);
      if (options.pauseMs > 0) await pause(random.below(options.pauseMs + 1));
    }
  });
  const changing = (async () => {
    while (!isOver()) {
      await notes.change();
      await pause(options.changeMs);
    }
  })();
  const sampling = (async () => {
    while (!isOver()) {
      await pause(options.sampleSeconds * 1000);
      sample();
    }
  })();
  await Promise.all([...clients, changing, sampling]);

  // in the end every server must know every note as it is
  for (const server of servers) {
    for (const note of notes.all.filter((_, i) => i % 10 === 0 || i > notes.all.length - 5)) {
      while (!await searchForNote(server, notes, tally, note)) await pause(100);
    }
  }
  for (const server of servers) await server.end();
  const checks = await Promise.all(folders.map((folder) => run(how, ["verify", "--deep", "--dir", folder])));
  const verified = {
    code: Math.max(...checks.map(({ code }) => code)),
    text: checks.map(({ text }) => text).join(""),
  };
  return { samples, tally, changes: notes.changes, verified };

  function nextRestart(): number {
    return performance.now() + options.restartSeconds * (500 + random.below(1000));
  }

  async function restart(i: number): Promise<void> {
    if (random.below(2) === 0) {
      tally.kills++;
      await servers[i]!.kill();
    } else {
      tally.restarts++;
      await servers[i]!.end();
    }
    servers[i] = await Server.start(how);
  }
}

/** Writes texts that do not change, 1 MB each. */
function writeBulk(folder: string, megabytes: number): void {
  for (let number = 0; number < megabytes; number++) {
    const lines = Array.from({ length: 10_000 }, (_, line) => {
      const value = (line * 2654435761 + number * 40503) >>> 0;
      return `Row ${line} of ledger ${number}: account ${value % 9973}, ${value.toString(36)} paid, page ${
        value % 211
      }.\n`;
    });
    Deno.writeTextFileSync(join(folder, `ledger ${number}.txt`), lines.join("").repeat(2).slice(0, 1e6));
  }
}

/** Runs a command of the program to its end. */
async function run({ executable, stateDir }: ServerOptions, args: readonly string[]) {
  const main = join(import.meta.dirname!, "../../main.ts");
  const { code, stdout, stderr } = await new Deno.Command(executable ?? Deno.execPath(), {
    args: [...(executable === undefined ? ["run", ...startFlags(), main] : []), ...args],
    env: {
      DENO_NO_UPDATE_CHECK: "1",
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_STATE_DIR: stateDir,
      MUXUE_RAG_CONFIG_DIR: join(stateDir, "settings"),
    },
    cwd: stateDir,
    stdin: "null",
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, text: `${out}${error}` };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
