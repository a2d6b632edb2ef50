/**
 * Loads subtitles and timed lyrics as paragraphs with their times.
 * Below it: the cues of SubRip, WebVTT, SubStation Alpha and LRC.
 */
import { decode } from "../encoding.ts";
import { guarded, type Loader } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";

/** Length of a pause in seconds after which a new paragraph begins. */
const PAUSE = 4;
/** Characters after which a paragraph ends with the next sentence. With twice as many it ends at once. */
const LONG = 300;
/** Seconds after which the text says the time again. Times between the words of a dialogue break its phrases. */
const TIMED = 60;

/**
 * Subtitles (`.srt`, `.vtt`, `.ass`, `.ssa`) and timed lyrics (`.lrc`) as paragraphs. The start time of each is the label of
 * its page; the text says it once a minute.
 */
export const loader: Loader = guarded(async (bytes, file) => {
  const lines = (await decode(bytes, file.encoding)).text.split(/\r\n|[\r\n]/);
  const cues = [readTimedCues, readDialogue, readLyrics].map((read) => read(lines)).find((found) =>
    found.length > 0
  );
  const builder = new MarkdownBuilder();
  if (cues === undefined) {
    for (const paragraph of lines.join("\n").split(/\n\s*\n/)) builder.paragraph(paragraph);
  } else {
    let number = 0, said = -Infinity;
    for (const { start, time, text } of paragraphs(cues)) {
      builder.page(++number, "time", time);
      const isTimed = start - said >= TIMED;
      if (isTimed) said = start;
      builder.paragraph(isTimed ? `[${time}] ${text}` : text);
    }
  }
  const title = /^(?:\[ti:(.*)\]|Title:(.*))$/im.exec(lines.slice(0, 40).join("\n"));
  return builder.finish({ title: (title?.[1] ?? title?.[2])?.trim() });
});

/** Speech of one speaker without a pause. */
interface Paragraph {
  /** Seconds from the start, and the same as a clock shows it. */
  readonly start: number;
  readonly time: string;
  readonly text: string;
}

/**
 * Yields the cues joined to paragraphs. A cue ends when the screen is full, so a sentence can only be found after it is
 * joined.
 */
function* paragraphs(cues: readonly Cue[]): Generator<Paragraph, void, undefined> {
  const withHours = cues.some(({ start }) => start >= 3600);
  let open: { start: number; end: number; speaker: string; text: string } | undefined;
  let shown: readonly string[] = [];
  const write = () => ({
    start: open!.start,
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

/** A piece of speech with its time. */
interface Cue {
  /** Seconds from the start. */
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  readonly lines: readonly string[];
}

const TIMING =
  /^\s*((?:\d+:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)\s*-->\s*((?:\d+:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)/;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  quot: '"',
  lrm: "",
  rlm: "",
};

/** Reads the cues of SubRip and WebVTT: a line with times, lines of text, an empty line. */
function readTimedCues(lines: readonly string[]): Cue[] {
  const cues: Cue[] = [];
  for (let at = 0; at < lines.length; at++) {
    const timing = TIMING.exec(lines[at]!);
    if (timing === null) continue;
    const text: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]!.trim() !== "" && !TIMING.test(lines[at + 1]!)) {
      text.push(lines[++at]!);
    }
    // In files without empty lines, the number of the next cue precedes its times.
    if (TIMING.test(lines[at + 1] ?? "") && /^\d+$/.test(text.at(-1) ?? "")) text.pop();
    const [start, end] = [seconds(timing[1]!), seconds(timing[2]!)];
    for (const { speaker, lines } of voices(text)) cues.push({ start, end, speaker, lines });
  }
  return cues;
}

/** Returns the lines of a cue by speaker. A voice span (`<v Ann>`) goes on until the next one begins. */
function voices(text: readonly string[]): Pick<Cue, "speaker" | "lines">[] {
  // Even parts are text, odd ones the names before them.
  const parts = text.join("\n").split(/<v(?:\.[^\s<>]{0,100})?\s+([^>]{1,100})>/);
  const found: { speaker: string; lines: string[] }[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const speaker = parts[i - 1]?.trim() ?? "";
    // A dash may stand before each name.
    const lines = parts[i]!.split("\n").map(plain).filter((line) => line !== "" && line !== "-");
    if (lines.length === 0) continue;
    if (found.at(-1)?.speaker === speaker) found.at(-1)!.lines.push(...lines);
    else found.push({ speaker, lines });
  }
  return found;
}

/** Reads the dialogue of SubStation Alpha (`.ass`, `.ssa`). */
function readDialogue(lines: readonly string[]): Cue[] {
  let fields = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"];
  let inEvents = false;
  const cues: Cue[] = [];
  for (const line of lines) {
    if (line.startsWith("[")) inEvents = /^\[events\]/i.test(line);
    if (!inEvents) continue;
    const format = /^Format:\s*(.*)$/i.exec(line)?.[1];
    if (format !== undefined) fields = format.toLowerCase().split(",").map((field) => field.trim());
    const values = /^Dialogue:\s*(.*)$/i.exec(line)?.[1]?.split(",");
    if (values === undefined) continue;
    const value = (name: string) => values[fields.indexOf(name)]?.trim() ?? "";
    const text = values.slice(fields.length - 1).join(",").replace(/\{[^}]*\}/g, "");
    cues.push({
      start: seconds(value("start")),
      end: seconds(value("end")),
      speaker: value("name"),
      lines: text.split(/\\[Nn]/).map((part) => part.replaceAll("\\h", " ").trim()).filter((part) =>
        part !== ""
      ),
    });
  }
  return cues.sort((a, b) => a.start - b.start);
}

/** Reads the lines of timed lyrics (`.lrc`). */
function readLyrics(lines: readonly string[]): Cue[] {
  const cues: Cue[] = [];
  for (const line of lines) {
    const stamps = /^(?:\s*\[\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?\])+/.exec(line)?.[0] ?? "";
    const text = line.slice(stamps.length).replace(/<\d+:\d+(?:\.\d+)?>/g, "").trim();
    if (text === "") continue;
    for (const [, stamp] of stamps.matchAll(/\[([^\]]+)\]/g)) {
      const start = seconds(stamp!.replace(/^(\d+:\d+):(\d+)$/, "$1.$2"));
      cues.push({ start, end: start, speaker: "", lines: [text] });
    }
  }
  return cues.sort((a, b) => a.start - b.start);
}

function plain(line: string): string {
  return line.replace(/<\/?[a-z0-9][^<>]*>/gi, "").replace(/\{\\[^{}]*\}/g, "")
    .replace(/&(\w{2,4});/g, (whole, name: string) => ENTITIES[name] ?? whole).replace(/\s+/g, " ").trim();
}

function seconds(time: string): number {
  const total = time.replace(",", ".").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number.isFinite(total) ? total : 0;
}
