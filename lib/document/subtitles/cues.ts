/** A piece of speech with its time. */
export interface Cue {
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
export function readTimedCues(lines: readonly string[]): Cue[] {
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
    const speaker = /<v(?:\.[^\s>]*)?\s+([^>]{1,100})>/.exec(text.join(" "))?.[1]?.trim() ?? "";
    cues.push({
      start: seconds(timing[1]!),
      end: seconds(timing[2]!),
      speaker,
      lines: text.map(plain).filter((line) => line !== ""),
    });
  }
  return cues;
}

/** Reads the dialogue of SubStation Alpha (`.ass`, `.ssa`). */
export function readDialogue(lines: readonly string[]): Cue[] {
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
export function readLyrics(lines: readonly string[]): Cue[] {
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
