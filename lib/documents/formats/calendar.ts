/**
 * Loads calendars (iCalendar, RFC 5545) and address books (vCard 2.1 to 4.0, RFC 6350), which consist of the same lines.
 * Names of properties stay as they are written; dates are written as people do as well. Below it: lines, their values, and
 * the two formats.
 */
import { bytesToText, decodeCharset } from "../decode.ts";
import { htmlLines } from "../html/lines.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { described } from "../metadata.ts";
import {
  type Document,
  DocumentError,
  type FileName,
  guarded,
  joined,
  type Loader,
  words,
} from "../types.ts";

/** Calendars: one section for each event, to-do and journal entry. */
export const loader: Loader = guarded(async (bytes, file) =>
  loadCalendar(await componentsOf(bytes, file, "VCALENDAR"))
);

/** Address books: one section for each person. */
export const contactsLoader: Loader = guarded(async (bytes, file) =>
  loadContacts(await componentsOf(bytes, file, "VCARD"))
);

/** A property of a component. */
interface Property {
  /** In upper case, without its group. */
  readonly name: string;
  /** Properties of one group belong together. */
  readonly group: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Decoded, with its escapes. */
  readonly value: string;
}

/** The properties and components between `BEGIN` and `END`. */
interface Component {
  readonly kind: string;
  readonly properties: Property[];
  readonly children: Component[];
}

/** Deepest nesting of components. Calendars have three levels. */
const DEEPEST = 20;

/** Returns the outermost components of a kind. Those that the end of the file cuts off count too. */
async function componentsOf(bytes: Uint8Array, file: FileName, kind: string): Promise<Component[]> {
  const { text } = await bytesToText(unfolded(bytes), file);
  const open: Component[] = [{ kind: "", properties: [], children: [] }];
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|[\r\n]/);
  for (let i = 0; i < lines.length; i++) {
    const [head, start] = headOf(lines[i]!);
    if (head.name === "") continue;
    const parts = [lines[i]!.slice(start)];
    const isQuoted = head.parameters.some(([, value]) => /^quoted-printable$/i.test(value));
    while (isQuoted && parts.at(-1)!.endsWith("=") && i + 1 < lines.length) {
      parts[parts.length - 1] = parts.at(-1)!.slice(0, -1);
      parts.push(lines[++i]!);
    }
    const written = parts.join("");
    if (head.name === "BEGIN") {
      if (open.length > DEEPEST) throw new DocumentError("too_complex", "the components are nested too deep");
      const component = { kind: written.trim().toUpperCase(), properties: [], children: [] };
      open.at(-1)!.children.push(component);
      open.push(component);
    } else if (head.name === "END") {
      const at = open.findLastIndex((one) => one.kind === written.trim().toUpperCase());
      if (at > 0) open.length = at;
    } else {
      open.at(-1)!.properties.push({ ...head, value: isQuoted ? await fromQuoted(written, head) : written });
    }
  }
  const found = open[0]!.children.filter((one) => one.kind === kind);
  // Programs that copy an event may leave out the calendar around it.
  const isBare = kind === "VCALENDAR" &&
    open[0]!.children.some((one) => ENTRIES.has(one.kind) && one.properties.length > 0);
  if (found.length === 0 && isBare) return [open[0]!];
  if (found.length === 0) throw new DocumentError("damaged", `the file has no ${kind}`);
  return found;
}

/** Joins lines that were cut, perhaps within a character: the next line begins with a blank. Some programs add empty lines. */
function unfolded(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  const [tab, lineFeed, carriageReturn, blank] = [9, 10, 13, 32];
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let next = i;
    while (bytes[next] === lineFeed || bytes[next] === carriageReturn) next++;
    if (next > i && (bytes[next] === blank || bytes[next] === tab)) i = next;
    else {
      // The line ends are copied at once, so that each is examined once.
      do out[length++] = bytes[i]!; while (++i < next);
      i--;
    }
  }
  return out.subarray(0, length);
}

const LONGEST_HEAD = 5_000;

/** Reads name and parameters of a line, and where its value begins. The name is empty if it has no value. */
function headOf(line: string): [head: Omit<Property, "value">, start: number] {
  const none = { name: "", group: "", parameters: [] };
  let quoted = false;
  let end = -1;
  const cuts: number[] = [];
  for (let i = 0; i < Math.min(line.length, LONGEST_HEAD) && end < 0; i++) {
    const char = line[i];
    if (char === '"') quoted = !quoted;
    else if (!quoted && char === ";") cuts.push(i);
    else if (!quoted && char === ":") end = i;
  }
  if (end < 0) return [none, 0];
  const [first, ...rest] = [...cuts, end].map((at, i) => line.slice(i === 0 ? 0 : cuts[i - 1]! + 1, at));
  const match = /^(?:([\w-]+)\.)?([\w-]+)$/.exec(first!.trim());
  if (match === null) return [none, 0];
  const parameters = rest.map((part) => {
    const at = part.indexOf("=");
    // vCard 2.1 leaves out the name of a type.
    return at < 0
      ? ["TYPE", part] as const
      : [part.slice(0, at).trim().toUpperCase(), part.slice(at + 1).replaceAll('"', "")] as const;
  });
  return [{ name: match[2]!.toUpperCase(), group: match[1] ?? "", parameters }, end + 1];
}

async function fromQuoted(value: string, { parameters }: Omit<Property, "value">): Promise<string> {
  const bytes: number[] = [];
  const utf8 = new TextEncoder();
  for (const [part] of value.matchAll(/=[0-9a-f]{2}|=|[^=]+/gi)) {
    if (part.length === 3 && part[0] === "=") bytes.push(Number.parseInt(part.slice(1), 16));
    else for (const byte of utf8.encode(part)) bytes.push(byte);
  }
  return await decodeCharset(Uint8Array.from(bytes), parameter(parameters, "CHARSET"));
}

function parameter(parameters: Property["parameters"], name: string): string {
  return parameters.find(([key]) => key === name)?.[1] ?? "";
}

/** Returns a text value without its escapes. */
function plain(value: string): string {
  return value.replace(/\\([\\;,:"nN])/g, (_, char: string) => /n/i.test(char) ? "\n" : char)
    .replace(/\r\n?/g, "\n").trim();
}

/** Matches a date of the basic form of ISO 8601, perhaps with a time, and of UTC or at a distance from it. */
const DATE = /(?<![\w-])(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d(?::?\d\d)?)?)?(?![\w-])/g;

/** Returns dates as people write them, with their zone and the written form: `2024-05-20 10:00 (Asia/Shanghai, 20240520T100000)`. */
function withDates(value: string, zone: string): string {
  return value.replace(DATE, (written, year, month, day, hour, minute, second, offset) => {
    if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return written;
    const seconds = second === undefined || second === "00" ? "" : `:${second}`;
    const time = hour === undefined ? "" : ` ${hour}:${minute}${seconds}`;
    const place = offset === "Z" ? "UTC" : offset ?? zone;
    return `${year}-${month}-${day}${time} (${place === "" ? "" : `${place}, `}${written})`;
  });
}

/** Returns the parts of a structured value, which semicolons separate. */
function partsOf(value: string): string[] {
  return (value.match(/(?:\\.|[^\\;])+|;/gs) ?? []).filter((part) => part !== ";").map(plain).filter((part) =>
    part !== ""
  );
}

function first({ properties }: Component, name: string): string {
  return plain(properties.find((one) => one.name === name)?.value ?? "");
}

function tagsOf(components: readonly Component[]): string[] {
  const lists = components.flatMap(({ properties }) =>
    properties.filter(({ name }) => name === "CATEGORIES")
  );
  return [...new Set(lists.flatMap(({ value }) => value.split(/(?<!\\),/).map(plain)))];
}

// Calendars

const ENTRIES = words("VEVENT VTODO VJOURNAL VFREEBUSY VAVAILABILITY");
/** Properties that are shown, in this order. Others are for programs. */
const SHOWN = [
  ..."DTSTART DTEND DUE DURATION RECURRENCE-ID RRULE RDATE EXDATE FREEBUSY STATUS PERCENT-COMPLETE COMPLETED LOCATION URL"
    .split(" "),
  ..."CONFERENCE ORGANIZER ATTENDEE CONTACT CATEGORIES RESOURCES ATTACH DESCRIPTION COMMENT".split(" "),
];

function loadCalendar(calendars: readonly Component[]): Document {
  const builder = new MarkdownBuilder();
  const entries: Component[] = [];
  for (const calendar of calendars) {
    const name = first(calendar, "X-WR-CALNAME") || first(calendar, "NAME");
    builder.heading(1, name);
    builder.paragraph(first(calendar, "X-WR-CALDESC") || first(calendar, "DESCRIPTION"));
    for (const entry of calendar.children.filter(({ kind }) => ENTRIES.has(kind))) {
      entries.push(entry);
      writeEntry(entry, builder, name === "" ? 1 : 2);
    }
  }
  const [entry, ...others] = entries;
  const isAlone = entry !== undefined && others.length === 0;
  return builder.finish(described([
    ["tags", tagsOf(entries)],
    ...(isAlone
      ? [["created", first(entry, "CREATED")], ["modified", first(entry, "LAST-MODIFIED")]] as const
      : []),
  ]));
}

function writeEntry(entry: Component, builder: MarkdownBuilder, level: number): void {
  const title = first(entry, "SUMMARY");
  builder.heading(level, title);
  const lines = SHOWN.flatMap((name) =>
    entry.properties.filter((one) => one.name === name).map((one) => [name, shownValue(one)] as const)
  ).filter(([name, value]) => value !== "" && !(name === "STATUS" && value === "CONFIRMED"));
  // Outlook repeats the description in HTML, and some programs write only that.
  if (!lines.some(([name]) => name === "DESCRIPTION")) {
    const html = htmlLines(first(entry, "X-ALT-DESC")).join("\n");
    if (html !== "") lines.push(["DESCRIPTION", html]);
  }
  builder.paragraph([entry.kind, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\n"));
}

/** Properties whose values are dates, or lists and periods of dates. */
const DATED = words("DTSTART DTEND DUE RECURRENCE-ID RDATE EXDATE FREEBUSY COMPLETED");
const HTML = /<(?:a|b|br|div|html|i|li|ol|p|span|strong|u|ul)(?:\s[^<>]{0,500})?\/?>/i;

function shownValue({ name, value, parameters }: Property): string {
  const of = (name: string) => parameter(parameters, name);
  if (of("ENCODING") !== "" && /base64/i.test(of("ENCODING")) || /^data:/i.test(value)) return "";
  if (name === "RRULE") return withDates(plain(value), "");
  if (DATED.has(name)) return withDates(plain(value).replaceAll(",", ", "), of("TZID"));
  const shown = plain(value.replace(/^mailto:/i, ""));
  if (name === "DESCRIPTION") {
    return HTML.test(shown) ? htmlLines(shown.replaceAll("\n", "<br>")).join("\n") : shown;
  }
  // Calendars of Apple name people by a path.
  const [person, mail] = [of("CN"), /^mailto:/i.test(value) ? shown : of("EMAIL") || shown];
  return person !== "" && person !== mail ? `${person} <${mail}>` : mail;
}

// Address books

/** Properties for programs, and those that are pictures, sounds and keys. */
const HIDDEN = words(
  "VERSION PRODID UID REV PHOTO LOGO SOUND KEY N FN AGENT X-ABLABEL X-ABADR X-ABUID XML CLIENTPIDMAP SOURCE CALURI MAILER",
);
const LONGEST_X = 300;

function loadContacts(outermost: readonly Component[]): Document {
  const builder = new MarkdownBuilder();
  const cards = outermost.flatMap(withAgents);
  for (const card of cards) {
    const full = first(card, "FN");
    const parts = partsOf(card.properties.find(({ name }) => name === "N")?.value ?? "");
    const title = full || nameOf(parts) || first(card, "ORG").replace(/;+/g, " ") || first(card, "EMAIL");
    builder.heading(1, title);
    const hasAddress = card.properties.some(({ name }) => name === "ADR");
    const labels = new Map(
      card.properties.filter(({ name }) => name === "X-ABLABEL").map(({ group, value }) => [group, value]),
    );
    const lines = card.properties.filter((one) => isShown(one, hasAddress)).map((one) =>
      contactLine(one, labels)
    );
    builder.paragraph([parts.length < 2 ? "" : `N: ${parts.join(" ")}`, ...lines].join("\n"));
  }
  const [card, ...others] = cards;
  return builder.finish(described([
    ["tags", tagsOf(cards)],
    ["modified", others.length === 0 ? first(card!, "REV") : undefined],
  ]));
}

/** Returns a card and those of the agents in it. */
function withAgents(card: Component): Component[] {
  return [card, ...card.children.filter(({ kind }) => kind === card.kind).flatMap(withAgents)];
}

/** Returns the name of a person: family name first in Chinese, and last in other languages. */
function nameOf(parts: readonly string[]): string {
  const [family = "", ...given] = parts;
  return /^\p{Script=Han}/u.test(family) ? parts.join("") : joined([...given, family], " ");
}

function isShown({ name, value, parameters }: Property, hasAddress: boolean): boolean {
  // How a name is pronounced, in Japanese cards.
  const isSpoken = name === "SOUND" && parameters.some(([, type]) => /^X-IRMC-N$/i.test(type));
  if (HIDDEN.has(name) && !isSpoken || value.trim() === "") return false;
  // The address as it is printed on a letter.
  if (name === "LABEL") return !hasAddress;
  if (/^(?:b|base64)$/i.test(parameter(parameters, "ENCODING")) || /^data:/i.test(value)) return false;
  return !name.startsWith("X-") || value.length <= LONGEST_X && !/^\s*[<{]/.test(value);
}

function contactLine(
  { name, group, value, parameters }: Property,
  labels: ReadonlyMap<string, string>,
): string {
  const label = group === "" ? undefined : labels.get(group);
  const types = parameters.filter(([key]) => key === "TYPE").flatMap(([, type]) => type.split(","))
    .filter((type) => !/^(?:pref|internet|voice|x-.*|quoted-printable|base64|8bit|7bit)$/i.test(type.trim()));
  const shown = label === undefined ? types.join(", ") : plain(label).replace(/^_?\$!<(.*)>!\$_?$/, "$1");
  const text = /^(?:ADR|ORG)$/.test(name)
    ? partsOf(value).join(", ").replace(/\s*\n\s*/g, ", ")
    : /^BDAY|ANNIVERSARY|DATE/.test(name)
    ? withDates(plain(value), "")
    : /^(?:SOUND|X-ANDROID-CUSTOM)$/.test(name)
    ? partsOf(value).filter((part) => /[^\d]/.test(part)).join(" ")
    : plain(value);
  return `${name}${shown === "" ? "" : ` (${shown})`}: ${text}`;
}
