import { joinedBytes } from "#documents/mod.ts";
import * as fc from "fast-check";
import { unzipSync, zipSync } from "fflate";

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes that confuse parsers: signs of the formats, numbers at their limits, broken characters. */
const TOKENS = [
  ...`< > &#0; &amp </ <!-- ]]> <![CDATA[ { } [ ] " ' \\ \\u0 =? ?= obj endobj stream << >> /Kids -- %`.split(
    " ",
  ),
  ...`{\\* \\bin9 # -1 0 65536 4294967295 9007199254740993 1e999 NaN 中 🎉 é`.split(" "),
  ...["\r", "\n", "\r\n\r\n", "\t", "0 R", "\0", "\ufeff"],
].map((token) => new TextEncoder().encode(token)).concat([
  Uint8Array.of(0xff, 0xff, 0xff, 0xff),
  Uint8Array.of(0, 0, 0, 0x80),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xff, 0xfe),
  new Uint8Array(512),
]);

const at = fc.nat(0xffff);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at, bits: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("insert" as const), at, bytes: fc.constantFrom(...TOKENS) }),
  fc.record({ kind: fc.constant("replace" as const), at, bytes: fc.constantFrom(...TOKENS) }),
  fc.record({
    kind: fc.constant("repeat" as const),
    at,
    length: fc.nat(64),
    times: fc.integer({ min: 2, max: 40 }),
  }),
  fc.record({ kind: fc.constant("remove" as const), at, length: fc.nat(64) }),
  fc.record({ kind: fc.constant("move" as const), at, length: fc.nat(64), to: at }),
  fc.record({ kind: fc.constant("cut" as const), at }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** Changes to a few places of some bytes. A part of a ZIP archive may be changed before it is packed. */
export interface Mutation {
  readonly edits: readonly Edit[];
  /** Number of the part of an archive; `undefined` changes the archive itself. */
  readonly part?: number | undefined;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
  part: fc.option(fc.nat(20), { nil: undefined, freq: 4 }),
});

/** Returns a changed copy of `sample`. */
export function mutated(sample: Bytes, { edits, part }: Mutation): Bytes {
  const isArchive = sample[0] === 0x50 && sample[1] === 0x4b && sample[2] === 3;
  if (!isArchive || part === undefined) return changed(sample, edits);
  const parts = unzipSync(sample) as Record<string, Bytes>;
  const names = Object.keys(parts);
  const name = names[part % names.length]!;
  return zipSync({ ...parts, [name]: changed(parts[name]!, edits) }, { level: 0 });
}

function changed(sample: Bytes, edits: readonly Edit[]): Bytes {
  return edits.reduce((bytes, edit) => applied(bytes, edit), sample.slice());
}

function applied(bytes: Bytes, edit: Edit): Bytes {
  const at = edit.at % (bytes.length + 1);
  switch (edit.kind) {
    case "flip":
      if (at < bytes.length) bytes[at]! ^= edit.bits;
      return bytes;
    case "insert":
      return joined(bytes.subarray(0, at), edit.bytes, bytes.subarray(at));
    case "replace":
      return joined(bytes.subarray(0, at), edit.bytes, bytes.subarray(at + edit.bytes.length));
    case "repeat": {
      const piece = bytes.subarray(at, at + edit.length);
      return joined(bytes.subarray(0, at), ...Array<Bytes>(edit.times).fill(piece), bytes.subarray(at));
    }
    case "remove":
      return joined(bytes.subarray(0, at), bytes.subarray(at + edit.length));
    case "move": {
      const left = joined(bytes.subarray(0, at), bytes.subarray(at + edit.length));
      const to = edit.to % (left.length + 1);
      return joined(left.subarray(0, to), bytes.subarray(at, at + edit.length), left.subarray(to));
    }
    case "cut":
      return bytes.slice(0, at);
  }
}

const joined = (...parts: readonly Uint8Array[]): Bytes => joinedBytes(parts);
