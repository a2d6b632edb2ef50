/** The content of an index about one document: its record in full, and its chunks with their borders in the text. */
import { LANGUAGE_CODES, type StoredFile } from "#engine/index/mod.ts";
import { chunkId } from "#engine/segments.ts";
import { present } from "#foundation/present.ts";
import type { SearchedFolder } from "../served_folders.ts";
import { picturesIn, rowsBetween, withoutLead } from "../passages.ts";
import type { DocumentDetails, IndexedChunk } from "./types.ts";

/** Bytes of a chunk's text that are read. */
const MAX_TEXT_BYTES = 8_000_000;

/** The record of a file of an index with `limit` of its chunks from number `offset` on. */
export async function documentDetails(
  { folder, index }: SearchedFolder,
  file: StoredFile,
  offset: number,
  limit: number,
): Promise<DocumentDetails> {
  const from = Math.min(offset, file.chunkCount);
  const count = Math.min(limit, file.chunkCount - from);
  const first = file.firstChunk + from;
  // The chunk before tells how much of the first one is repeated.
  const before = from > 0 && count > 0 ? 1 : 0;
  const ids = Int32Array.from({ length: count + before }, (_, i) => first - before + i);
  const [stored, texts, identities, generated] = await Promise.all([
    index.chunks(ids),
    index.texts(ids, MAX_TEXT_BYTES),
    index.identities(ids),
    index.hasGenerated ? index.generated(ids) : [],
  ]);
  const chunks = stored.flatMap((chunk, i): IndexedChunk[] => {
    if (i < before) return [];
    const text = withoutLead(texts[i]!, chunk);
    const { start, end, startLine, endLine, section, page, tokens } = chunk;
    const shared = i === 0 ? 0 : Math.max(0, Math.min(stored[i - 1]!.end - start, text.length));
    const lead = texts[i]!.slice(0, texts[i]!.length - text.length).trimEnd();
    return [present({
      chunkId: chunkId({ index, file: chunk.file }, chunk, identities[i]!),
      start,
      end,
      startLine,
      endLine,
      section,
      page,
      tokens,
      language: languageName(chunk.language),
      rows: rowsBetween(file.rows ?? [], startLine, endLine),
      images: picturesIn([chunk], file.images, file.recognisedImages),
      lead: lead === "" ? undefined : lead,
      text,
      shared,
      generated: generated[i],
    })];
  });
  return { path: folder.pathOf(file.path), root: folder.root, file, first: from, chunks };
}

/** The name of a language by its code in the index. */
export function languageName(code: number): string {
  return Object.entries(LANGUAGE_CODES).find(([, other]) => other === code)?.[0] ?? "other";
}
