import { assemble, type Forger, partsOf, placesIn, seal, sparse, writeHeader } from "../layout.ts";
import type { Random } from "../random.ts";
import type { Damage, Kind, Sound } from "../types.ts";
import { forgedJson } from "./forged_json.ts";

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
