import { lineEnd, SpanOutline, trimBlanks } from "./outline.ts";
import type { Document } from "../types.ts";

/** Largest distance of a time from the start of its line, in UTF-16 units. */
const REACH = 120;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ISO = /(\d{4})[-\/.](\d{1,2})[-\/.](\d{1,2})(?:[T\s,_-]+(\d{1,2}):\d{2})?/;
const APACHE = /(\d{1,2})\/(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\/(\d{4}):(\d{2}):\d{2}/;
const SYSLOG =
  /^\W{0,3}(?:<\d+>)?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,?\s*(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+(\d{1,2})\s+(\d{2}):\d{2}:\d{2}/;
const GLOG = /^[IWEF](\d{2})(\d{2})\s+(\d{2}):\d{2}:\d{2}/;
const TIME = /^\W{0,3}(\d{2}):\d{2}:\d{2}/;
/** An entry of at least this many lines gets a section: a message with its stack trace. */
const LEAST_TRACE = 3;
const TITLE_LENGTH = 100;

/** The parts of the time that an entry gives. */
interface Moment {
  /** `2024-05-01`, `05-01`. */
  readonly day?: string;
  /** `13:00`. */
  readonly hour?: string;
}

/**
 * Reads logs. Every hour is a section, `2024-05-01 13:00`, and in it every entry of several lines, named by its first line.
 * An entry extends to the next line with a time. Takes linear time.
 */
export function loadLog(text: string): Document {
  const outline = new SpanOutline(text);
  const traces = traceStarts(text);
  let day: string | undefined;
  let hour: string | undefined;
  let inHour = false;
  let inTrace = false;
  let contentEnd = 0;

  for (let start = 0; start < text.length;) {
    const newline = lineEnd(text, start);
    const end = trimBlanks(text, start, newline);
    const moment = momentOf(text.slice(start, Math.min(end, start + REACH)));
    if (moment !== undefined) {
      if (inTrace) outline.leave(contentEnd);
      inTrace = false;
      begin(moment, start);
      if (traces.has(start)) {
        // The first entry of an hour shares its line with the section of the hour, so it gets no section.
        inTrace = outline.enter(start, text.slice(start, Math.min(end, start + TITLE_LENGTH)));
      }
    }
    if (end > start) contentEnd = end;
    start = newline + 1;
  }
  while (outline.depth > 0) outline.leave(contentEnd);
  return { text, sections: outline.finish() };

  function begin(moment: Moment, start: number): void {
    const isNewDay = moment.day !== undefined && moment.day !== day;
    if (!isNewDay && (moment.hour === undefined || moment.hour === hour)) return;
    if (inHour) outline.leave(contentEnd);
    day = moment.day ?? day;
    hour = moment.hour;
    inHour = outline.enter(start, [day, hour].filter((part) => part !== undefined).join(" "));
  }
}

/** Returns the offsets of the entries that take several lines. */
function traceStarts(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  let entry = -1;
  let lines = 0;
  const end = () => {
    if (entry >= 0 && lines >= LEAST_TRACE && found.size < 50_000) found.add(entry);
  };
  for (let start = 0; start < text.length;) {
    const newline = lineEnd(text, start);
    if (momentOf(text.slice(start, Math.min(newline, start + REACH))) !== undefined) {
      end();
      entry = start;
      lines = 0;
    }
    if (newline > start) lines++;
    start = newline + 1;
  }
  end();
  return found;
}

/** Returns the time at the start of a line or near it; `undefined` for a line that continues the entry before. */
function momentOf(line: string): Moment | undefined {
  // An indented line belongs to the line above it.
  if (line === "" || /^\s/.test(line)) return undefined;
  const iso = ISO.exec(line);
  if (iso !== null && iso.index <= 40) {
    return moment(`${iso[1]}-${iso[2]!.padStart(2, "0")}-${iso[3]!.padStart(2, "0")}`, iso[4]);
  }
  const apache = APACHE.exec(line);
  if (apache !== null) {
    return moment(`${apache[3]}-${monthNumber(apache[2]!)}-${apache[1]!.padStart(2, "0")}`, apache[4]);
  }
  const syslog = SYSLOG.exec(line);
  if (syslog !== null) return moment(`${monthNumber(syslog[1]!)}-${syslog[2]!.padStart(2, "0")}`, syslog[3]);
  const glog = GLOG.exec(line);
  if (glog !== null) return moment(`${glog[1]}-${glog[2]}`, glog[3]);
  const time = TIME.exec(line);
  return time === null ? undefined : moment(undefined, time[1]);
}

function moment(day: string | undefined, hour: string | undefined): Moment {
  return {
    ...(day === undefined ? {} : { day }),
    ...(hour === undefined ? {} : { hour: `${hour.padStart(2, "0")}:00` }),
  };
}

function monthNumber(name: string): string {
  return `${MONTHS.indexOf(name.toLowerCase()) + 1}`.padStart(2, "0");
}

/** Returns whether most lines at the start of a text have a time. */
export function looksLikeLog(text: string): boolean {
  const lines = text.slice(0, 20_000).split("\n").slice(0, 60).filter((line) => line.trim() !== "");
  const timed = lines.filter((line) => momentOf(line.slice(0, REACH)) !== undefined).length;
  return lines.length >= 4 && timed * 2 > lines.length;
}
