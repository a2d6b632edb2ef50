// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Round trips and times of searches in an index whose bytes lie far away: `deno run -A research/remote_pages.ts [chunks, or folder] [cache in
 * MB] [milliseconds of a trip]`. Synthetic English text, or the texts and questions of all sets (`corpus.jsonl`, `queries.jsonl`) in a
 * folder; ten chunks a file. For each kind of search: the trips of the first one after opening,
 * of later ones with other words, the bytes that they fetch, and milliseconds beside the same index in a file.
 */
import { encodeWords, loadTable, TextAnalyzer } from "#models/embedding/mod.ts";
import { BlobIndex, type ChunkFilter, IndexReader, IndexWriter, type OpenIndex } from "#engine/index/mod.ts";
import { openRemote, PageCache, PART_BYTES, type RemoteBytes } from "#engine/index/remote/mod.ts";
import { Meaning, Ranking, type SearchMode } from "#engine/rank/mod.ts";
import { Segments } from "#engine/segments.ts";
import { wordsOf } from "../scripts/bench/corpus.ts";
import { chunks, queryFrom, random } from "../scripts/bench/text.ts";

const [SOURCE = "100000"] = Deno.args, [CACHE_MB = 128, DELAY = 10] = Deno.args.slice(1).map(Number);
const REAL = /^\d+$/.test(SOURCE) ? undefined : linesOf("corpus");
const COUNT = REAL?.length ?? Number(SOURCE);
const KEY = new Uint8Array(32), CHUNKS_A_FILE = 10, SEARCHES = 40, HITS = 10;
/** Texts that questions are made of. */
const SAMPLED = 20_000;
/** Larger indexes have no vectors. */
const HAS_VECTORS = COUNT <= 200_000;
const table = loadTable(), analyzer = new TextAnalyzer(table), meaning = new Meaning(analyzer);

/** Counts trips: all readings of one turn are one. */
class Far {
  trips = 0;
  bytes = 0;
  #isTurn = false;

  constructor(readonly file: Deno.FsFile, readonly delay: number) {}

  remote(): RemoteBytes {
    return {
      size: this.file.statSync().size,
      read: async (ranges) => {
        if (!this.#isTurn) this.trips++;
        this.#isTurn = true;
        queueMicrotask(() => this.#isTurn = false);
        if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
        return ranges.map(({ part, from, to }) => {
          this.file.seekSync(part * PART_BYTES + from, 0);
          const bytes = new Uint8Array(to - from);
          for (let at = 0; at < bytes.length;) at += this.file.readSync(bytes.subarray(at))!;
          this.bytes += bytes.length;
          return bytes;
        });
      },
      close: () => {},
    };
  }
}

interface Kind {
  readonly mode: SearchMode;
  readonly filter?: (index: OpenIndex, text: string) => ChunkFilter;
}

const none = { phrases: [], excluded: [], excludedPhrases: [] };
const KINDS: Readonly<Record<string, Kind>> = {
  keyword: { mode: "keyword" },
  "keyword in a tenth of the files": {
    mode: "keyword",
    filter: ({ files }) => ({ ...none, files: Uint8Array.from(files, (_, i) => i % 10 === 3 ? 1 : 0) }),
  },
  phrase: { mode: "keyword", filter: (_, text) => ({ ...none, phrases: [text] }) },
  hybrid: { mode: "hybrid" },
};

async function search(
  index: OpenIndex,
  { mode, filter }: Kind,
  text: string,
  phrase: string,
): Promise<number> {
  const segments = new Segments([index]), ours = filter?.(index, phrase);
  const ranking = await Ranking.of({
    segments,
    terms: meaning.tokenizer.queryTerms(text),
    text,
    mode,
    fusion: "weighted",
    alpha: .6,
    ftsTopn: 50,
    vecTopn: 50,
    meaning,
  });
  const found = await ranking.best({ limit: HITS, ...(ours && { filter: () => ours }) });
  const ids = Int32Array.from(found, ({ id }) => id).sort();
  await Promise.all([segments.chunks(ids), segments.texts(ids, 4000), segments.identities(ids)]);
  return found.length;
}

const quantile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))]!;

const path = `${Deno.env.get("TMPDIR") ?? "/tmp"}/remote_pages_${COUNT}.bin`;
try {
  Deno.statSync(path);
} catch {
  await write();
}
const texts = REAL ?? [...chunks("en", Math.min(COUNT, SAMPLED), wordsOf(table, "en"))];
const questions = REAL && linesOf("queries");
const next = random(5);
const queries = Array.from({ length: SEARCHES }, () => {
  const text = texts[Math.floor(texts.length * next())]!;
  const words = text.replaceAll(".", "").split(" "), at = Math.floor((words.length - 2) * next());
  const phrase = words.length > 2 ? words.slice(at, at + 2).join(" ") : text.slice(5, 9);
  const question = questions?.[Math.floor(questions.length * next())] ?? queryFrom("en", text, next);
  return [question, phrase] as const;
});

for (const [name, kind] of Object.entries(KINDS)) {
  if (kind.mode === "hybrid" && !HAS_VECTORS) continue;
  const far = new Far(Deno.openSync(path), 0), cache = new PageCache(CACHE_MB * 1e6);
  const index = await openRemote(far.remote(), { key: KEY, cache });
  const opening = `${far.trips} trips, ${(far.bytes / 1e6).toFixed(1)} MB`;
  const trips: number[] = [], bytes: number[] = [];
  for (const [text, phrase] of queries) {
    const [before, bytesBefore] = [far.trips, far.bytes];
    await search(index, kind, text, phrase);
    trips.push(far.trips - before);
    bytes.push((far.bytes - bytesBefore) / 1e3);
  }
  const [first, ...later] = trips;
  console.log(
    `${name}: opening ${opening}; trips of the first search ${first}, of later ones p50 ${
      quantile(later, .5)
    }, ` +
      `most ${Math.max(...later)}; kB ${bytes[0]!.toFixed()}, p50 ${quantile(bytes.slice(1), .5).toFixed()}`,
  );
  await time(`  far, 0 ms, the same words again`, index, kind);
  index.close();
  for (const delay of [0, DELAY]) {
    const again = await openRemote(new Far(Deno.openSync(path), delay).remote(), {
      key: KEY,
      cache: new PageCache(CACHE_MB * 1e6),
    });
    await time(`  far, ${delay} ms, other words each time`, again, kind);
    again.close();
  }
  using near = new BlobIndex(IndexReader.open(Deno.openSync(path), { key: KEY }));
  await time("  a file, other words each time", near, kind);
  await time("  a file, the same words again", near, kind);
}

async function time(name: string, index: OpenIndex, kind: Kind): Promise<void> {
  const times: number[] = [];
  for (const [text, phrase] of queries) {
    const began = performance.now();
    await search(index, kind, text, phrase);
    times.push(performance.now() - began);
  }
  const later = times.slice(1);
  console.log(
    `${name}: first ${times[0]!.toFixed(1)}, p50 ${quantile(later, .5).toFixed(1)}, p95 ${
      quantile(later, .95).toFixed(1)
    } ms`,
  );
}

/** The texts in all files of a name below the folder. */
function linesOf(name: string): string[] {
  const sets = [...Deno.readDirSync(SOURCE)].filter(({ isDirectory }) => isDirectory);
  return sets.map(({ name }) => name).sort().flatMap((set) => {
    try {
      const lines = Deno.readTextFileSync(`${SOURCE}/${set}/${name}.jsonl`).split("\n");
      return lines.flatMap((line) => line === "" ? [] : [String(JSON.parse(line).text)]).filter(Boolean);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  });
}

async function write(): Promise<void> {
  const texts = REAL?.values() ?? chunks("en", COUNT, wordsOf(table, "en"));
  using file = Deno.openSync(path, { create: true, truncate: true, read: true, write: true });
  const vectors = HAS_VECTORS ? { model: "bench", dimensions: table.dimensions } : undefined;
  const writer = new IndexWriter(file, KEY, [], vectors);
  for (let i = 0; i < COUNT;) {
    writer.beginFile();
    const number = i / CHUNKS_A_FILE;
    for (let k = 0; k < CHUNKS_A_FILE && i < COUNT; k++, i++) {
      const text = texts.next().value!, start = k * 2000;
      const chunk = {
        context: `File ${number}\nPart ${k}`,
        section: [`File ${number}`, `Part ${k}`],
        startLine: k + 1,
      };
      writer.addChunk({ ...chunk, text, start, end: start + text.length, endLine: k + 1 });
      if (!HAS_VECTORS) continue;
      const { vector, words } = analyzer.analyze(text);
      writer.setVector(i, vector, encodeWords(words, table.englishCount));
    }
    writer.endFile({ path: `folder/${number}.md`, size: 1, mtimeMs: 0, sha256: "", status: "indexed" });
  }
  await writer.finish({ settings: "", program: "bench", indexedAt: new Date(0).toISOString(), root: "/far" });
  console.log(`${COUNT} chunks, ${(file.statSync().size / 1e6).toFixed()} MB`);
}
