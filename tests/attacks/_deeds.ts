import { equal } from "node:assert/strict";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { isInside } from "#foundation/boundary/mod.ts";
import type { Arena } from "./_arena.ts";
import { type Call, callsOf } from "./_strace.ts";

const LIB = fileURLToPath(new URL("../../lib/", import.meta.url));
/** Paths of the sources and of the runtime's configuration. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** System files that the runtime may read at any time. */
const OF_THE_SYSTEM =
  /^\/(?:proc|sys|dev|lib|lib64|usr\/lib|usr\/share\/zoneinfo|etc\/(?:localtime|ld\.so\.cache))(?:\/|$)/;
/** Cache of the runtime for modules when it runs sources. */
const { denoDir: CACHE } = JSON.parse(new TextDecoder().decode(
  (await new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" }).output()).stdout,
));

/** Observations of a run. */
export interface Deeds {
  /** Paths that were written, created, renamed or removed, except in the cache of the runtime. Without duplicates. */
  readonly written: string[];
  /** Paths outside the arena's folder and state that were opened after the worker began. */
  readonly read: string[];
  /** Ports of connections. */
  readonly ports: string[];
  /** Number of other programs that were started. */
  readonly started: number;
}

const isRead = ({ name, text }: Call) =>
  name.startsWith("open") && /O_RDONLY/.test(text) && !/O_CREAT|O_TRUNC/.test(text);
const isNetwork = ({ name }: Call) => name === "connect" || name === "bind";
const isStart = ({ name }: Call) => name.startsWith("exec");

/** Returns what a run did beside its work in the arena's folder and state. */
export function deedsOf(arena: Arena, calls: readonly Call[]): Deeds {
  const mine = (path: string) => isInside(path, arena.folder) || isInside(path, arena.beside("state"));
  const order = calls.findIndex(({ paths }) =>
    paths.some((path) => isInside(path, arena.beside("state/logs")) || isInside(path, arena.at(".muxue_rag")))
  );
  equal(order >= 0, true);
  const written = calls.filter((each) => !isRead(each) && !isNetwork(each) && !isStart(each)).flatMap((
    { paths },
  ) => paths);
  const read = calls.slice(order).filter(isRead).flatMap(({ paths }) => paths);
  const { cmd } = arena.start([]);
  return {
    written: [...new Set(written)].filter((path) =>
      !isInside(path, CACHE) && path !== "/dev/null" && path !== "/dev/tty"
    ),
    read: read.filter((path) =>
      !mine(path) && !isInside(path, CACHE) && !isInside(path, LIB) && path !== cmd &&
      !OF_THE_SYSTEM.test(path)
    ),
    ports: calls.filter(isNetwork).flatMap(({ text }) => /htons\((\d+)\)/.exec(text)?.[1] ?? []),
    started: calls.filter(isStart).length - 1,
  };
}

/** Names of the paths without the parts that differ between runs. */
export function named(arena: Arena, paths: readonly string[]): string[] {
  const short = paths.map((path) =>
    path.replace(arena.folder, "DIR").replace(arena.beside("state"), "STATE")
      .replace(/\.[0-9a-f]{8}\.tmp$/, ".tmp").replace(/(?:[0-9a-f]{32}){1,2}|(?<=neural-)[0-9a-f]{16}/, "ID")
      .replace(
        /\d{4}-\d\d-\d\d/,
        "DATE",
      )
  );
  return [...new Set(short)].sort();
}

/** Paths of logs, as {@linkcode named} writes them. */
export const LOGS = ["STATE", "STATE/logs", "STATE/logs/muxue_rag-DATE.jsonl"];
/** Logs of commands that index or search: they also write traces, without texts and names of files. */
export const TRACED_LOGS = [...LOGS, "STATE/logs/muxue_rag-traces-000001.jsonl"];
/** The data folder and the files of an index. */
export const DATA = [
  "DIR/.muxue_rag",
  ...[".gitignore", ".gitignore.tmp", "index.bin", "index.bin.tmp", "lock"].map((name) =>
    `DIR/.muxue_rag/${name}`
  ),
];
/** The key file, which the first run creates. */
export const KEY = ["STATE/index.key", "STATE/index.key.tmp"];
/** The list of folders. */
export const REGISTRY = ["STATE/folders", "STATE/folders/ID.json", "STATE/folders/ID.json.tmp"];

/** Actions of the processes for documents, except loading the program, and how they were started. */
export function deedsOfExtractors(arena: Arena, calls: readonly Call[]) {
  const { cmd } = arena.start([]);
  // The first is the tested program.
  const starts = calls.filter(isStart).slice(1);
  return starts.map((start) => {
    const own = callsOf(start.thread, calls).slice(1);
    const paths = own.filter((each) => !isNetwork(each)).flatMap((each) =>
      each.paths.filter((path) => !isRead(each) || !isInside(path, ROOT))
    );
    return {
      program: start.paths[0] === cmd,
      argument: start.paths.at(-1),
      touched: [...new Set(paths)].filter((path) =>
        !OF_THE_SYSTEM.test(path) && path !== cmd && !isInside(path, CACHE) &&
        // Files that the runtime reads before it runs sources.
        basename(path) !== ".npmrc"
      ),
      network: own.filter(isNetwork).length,
    };
  });
}

/** The calls of the program without those of the processes that it started. */
export function callsOfProgram(calls: readonly Call[]): Call[] {
  const others = new Set(calls.filter(isStart).slice(1).flatMap(({ thread }) => callsOf(thread, calls)));
  return calls.filter((each) => !others.has(each));
}
