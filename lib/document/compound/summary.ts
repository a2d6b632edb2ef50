import { codePageLabel } from "../reader/code_page.ts";
import type { Metadata } from "../types.ts";

/** Identifiers of properties (MS-OLEPS). */
const ID = { codePage: 1, title: 2, author: 4, keywords: 5, created: 12, saved: 13 } as const;
/** Milliseconds from 1601 to 1970. */
const EPOCH = 11_644_473_600_000;

/** Returns title and metadata from the summary stream of a compound file. Empty if the stream is broken. */
export function readSummary(
  stream: Uint8Array | undefined,
): { readonly title?: string; readonly metadata: Metadata } {
  try {
    return stream === undefined ? { metadata: {} } : read(stream);
  } catch (error) {
    if (error instanceof RangeError) return { metadata: {} };
    throw error;
  }
}

function read(stream: Uint8Array): { readonly title?: string; readonly metadata: Metadata } {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  const section = view.getUint32(44, true);
  const offsets = new Map<number, number>();
  const count = Math.min(view.getUint32(section + 4, true), 100);
  for (let i = 0; i < count; i++) {
    offsets.set(
      view.getUint32(section + 8 + 8 * i, true),
      section + view.getUint32(section + 12 + 8 * i, true),
    );
  }
  const page = offsets.get(ID.codePage);
  const decoder = decoderOf(page === undefined ? 1252 : view.getUint16(page + 4, true));
  const text = (id: number): string => {
    const at = offsets.get(id);
    if (at === undefined) return "";
    const size = view.getUint32(at + 4, true);
    const type = view.getUint16(at, true);
    if (type !== 0x1e && type !== 0x1f) return "";
    const bytes = stream.subarray(at + 8, at + 8 + Math.min(type === 0x1f ? 2 * size : size, 10_000));
    const decoded = (type === 0x1f ? new TextDecoder("utf-16le") : decoder).decode(bytes);
    return decoded.split("\0", 1)[0]!.trim();
  };
  const time = (id: number): string | undefined => {
    const at = offsets.get(id);
    if (at === undefined || view.getUint16(at, true) !== 0x40) return undefined;
    const date = fileTimeDate(view.getBigUint64(at + 4, true));
    return date !== undefined && date > "1971" ? date : undefined;
  };
  const [title, author] = [text(ID.title), text(ID.author)];
  const created = time(ID.created);
  const date = time(ID.saved) ?? created;
  const tags = text(ID.keywords).split(/[,;，；、]/).map((tag) => tag.trim()).filter((tag) => tag !== "");
  return {
    ...(title === "" ? {} : { title }),
    metadata: {
      ...(author === "" ? {} : { author }),
      ...(date === undefined ? {} : { date }),
      ...(created === undefined ? {} : { created }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  };
}

function decoderOf(page: number): TextDecoder {
  return new TextDecoder(codePageLabel(page) ?? "windows-1252");
}

/** Returns the date of a Windows FILETIME (units of 100 ns since 1601) in ISO 8601; `undefined` if it is out of range. */
export function fileTimeDate(fileTime: bigint): string | undefined {
  const date = new Date(Number(fileTime / 10_000n) - EPOCH);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/\.\d+Z$/, "Z");
}
