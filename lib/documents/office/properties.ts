/**
 * Title and metadata in the property sets of old binary files (MS-OLEPS).
 */
import { codePageLabel, fileTimeDate } from "./binary.ts";
import { type Described, described } from "../metadata.ts";
import { viewOf } from "../types.ts";

/** Names of properties by their identifiers (MS-OLEPS), in the summary and in the document's summary. */
const SUMMARY: Readonly<Record<number, string>> = {
  2: "title",
  3: "subject",
  4: "author",
  5: "keywords",
  6: "description",
  12: "created",
  13: "modified",
};
const DOCUMENT_SUMMARY: Readonly<Record<number, string>> = { 2: "category", 14: "manager", 15: "company" };
const CODE_PAGE = 1;
/** Returns title and metadata in the property sets of a compound file's streams. Those that are broken are left out. */
export function readSummary(streams: ReadonlyMap<string, Uint8Array>): Described {
  const setsOf = (name: string) => {
    try {
      return propertySets(streams.get(name));
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  };
  const [summary = []] = setsOf("\x05summaryinformation");
  const [about = [], custom = []] = setsOf("\x05documentsummaryinformation");
  const named = (set: PropertySet, names: Readonly<Record<number, string>>) =>
    set.flatMap(([id, value]) => Object.hasOwn(names, id) ? [[names[Number(id)]!, value] as const] : []);
  return described([
    ...named(summary, SUMMARY),
    ...named(about, DOCUMENT_SUMMARY),
    ...custom.flatMap(([name, value]) =>
      typeof name === "string" && !isInternal(name) ? [[name, value] as const] : []
    ),
  ]);
}

/** Properties by identifier, or by name if the user defined them. */
type PropertySet = (readonly [id: number | string, value: string | number | boolean])[];

/** Most properties of a set, and bytes of a text. */
const MOST_PROPERTIES = 200, MOST_BYTES = 10_000;

/** Returns the sets in a stream of properties: one, or two if the second has those of the user. */
function propertySets(stream: Uint8Array | undefined): PropertySet[] {
  if (stream === undefined || stream.length < 48) return [];
  const view = viewOf(stream);
  const count = Math.min(view.getUint32(24, true), 2);
  return Array.from({ length: count }, (_, i) => readSet(stream, view, view.getUint32(44 + 20 * i, true)));
}

function readSet(stream: Uint8Array, view: DataView, section: number): PropertySet {
  const offsets = new Map<number, number>();
  const count = Math.min(view.getUint32(section + 4, true), MOST_PROPERTIES);
  for (let i = 0; i < count; i++) {
    offsets.set(
      view.getUint32(section + 8 + 8 * i, true),
      section + view.getUint32(section + 12 + 8 * i, true),
    );
  }
  const page = offsets.get(CODE_PAGE);
  const codePage = page === undefined ? 1252 : view.getUint16(page + 4, true);
  const decoder = new TextDecoder(codePageLabel(codePage) ?? "windows-1252");
  const textAt = (at: number, bytes: number, label?: TextDecoder) =>
    (label ?? decoder).decode(stream.subarray(at, at + Math.min(bytes, MOST_BYTES))).split("\0", 1)[0]!
      .trim();
  const names = dictionary(view, offsets.get(0), codePage, textAt);
  const valueAt = (at: number): string | number | boolean | undefined => {
    switch (view.getUint16(at, true)) {
      case 0x1e:
        return textAt(at + 8, view.getUint32(at + 4, true));
      case 0x1f:
        return textAt(at + 8, 2 * view.getUint32(at + 4, true), new TextDecoder("utf-16le"));
      case 0x03:
        return view.getInt32(at + 4, true);
      case 0x05:
        return view.getFloat64(at + 4, true);
      case 0x0b:
        return view.getInt16(at + 4, true) !== 0;
      case 0x40: {
        const date = fileTimeDate(view.getBigUint64(at + 4, true));
        return date !== undefined && date > "1971" ? date : undefined;
      }
    }
    return undefined;
  };
  return [...offsets].flatMap(([id, at]) => {
    const value = id <= CODE_PAGE ? undefined : valueAt(at);
    return value === undefined ? [] : [[names.get(id) ?? id, value] as const];
  });
}

/** Returns the names that the user gave to properties, by identifier. */
function dictionary(
  view: DataView,
  at: number | undefined,
  codePage: number,
  textAt: (at: number, bytes: number, label?: TextDecoder) => string,
): Map<number, string> {
  const names = new Map<number, string>();
  if (at === undefined) return names;
  const count = Math.min(view.getUint32(at, true), MOST_PROPERTIES);
  const isWide = codePage === 1200;
  at += 4;
  for (let i = 0; i < count; i++) {
    const length = view.getUint32(at + 4, true) * (isWide ? 2 : 1);
    names.set(
      view.getUint32(at, true),
      textAt(at + 8, length, isWide ? new TextDecoder("utf-16le") : undefined),
    );
    at += 8 + length + (isWide ? -length & 3 : 0);
  }
  return names;
}

/** Returns whether a property is of use only to the program that wrote it. */
export function isInternal(name: string): boolean {
  return /^(?:_|MSIP_|KSO|ICV$|ContentTypeId$|Mendeley |ZOTERO_)/.test(name);
}
