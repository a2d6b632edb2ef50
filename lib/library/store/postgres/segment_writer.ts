/**
 * Writes the next segment of an index: the files that are new or different, and those of the last segments, if these are small or hold
 * much that is gone. So an update costs about what it changes, an index of n chunks has about log n segments, and what is gone goes.
 */
import type { FileRecord, GeneratedOf, IndexKey, IndexMeta, VectorMeta } from "#engine/index/mod.ts";
import {
  type FileRange,
  type JoinedIndex,
  type PartChanges,
  type PartedIndex,
  PartWriter,
  placeIn,
} from "#engine/joined/mod.ts";
import type { IndexWriter, WriteOptions } from "../store.ts";
import type { NewSegment } from "./pages.ts";

/** When an update takes up a segment into the new one. */
interface SegmentLimits {
  /** Bytes of text up to which it is taken up. */
  readonly smallBytes: number;
  /** It is taken up if it has less text than this many times that of the new one. */
  readonly tier: number;
  /** Bytes of text from which on it is not, because it would have to fit into the memory. */
  readonly largeBytes: number;
  /** Share of its text that may be gone before it is taken up all the same. */
  readonly mostDead: number;
}

export const SEGMENT_LIMITS: SegmentLimits = {
  smallBytes: 2 ** 20,
  tier: 2,
  largeBytes: 2 ** 26,
  mostDead: 1 / 2,
};

/** The segments of the previous index. */
interface PreviousSegments extends Pick<JoinedIndex, "vectors" | "placeOf"> {
  /** Bytes of text in each segment, and those that are not gone. */
  readonly sizes: readonly { readonly whole: number; readonly alive: number }[];
}

/** Returns the number of the first part that an update takes up, with all that follow. 0: everything is written. */
export function firstTakenUp(
  previous: PreviousSegments | undefined,
  { changes, vectors, generatedFiles = [] }: Omit<WriteOptions, "previous">,
  { smallBytes, tier, largeBytes, mostDead }: SegmentLimits,
): number {
  if (previous === undefined || changes === undefined) return 0;
  const { vectors: known } = previous;
  if (known?.model !== vectors?.model || known?.dimensions !== vectors?.dimensions) return 0;
  const { sizes } = previous;
  let { bytes } = changes;
  let first = sizes.length;
  const takeUp = (from: number) => {
    while (first > from) bytes += sizes[--first]!.alive;
  };
  for (const file of generatedFiles) takeUp(previous.placeOf(file).part);
  for (const [i, { whole, alive }] of sizes.entries()) if (alive < whole * (1 - mostDead)) takeUp(i);
  while (first > 0 && sizes[first - 1]!.alive < Math.min(largeBytes, Math.max(smallBytes, tier * bytes))) {
    takeUp(first - 1);
  }
  return first;
}

/** Writes a segment, and notes the order of the files of all segments. */
export class SegmentWriter extends PartWriter implements IndexWriter {
  readonly #file: NewSegment;
  readonly #previous: PartedIndex | undefined;
  readonly #from: number;
  readonly #order: { part: number; from: number; to: number }[] = [];
  #written = 0;

  /** `from`: see {@linkcode firstTakenUp}. */
  constructor(
    file: NewSegment,
    key: IndexKey,
    previous: PartedIndex | undefined,
    { from, vectors }: { readonly from: number; readonly vectors?: VectorMeta | undefined },
  ) {
    super(file, key, previous, { from, vectors });
    this.#file = file;
    this.#previous = previous;
    this.#from = from;
  }

  /** The files of the segments that stay and of the new one, in the order of the index; and what of the former has changed. */
  get outcome(): { readonly order: readonly FileRange[]; readonly changes: readonly PartChanges[] } {
    return { order: this.#order, changes: this.changes() };
  }

  override async keep(given: FileRecord | undefined, file: number, generatedOf?: GeneratedOf): Promise<void> {
    const written = this.#written;
    super.keep(given, file, generatedOf);
    if (this.#written === written) {
      const { part, number } = placeIn(this.#previous!, file);
      this.#note(part, number);
    }
    await this.#file.flush();
  }

  override async endFile(record: FileRecord): Promise<void> {
    super.endFile(record);
    await this.#file.flush();
  }

  override async finish(
    meta: Omit<IndexMeta, "tokenizer">,
    pause: () => Promise<void>,
    embedded?: () => Promise<void>,
  ): Promise<{ size: number; terms: number }> {
    const flush = async () => {
      await this.#file.flush();
      await pause();
    };
    return await super.finish(meta, flush, embedded);
  }

  protected override fileAdded(): void {
    this.#note(this.#from, this.#written++);
  }

  #note(part: number, file: number): void {
    const last = this.#order.at(-1);
    if (last?.part === part && last.to === file) last.to++;
    else this.#order.push({ part, from: file, to: file + 1 });
  }
}
