/**
 * Loads documents of the word processor of Microsoft Works, which are named `.wps` as those of WPS Office are.
 * Works 2000 and newer keep the text as UTF-16 in a list of chunks, versions 2 to 4 in a code page of Windows.
 */
import { readStreams } from "../office/binary.ts";
import { readSummary } from "../office/properties.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { DocumentError, guarded, type Loader, viewOf } from "../types.ts";

/** Documents of Microsoft Works. */
export const loader: Loader = guarded((bytes) => {
  const streams = readStreams(bytes);
  const chunks = streams.get("contents");
  const old = streams.get("mn0");
  const text = chunks !== undefined ? chunkedText(chunks) : old === undefined ? undefined : oldText(old);
  if (text === undefined) {
    throw new DocumentError("unsupported", "it is a compound file but not a document of Works");
  }
  const builder = new MarkdownBuilder();
  for (const paragraph of text.split(/[\r\n\f]+/)) builder.paragraph(cleaned(paragraph));
  return builder.finish(readSummary(streams));
});

/** Returns a text without control characters, which stand for fields and pictures. */
function cleaned(text: string): string {
  // deno-lint-ignore no-control-regex -- these are meant
  return text.replace(/\v/g, "\n").replace(/[\x00-\x08\x0e-\x1f]/g, "");
}

const CHUNK = 24;
const MOST_LISTS = 1_000;

/** Returns the text in the chunks named `TEXT`. `undefined` if the stream is not of Works. */
function chunkedText(stream: Uint8Array): string | undefined {
  const name = (at: number, length: number) =>
    new TextDecoder("latin1").decode(stream.subarray(at, at + length));
  if (!name(0, 4).startsWith("CHNK")) return undefined;
  const view = viewOf(stream);
  const parts: string[] = [];
  const seen = new Set<number>();
  let left = stream.length;
  // Each list of chunks names the next one, after its count.
  for (let at = 24; at + 8 <= stream.length && !seen.has(at) && seen.size < MOST_LISTS;) {
    seen.add(at);
    const count = view.getUint16(at + 2, true);
    for (let i = 0; i < count && at + 8 + CHUNK * (i + 1) <= stream.length; i++) {
      const chunk = at + 8 + CHUNK * i;
      if (name(chunk + 2, 4) !== "TEXT") continue;
      const start = view.getUint32(chunk + 16, true);
      const length = Math.min(view.getUint32(chunk + 20, true), left);
      left -= length;
      parts.push(new TextDecoder("utf-16le").decode(stream.subarray(start, start + length)));
    }
    at = view.getUint32(at + 4, true);
  }
  return parts.join("\n");
}

/** Returns the text between the offsets in the header. */
function oldText(stream: Uint8Array): string {
  const view = viewOf(stream);
  const [start, end] = [view.getUint32(0x22, true), view.getUint32(0x26, true)];
  return new TextDecoder("windows-1252").decode(stream.subarray(start, end))
    // Marks that wizards leave at the start of a document.
    .replace(/^(?:ColorSet-\d+|ColorPos-\d+|StyleSet-\d+|StylePos-\d+)+/, "");
}
