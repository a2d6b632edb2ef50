import { decode } from "../../corpus/mod.ts";
import { UserError } from "../../errors.ts";
import type { FileName, Loader } from "../loader.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { type Cue, readDialogue, readLyrics, readTimedCues } from "./cues.ts";

/** Length of a pause in seconds after which a new paragraph begins. */
const PAUSE = 4;
/** Characters after which a paragraph ends with the next sentence. With twice as many it ends at once. */
const LONG = 300;

/** Subtitles (`.srt`, `.vtt`, `.ass`, `.ssa`) and timed lyrics (`.lrc`) as paragraphs, each with its start time. */
export const loader: Loader = { load: (bytes, file) => guarded(() => loadSubtitles(bytes, file)) };

async function loadSubtitles(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
  const lines = (await textOf(bytes, file.encoding)).split(/\r\n|[\r\n]/);
  const cues = [readTimedCues, readDialogue, readLyrics].map((read) => read(lines)).find((found) =>
    found.length > 0
  );
  const builder = new MarkdownBuilder();
  if (cues === undefined) {
    for (const paragraph of lines.join("\n").split(/\n\s*\n/)) builder.paragraph(paragraph);
  } else {
    let number = 0;
    for (const { time, text } of paragraphs(cues)) {
      builder.page(++number, "time", time);
      builder.paragraph(`[${time}] ${text}`);
    }
  }
  const title = /^(?:\[ti:(.*)\]|Title:(.*))$/im.exec(lines.slice(0, 40).join("\n"));
  return builder.finish({ title: (title?.[1] ?? title?.[2])?.trim() });
}

async function textOf(bytes: Uint8Array, encoding: string | undefined): Promise<string> {
  try {
    return (await decode(bytes, encoding)).text;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new DocumentError("unsupported", "its encoding is not recognised", { cause: error });
  }
}

/**
 * Yields the cues joined to paragraphs. A cue ends when the screen is full, so a sentence can only be found after it is
 * joined.
 */
function* paragraphs(cues: readonly Cue[]): Generator<{ time: string; text: string }, void, undefined> {
  const withHours = cues.some(({ start }) => start >= 3600);
  let open: { start: number; end: number; speaker: string; text: string } | undefined;
  let shown: readonly string[] = [];
  const write = () => ({
    time: clock(open!.start, withHours),
    text: `${open!.speaker === "" ? "" : `${open!.speaker}: `}${open!.text}`,
  });
  for (const { start, end, speaker, lines } of cues) {
    // Live captions repeat lines while they scroll up.
    const fresh = lines.filter((line) => !shown.includes(line));
    shown = lines;
    if (fresh.length === 0) continue;
    const isNext = open === undefined || speaker !== open.speaker || start - open.end > PAUSE ||
      (open.text.length > LONG && /[.!?。！？…"”]$/.test(open.text)) || open.text.length > 2 * LONG;
    if (isNext) {
      if (open !== undefined) yield write();
      open = { start, end, speaker, text: fresh.join(" ") };
    } else open = { ...open!, end: Math.max(end, open!.end), text: `${open!.text} ${fresh.join(" ")}` };
  }
  if (open !== undefined) yield write();
}

function clock(seconds: number, withHours: boolean): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = `${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  return withHours ? `${two(seconds / 3600)}:${rest}` : rest;
}
