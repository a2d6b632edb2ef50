import type { Gathering } from "./gather.ts";
import { type Passage, toPassages } from "./passages.ts";
import type { Selected, SelectedChunk } from "./select.ts";

/** Each step selects this many chunks, and as many more as there are already. */
const STEP = 50;

/** Chunks of all pages together. */
const MAX_CHUNKS = 1000;

/** Options of {@linkcode passagesUpTo}. */
export interface PagesOptions {
  /** Number of passages on the first page. */
  readonly first: number;
  /** Number of passages on the pages before the wanted one. */
  readonly offset: number;
  /** Number of passages on the wanted page. */
  readonly limit: number;
  /** Lets other events have their turn. */
  readonly turn: () => Promise<void>;
}

/** The passages of some pages. */
export interface PagedPassages {
  readonly selected: readonly SelectedChunk[];
  readonly leftOut: Selected["leftOut"];
  /** At least the wanted ones, if there are so many. */
  readonly passages: readonly Passage[];
}

/**
 * Returns the passages of the first page and those after it. With more candidates, the ranking would order them otherwise,
 * and more chunks would join. So the passages of the first page stay as they were, and the others follow in steps that
 * do not depend on the page: no passage is repeated or lost.
 */
export async function passagesUpTo(
  gathering: Gathering,
  { first, offset, limit, turn }: PagesOptions,
): Promise<PagedPassages> {
  let { selected, leftOut, passages } = await selectPassages(gathering, first);
  if (offset === 0) return { selected, leftOut, passages };
  while (passages.length < offset + limit && selected.length < MAX_CHUNKS) {
    await turn();
    const count = Math.min(selected.length * 2 + STEP, MAX_CHUNKS);
    gathering.deepen(selected, count);
    const { chunks, leftOut: leftOutNow } = await gathering.select(count);
    const further = toPassages(chunks.slice(selected.length));
    if (further.length === 0) break;
    passages = [...passages, ...further];
    selected = chunks;
    leftOut = leftOutNow;
  }
  return { selected, leftOut, passages };
}

/** Selects chunks for `limit` passages. Chunks that touch become one passage, so up to twice as many are selected. */
async function selectPassages(gathering: Gathering, limit: number): Promise<PagedPassages> {
  for (let wanted = limit;;) {
    const { chunks: selected, leftOut } = await gathering.select(wanted);
    const passages = toPassages(selected);
    if (passages.length === limit || selected.length < wanted || wanted >= 2 * limit) {
      return { selected, leftOut, passages };
    }
    wanted += limit - passages.length;
  }
}
