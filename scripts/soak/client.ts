import type { Random } from "../../tests/series/random.ts";
import { type Notes, versionIn } from "./notes.ts";
import type { Server } from "./server.ts";

/** Milliseconds after which a note that has not changed must be found, unless the answer says that an update is under way. */
const FOUND_MS = 30_000;

/**
 * The delay of a change is measured if at most so many milliseconds lie between the first answer with it and the answer before
 * (or the change itself). Otherwise the note was not asked for in time.
 */
const BRACKET_MS = 1_000;

/** Counts of what all clients saw. */
export class Tally {
  searches = 0;
  reads = 0;
  /** Old texts shown as current, each in words. */
  readonly wrong: string[] = [];
  /** Notes that were not found long after their last change. */
  readonly lost: string[] = [];
  /** Refusals and errors of tools. */
  readonly errors: string[] = [];
  /** Old texts that were marked. */
  marked = 0;
  restarts = 0;
  kills = 0;
  /** Milliseconds of the requests since the last sample. */
  latencies: number[] = [];
  /** Milliseconds from a change to the first answer with the new text. */
  readonly delays: number[] = [];
}

/** Asks one thing of a server and checks the answer against what the notes say. */
export async function ask(server: Server, notes: Notes, random: Random, tally: Tally): Promise<void> {
  const kind = random.below(10);
  if (kind < 2) await searchForNote(server, notes, tally);
  else if (kind < 4) await searchForNote(server, notes, tally, notes.latest());
  else if (kind < 7) await searchForTopic(server, notes, random, tally);
  else await read(server, notes, kind === 9 ? "get_document_content" : "read_raw_file", tally);
}

/** Searches for the word of one note: its text must be that of now, or marked as outdated. */
export async function searchForNote(
  server: Server,
  notes: Notes,
  tally: Tally,
  note = notes.any(),
): Promise<boolean> {
  const before = { ...note };
  const began = performance.now();
  const { code, message, data } = await server.call("search_rag", { keyword: `${note.word} version` });
  tally.searches++;
  tally.latencies.push(performance.now() - began);
  if (code !== 200) {
    tally.errors.push(`search: ${message}`);
    return false;
  }
  const hits = (data?.match_content ?? []).filter(({ file_path: path }) => path === note.path);
  const shown = hits.map((hit) => ({ hit, version: versionIn(hit.content, note) })).find(({ version }) =>
    version !== undefined
  );
  const isStill = !before.isChanging && note.version === before.version && !note.isChanging;
  if (shown?.version === note.version) {
    const now = performance.now();
    const isKnown = now - (note.oldAt ?? note.changedAt) < BRACKET_MS;
    if (!note.isSeen && isStill && isKnown) tally.delays.push(now - note.changedAt);
    note.isSeen = true;
    return true;
  }
  note.oldAt = performance.now();
  const age = Math.round(began - before.changedAt);
  if (shown === undefined) {
    if (isStill && age > FOUND_MS) {
      tally.lost.push(`${note.word} version ${note.version}, ${age} ms after its change`);
    }
  } else if (shown.hit.outdated) tally.marked++;
  else if (isStill && shown.version! < before.version) {
    tally.wrong.push(
      `${note.word}: version ${shown.version} for ${before.version}, ${age} ms after its change`,
    );
  }
  return false;
}

async function searchForTopic(server: Server, notes: Notes, random: Random, tally: Tally): Promise<void> {
  const keyword = `${notes.topic()} ${notes.topic()}`;
  const mode = random.of(["hybrid", "keyword", "semantic"] as const);
  const began = performance.now();
  const { code, message, data } = await server.call("search_rag", { keyword, mode });
  tally.searches++;
  tally.latencies.push(performance.now() - began);
  if (code !== 200 || data!.match_content!.length === 0) {
    tally.errors.push(`search for ${keyword}: ${message}`);
  }
}

/** Reads one note from the disk. */
async function read(server: Server, notes: Notes, tool: string, tally: Tally): Promise<void> {
  const note = notes.any();
  const before = { ...note };
  const began = performance.now();
  const { code, message, data } = await server.call(tool, { "file_path": note.path });
  tally.reads++;
  tally.latencies.push(performance.now() - began);
  // while it changes, it may be gone or incomplete
  if (before.isChanging || note.isChanging || note.version !== before.version) return;
  const version = code === 200 ? versionIn(JSON.stringify(data), note) : undefined;
  if (code !== 200) tally.errors.push(`${tool}: ${message}`);
  else if (version !== note.version) {
    tally.wrong.push(`${tool} ${note.word}: version ${version} for ${note.version}`);
  }
}
