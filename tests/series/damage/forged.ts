/** Indexes with correct checksums and wrong contents: numbers, offsets, headers, JSON, as an attacker makes them who knows the format. */
import type { Random } from "../random.ts";
import type { Damage, Kind, Sound } from "./arena.ts";
import { assemble, type Forger, partsOf, placesIn, seal, sparse, writeHeader } from "./layout.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Parts = Map<string, Bytes>;

const JSON_SECTIONS: ReadonlySet<string> = new Set(["meta", "files", "vector.meta"]);

/** Sections that contain offsets into another section, with the bytes of each number. */
const OFFSETS: Readonly<Record<string, 4 | 8>> = {
  "term.offsets": 4,
  "list.offsets": 4,
  "section.offsets": 4,
  "word.offsets": 8,
  "chunk.textAt": 8,
};

/** Returns indexes with correct checksums and wrong contents. */
export function forgedKinds(forger: Forger, { honest }: Sound): Kind[] {
  const isBelieved = forger.name === "with the key";
  const named = (what: string, damage: Kind["damage"]): Kind => ({
    name: `forged ${forger.name}: ${what}`,
    isBelieved,
    damage,
  });
  /** Returns a kind that changes the contents of sections. */
  const parts = (what: string, change: (parts: Parts, random: Random) => void) =>
    named(what, ({ honest }, random) => {
      const all = partsOf(honest);
      change(all, random);
      return { bytes: assemble(all, forger) };
    });
  /** Returns a kind that changes the header. */
  const header = (what: string, change: (bytes: Bytes) => Damage) =>
    named(what, ({ honest }) => {
      const { bytes, ...more } = change(honest.slice());
      return { bytes: seal(bytes, forger), ...more };
    });

  const names = placesIn(honest).map(({ name }) => name);
  const numeric = names.filter((name) => !JSON_SECTIONS.has(name));
  return [
    ...numeric.flatMap((name) =>
      [0x00, 0x80, 0xff].map((byte) =>
        parts(`${name} all 0x${byte.toString(16).padStart(2, "0")}`, (all) => void all.get(name)!.fill(byte))
      )
    ),
    ...numeric.map((name) =>
      parts(`${name} at random`, (all, random) => {
        const bytes = all.get(name)!;
        for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
      })
    ),
    ...names.flatMap((name) => [
      parts(`${name} missing`, (all) => void all.delete(name)),
      parts(`${name} empty`, (all) => void all.set(name, new Uint8Array())),
      parts(`${name} 8 bytes`, (all) => void all.set(name, all.get(name)!.slice(0, 8))),
      parts(`${name} half`, (all) => void all.set(name, all.get(name)!.slice(0, all.get(name)!.length >> 1))),
      parts(`${name} 3 bytes short`, (all) => void all.set(name, all.get(name)!.slice(0, -3))),
      parts(`${name} twice as long`, (all) => {
        const bytes = all.get(name)!;
        all.set(name, new Uint8Array([...bytes, ...bytes]));
      }),
    ]),
    ...Object.entries(OFFSETS).flatMap(([name, width]) => [
      parts(`${name} descending`, (all) => void numbers(all.get(name)!, width).reverse()),
      parts(`${name} out of range`, (all) => {
        const values = numbers(all.get(name)!, width);
        values.forEach((value, i) => values[i] = value + 2 ** 31);
      }),
      parts(`${name} out of order`, (all, random) => {
        const values = numbers(all.get(name)!, width);
        for (let i = 0; i < 8; i++) {
          values[random.below(values.length)] = values[random.below(values.length)]!;
        }
      }),
    ]),
    parts("word.offsets not a number", (all) => void numbers(all.get("word.offsets")!, 8).fill(NaN)),
    parts("term.slots without a free slot", (all) => {
      const slots = numbers(all.get("term.slots")!, 4);
      slots.forEach((slot, i) => slots[i] = slot === 0 ? 1 : slot);
    }),
    parts(
      "term.slots of terms that are not",
      (all) => void numbers(all.get("term.slots")!, 4).fill(0x7fffffff),
    ),
    parts("term.slots of 3", (all) => void all.set("term.slots", all.get("term.slots")!.slice(0, 12))),
    parts("list.df huge", (all) => void numbers(all.get("list.df")!, 4).fill(0x7fffffff)),
    parts("list.skip beyond the skips", (all) => void numbers(all.get("list.skip")!, 4).fill(0x7fffffff)),
    parts("chunk.file of no file", (all) => void numbers(all.get("chunk.file")!, 4).fill(9999)),
    parts("chunk.section of no section", (all) => void numbers(all.get("chunk.section")!, 4).fill(9999)),
    parts("chunk.textBytes huge", (all) => void numbers(all.get("chunk.textBytes")!, 4).fill(0xfffffff0)),
    parts("chunk.textAt negative", (all) => void numbers(all.get("chunk.textAt")!, 8).fill(-1)),
    parts("list.max endless", (all) => void new Float32Array(all.get("list.max")!.buffer).fill(Infinity)),
    parts(
      "vector.scales endless",
      (all) => void new Float32Array(all.get("vector.scales")!.buffer).fill(Infinity),
    ),
    parts(
      "vector.scales not a number",
      (all) => void new Float32Array(all.get("vector.scales")!.buffer).fill(NaN),
    ),
    parts("section unknown", (all) => void all.set("unknown", new Uint8Array(100))),
    ...forgedJson(parts),

    header("no sections", (bytes) => ({ bytes: writeHeader(bytes, { count: 0 }) })),
    header("4 billion sections", (bytes) => ({ bytes: writeHeader(bytes, { count: 0xffffffff }) })),
    ...[NaN, -1, Infinity, 1e300, 0].flatMap((value) => [
      header(`block table at ${value}`, (bytes) => ({ bytes: writeHeader(bytes, { tableAt: value }) })),
      header(`size ${value}`, (bytes) => ({ bytes: writeHeader(bytes, { size: value }) })),
      header(`sections ${value} long`, (bytes) => ({
        bytes: writeHeader(bytes, {}, placesIn(bytes).map((place) => ({ ...place, length: value }))),
      })),
      header(`sections at ${value}`, (bytes) => ({
        bytes: writeHeader(bytes, {}, placesIn(bytes).map((place) => ({ ...place, offset: value }))),
      })),
    ]),
    header("sections in the same place", (bytes) => {
      const [first] = placesIn(bytes);
      return {
        bytes: writeHeader(bytes, {}, placesIn(bytes).map((place) => ({ ...place, offset: first!.offset }))),
      };
    }),
    header("sections of one name", (bytes) => ({
      bytes: writeHeader(bytes, {}, placesIn(bytes).map((place) => ({ ...place, name: "texts" }))),
    })),
    header("fractions of a byte", (bytes) => ({
      bytes: writeHeader(
        bytes,
        {},
        placesIn(bytes).map((place) => ({ ...place, offset: place.offset + 0.5 })),
      ),
    })),
    ...["postings", "texts", "files", "vectors", "chunk.file"].map((huge) =>
      header(`40 GB of ${huge} in a hole`, (bytes) => {
        const places = placesIn(bytes).map((place) =>
          place.name === huge ? { ...place, length: 40e9 - place.offset } : place
        );
        return { bytes: writeHeader(bytes, {}, places), size: sparse(bytes, 41e9) };
      })
    ),
    header("block table cut off", (bytes) => ({ bytes: bytes.slice(0, -16) })),
    header("block table over the sections", (bytes) => ({ bytes: writeHeader(bytes, { tableAt: 4096 }) })),
  ];
}

function numbers(bytes: Bytes, width: 4 | 8): Uint32Array | Float64Array {
  return width === 4
    ? new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
    : new Float64Array(bytes.buffer, 0, bytes.length >> 3);
}

// deno-lint-ignore no-explicit-any -- the tries use values of any shape
type Anything = any;

/** Wrong values for a section that contains JSON. */
const SHAPES: Readonly<Record<string, string>> = {
  "null": "null",
  "an empty list": "[]",
  "an empty object": "{}",
  "a number": "7",
  "a text": '"x"',
  "a list of nothing": "[null]",
  "a list of texts": '["a","b"]',
  "no JSON": "{",
  "deep": "[".repeat(100_000) + "]".repeat(100_000),
  "of __proto__": '{"__proto__":{"length":9},"length":9}',
};

/** Paths that no file of a folder has. */
const PATHS: Readonly<Record<string, unknown>> = {
  "up": "../../../../etc/passwd",
  "absolute": "/etc/passwd",
  "of a drive": "C:\\Windows\\win.ini",
  "with NUL": "en/\0faq.txt",
  "empty": "",
  "a dot": ".",
  "with empty parts": "en//faq.txt",
  "with a dot inside": "en/../../faq.txt",
  "1 MB long": "a".repeat(1 << 20),
  "a number": 7,
  "a list": ["en/faq.txt"],
  "missing": undefined,
  "turned": "\u202een/faq.txt",
};

/** Wrong values for the fields of a file's record. */
const FIELDS: readonly (readonly [field: string, value: unknown])[] = [
  ...["size", "mtimeMs", "firstChunk", "chunkCount"].flatMap((field) =>
    [-1, 0.5, 1e300, 9999, null, "7", undefined].map((value) => [field, value] as const)
  ),
  ["sha256", "../../x"],
  ["sha256", 7],
  ["status", "believed"],
  ["status", "failed"],
  ["reason", "__proto__"],
  ["detail", "x"],
  ["encoding", "no-such-encoding"],
];

/** Returns indexes with JSON of the wrong shape, hostile file paths, and wrong numbers. */
export function forgedJson(
  parts: (what: string, change: (parts: Parts, random: Random) => void) => Kind,
): Kind[] {
  const files = (what: string, change: (files: Anything[], random: Random) => unknown) =>
    parts(`files ${what}`, (all, random) => {
      const list = jsonIn<Anything[]>(all, "files");
      all.set("files", jsonPart(change(list, random) ?? list));
    });
  return [
    ...["meta", "files", "vector.meta"].flatMap((name) =>
      Object.entries(SHAPES).map(([shape, text]) =>
        parts(`${name} is ${shape}`, (all) => void all.set(name, jsonPart(text)))
      )
    ),
    ...Object.entries(PATHS).map(([what, path]) =>
      files(`with a path ${what}`, (list) => {
        for (const file of list) file.path = path;
      })
    ),
    ...FIELDS.map(([field, value]) =>
      files(`with ${field} ${JSON.stringify(value)}`, (list) => {
        for (const file of list) file[field] = value;
      })
    ),
    files("twice", (list) => [...list, ...list]),
    files("in another order", (list) => list.reverse()),
    files("of which one is missing", (list, random) => void list.splice(random.below(list.length), 1)),
    files("100,000 more", (list) => {
      const more = Array.from({ length: 100_000 }, (_, i) => ({ ...list[0], path: `x/${i}`, chunkCount: 0 }));
      return [...list, ...more];
    }),
    ...[["tokenizer", "x"], ["tokenizer", 999], ["settings", 7], ["program", null], ["indexedAt", "never"]]
      .map(([field, value]) =>
        parts(`meta with ${field} ${JSON.stringify(value)}`, (all) => {
          all.set("meta", jsonPart({ ...jsonIn<Anything>(all, "meta"), [field as string]: value }));
        })
      ),
    ...[
      ["dimensions", 1],
      ["dimensions", 16_384],
      ["dimensions", 1e9],
      ["model", "\u001b]0;x\u0007"],
      ["model", "openai/x"],
      ["exact", true],
    ]
      .map(([field, value]) =>
        parts(`vector.meta with ${field} ${JSON.stringify(value)}`, (all) => {
          all.set(
            "vector.meta",
            jsonPart({ ...jsonIn<Anything>(all, "vector.meta"), [field as string]: value }),
          );
        })
      ),
  ];
}

/** Parses a section that contains JSON. */
export function jsonIn<T>(parts: ReadonlyMap<string, Uint8Array>, name: string): T {
  return JSON.parse(new TextDecoder().decode(parts.get(name)!));
}

/** Returns a section with `value` as JSON. A string is written as it is. */
export function jsonPart(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
