/** Changes of bytes without corrected checksums: flipped, zeroed, exchanged, cut short, before or while the index is open. */
import { placesIn } from "./layout.ts";
import type { Random } from "../random.ts";
import type { Kind, Sound } from "./arena.ts";

const PAGE = 4096;

/** Sections that are not read completely when an index is opened. They get more tries. */
const BY_RANGE: ReadonlySet<string> = new Set(["texts", "postings", "skips", "words"]);

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Returns changes of bytes without corrected checksums, as a failing disk makes them, or an attacker who does not know the
 * format.
 */
export function changedKinds({ honest }: Sound): Kind[] {
  const anywhere: [string, (bytes: Bytes, random: Random) => Bytes][] = [
    ["1 bit", (bytes, random) => flip(bytes, random, 1, true)],
    ["2 bits", (bytes, random) => flip(bytes, random, 2, true)],
    ["3 bits", (bytes, random) => flip(bytes, random, 3, true)],
    ["1 byte", (bytes, random) => flip(bytes, random, 1)],
    ["2 bytes", (bytes, random) => flip(bytes, random, 2)],
    ["3 bytes", (bytes, random) => flip(bytes, random, 3)],
    // These two bytes once removed a hit from a small index.
    ["two known bytes", (bytes) => {
      bytes[200_988 % bytes.length]! ^= 156;
      bytes[181_048 % bytes.length]! ^= 69;
      return bytes;
    }],
  ];
  const sections = placesIn(honest).filter(({ length }) => length > 0);
  const inSection = sections.map(({ name, offset, length }): typeof anywhere[number] => [
    `section ${name}`,
    (bytes, random) => flip(bytes, random, 1 + random.below(3), false, offset, length),
  ]);
  const ofRanges = sections.filter(({ name }) => BY_RANGE.has(name)).flatMap(({ name, offset, length }) =>
    [1, 2, 3].map((count): typeof anywhere[number] => [
      `section ${name}, ${count} byte${count === 1 ? "" : "s"}`,
      (bytes, random) => flip(bytes, random, count, false, offset, length),
    ])
  );
  const flipped = [...anywhere, ...ofRanges, ...inSection];
  const zeroed: typeof anywhere = [
    ["1 page", (bytes, random) => zero(bytes, random, 1)],
    ["3 pages", (bytes, random) => zero(bytes, random, 3)],
    ["page of texts", (bytes, random) => {
      const { offset, length } = sections.find(({ name }) => name === "texts")!;
      const from = offset + random.below(Math.ceil(length / PAGE)) * PAGE;
      return bytes.fill(0, from, Math.min(from + PAGE, offset + length));
    }],
    ["two pages exchanged", exchange],
    ["cut short", (bytes, random) => bytes.slice(0, random.below(bytes.length))],
    ["cut short by 1 byte", (bytes) => bytes.slice(0, -1)],
    ["end zeroed", (bytes, random) => bytes.fill(0, random.below(bytes.length))],
    ["empty", () => new Uint8Array()],
    ["one byte too long", (bytes) => new Uint8Array([...bytes, 0])],
  ];
  const inPlace = flipped.concat(zeroed.slice(0, 4)).concat(zeroed.slice(4, 7));
  return [
    ...flipped.map(([what, change]) => kind(`flipped: ${what}`, change)),
    ...zeroed.map(([what, change]) => kind(`zeroed: ${what}`, change)),
    ...inPlace.map(([what, change]) => ({ ...kind(`in place: ${what}`, change), inPlace: true })),
  ];
}

function kind(name: string, change: (bytes: Bytes, random: Random) => Bytes): Kind {
  return { name, damage: ({ honest }, random) => ({ bytes: change(honest.slice(), random) }) };
}

function flip(
  bytes: Bytes,
  random: Random,
  count: number,
  bit = false,
  from = 0,
  length = bytes.length,
): Bytes {
  for (let i = 0; i < count; i++) {
    const at = from + random.below(length);
    bytes[at]! ^= bit ? 1 << random.below(8) : 1 + random.below(255);
  }
  return bytes;
}

function zero(bytes: Bytes, random: Random, count: number): Bytes {
  for (let i = 0; i < count; i++) {
    const from = pageOf(bytes, random);
    bytes.fill(0, from, from + PAGE);
  }
  return bytes;
}

function exchange(bytes: Bytes, random: Random): Bytes {
  const [one, other] = [pageOf(bytes, random), pageOf(bytes, random)];
  const kept = bytes.slice(one, one + PAGE);
  bytes.copyWithin(one, other, other + PAGE);
  bytes.set(kept, other);
  return bytes;
}

/** Returns the range of a whole page of the file. */
function pageOf(bytes: Bytes, random: Random): number {
  return random.below(Math.floor(bytes.length / PAGE)) * PAGE;
}
