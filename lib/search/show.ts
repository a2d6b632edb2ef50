import { chunkId } from "./chunk_id.ts";
import { PAGE_UNITS } from "../document/mod.ts";
import type { StoredPage } from "../index/mod.ts";
import type { Collection } from "./collection.ts";
import { degreeOf } from "./degree.ts";
import { countLineEnds, excerpt } from "./excerpt.ts";
import { pagesWithin } from "./hit_pages.ts";
import { type Passage, passageText, withoutLead } from "./passages.ts";
import type { ReadChunk } from "./select.ts";
import type { Hit, OtherPlace, PageUnit } from "./types.ts";

/** A chunk made larger than this (by `chunks_per_file`) is shown from its beginning. */
const MAX_TEXT_BYTES = 8_000_000;

/** Options of {@linkcode showHits}. */
export interface ShowOptions {
  /** Terms of the query. The excerpt of a long text is chosen by them. */
  readonly terms: readonly string[];
  /** UTF-16 units of all hits together. */
  readonly maxChars: number;
  /** Whether the question has no words to compare, so that the degree of all hits is low. */
  readonly saysNothing?: boolean;
}

/**
 * Reads the texts of passages until `maxChars` are used up. A text that is too long is cut to the part that holds most of
 * the terms, and its lines are those of the part. `pages`: those of each hit, with offsets in its content. `capped`: something was shortened or left out. Throws
 * `DamagedIndexError` where a text is damaged.
 */
export async function showHits(
  collection: Collection,
  passages: readonly Passage[],
  { terms, maxChars, saysNothing = false }: ShowOptions,
): Promise<{ hits: Hit[]; pages: (readonly StoredPage[])[]; capped: boolean }> {
  const hits: Hit[] = [];
  const pages: (readonly StoredPage[])[] = [];
  let left = maxChars;
  let capped = false;
  for (const passage of passages) {
    const { best, chunks, also } = passage;
    const [first] = chunks;
    const texts = left > 0 ? await collection.texts(idsOf(chunks), MAX_TEXT_BYTES) : [""];
    const { text, pages: ofPassage } = left > 0 ? passageText(passage, texts) : { text: "", pages: [] };
    const shown = excerpt(text, terms, left);
    capped ||= left <= 0 || shown.text.length < text.length;
    if (shown.text === "") break;
    left -= shown.text.length;
    const { startLine, section, page } = first!.stored;
    // The head of a table, repeated before its rows, is not on the lines of the chunk.
    const lead = countLineEnds(
      texts[0]!.slice(0, texts[0]!.length - withoutLead(texts[0]!, first!.stored).length),
    );
    const from = Math.max(startLine, startLine + shown.linesBefore - lead);
    const { firstChunk, chunkCount, recognised, pageUnit } = best.index.files[best.file]!;
    const [last] = await best.index.chunks(Int32Array.of(firstChunk + chunkCount - 1));
    const [identity] = await collection.identities(idsOf([best]));
    hits.push({
      filePath: best.filePath,
      chunkId: chunkId(best, best.stored, identity!),
      score: best.score,
      degree: degreeOf(saysNothing ? 0 : best.chance),
      content: shown.text,
      startLine: from,
      endLine: Math.max(from, startLine + shown.linesBefore + shown.lines - lead),
      totalLines: last!.endLine,
      section,
      ...(page === undefined ? {} : { page }),
      ...(isPageUnit(pageUnit) ? { pageUnit } : {}),
      ...(isRecognised(chunks, recognised) ? { recognised: true as const } : {}),
      ...(also.length === 0 ? {} : { also: otherPlaces(also) }),
    });
    pages.push(pagesWithin(ofPassage, shown.from, shown.from + shown.text.length));
  }
  return { hits, pages, capped };
}

/** Whether a chunk has a part of a page whose text was recognised. */
function isRecognised(chunks: readonly ReadChunk[], recognised: readonly number[] = []): boolean {
  return recognised.length > 0 &&
    chunks.some(({ stored: { page, pages } }) =>
      (pages?.map(({ number }) => number) ?? [page]).some((one) =>
        one !== undefined && recognised.includes(one)
      )
    );
}

function isPageUnit(name: string | undefined): name is PageUnit {
  return PAGE_UNITS.some((unit) => unit === name);
}

function idsOf(chunks: readonly { readonly id: number }[]): Int32Array {
  return Int32Array.from(chunks, ({ id }) => id);
}

/** Lines from the end of a chunk to the start of the next one, if a blank line is between them. */
const NEAR_LINES = 2;

/**
 * Returns the places of chunks. Consecutive chunks of a file are one place. Files come in the order of their best chunks.
 */
function otherPlaces(chunks: readonly ReadChunk[]): OtherPlace[] {
  return [...Map.groupBy(chunks, ({ filePath }) => filePath)].flatMap(([filePath, ofFile]) => {
    const places: OtherPlace[] = [];
    for (const { stored, index, file } of ofFile.toSorted((a, b) => a.stored.start - b.stored.start)) {
      const { startLine, endLine, page, pages } = stored;
      const label = pages?.find(({ number }) => number === page)?.label;
      const last = places.at(-1);
      if (last !== undefined && startLine <= last.endLine + NEAR_LINES) {
        places[places.length - 1] = { ...last, endLine: Math.max(last.endLine, endLine) };
      } else {
        const { pageUnit } = index.files[file]!;
        places.push({
          ...{ filePath, startLine, endLine },
          ...(page === undefined ? {} : { page }),
          ...(page === undefined || !isPageUnit(pageUnit) ? {} : { pageUnit }),
          ...(label === undefined ? {} : { pageLabel: label }),
        });
      }
    }
    return places;
  });
}
