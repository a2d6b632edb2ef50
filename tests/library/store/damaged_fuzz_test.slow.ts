/** However the bytes of an index are changed, each answer is exact, or the index is reported as damaged. */
import { equal, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { DamagedIndexError, ForeignIndexError } from "#engine/index/mod.ts";
import { assertFuzzed } from "../../_fuzz.ts";
import { ASKS, WORDS } from "./_asks.ts";
import { ready } from "./_contract.ts";
import { ModelledFolder } from "./_modelled_folder.ts";
import { STORES } from "./_stores.ts";
import { differences } from "./_near.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** The files of a data folder by name. */
type Files = ReadonlyMap<string, Bytes>;

const at = fc.nat(0xffffff);
const damage = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("flip" as const),
      places: fc.array(fc.tuple(at, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("zero" as const),
      at,
      length: fc.constantFrom(1, 64, 512, 4096),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cut" as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("extend" as const), length: fc.integer({ min: 1, max: 5000 }) }),
  },
  // a write that reached the disk only in part
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("torn" as const), at, state: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("other state" as const), state: fc.nat(3) }) },
);
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

// The store in a database has no files; `postgres/damaged_pages_test.ts` damages its pages.
for (const [kind, storeOf] of STORES) {
  Deno.test(`${kind}: with flipped, torn and exchanged bytes every answer of an index is exact, or the index is damaged`, async () => {
    using folder = new ModelledFolder(storeOf);
    const { place } = folder;
    const store = storeOf(place.root);
    const states: { files: Files; answers: Record<string, unknown> }[] = [];
    for (let state = 0; state < 4; state++) {
      for (let file = 0; file < (state === 0 ? 12 : 2); file++) {
        folder.put(`${file} ${file % 3}.md`, textOf(31 * state + file));
      }
      if (state === 2) folder.remove("5 2.md");
      await folder.update();
      using index = await ready(store.open());
      const answers: Record<string, unknown> = {};
      for (const [name, ask] of Object.entries(ASKS)) answers[name] = await ask(index);
      states.push({ files: filesOf(place.at(".muxue_rag")), answers });
    }
    const sound = states.at(-1)!.files;
    const names = [...sound.keys()];
    const counts = { exact: 0, damaged: 0 };
    const order = fc.shuffledSubarray(Object.keys(ASKS), { minLength: 4 });
    await assertFuzzed(
      fc.asyncProperty(
        fc.constantFrom(...names),
        damage,
        fc.boolean(),
        order,
        async (name, how, isOpen, order) => {
          const bytes = damaged(
            sound.get(name)!,
            how,
            states.map(({ files }) => files.get(name) ?? new Uint8Array()),
          );
          for (const [name, bytes] of sound) replaced(place.at(`.muxue_rag/${name}`), bytes);
          const path = place.at(`.muxue_rag/${name}`);
          if (!isOpen) replaced(path, bytes);
          const loaded = await store.open();
          if (loaded.state !== "ready") {
            ok(["damaged", "foreign", "outdated"].includes(loaded.state), loaded.state);
            counts.damaged++;
            return;
          }
          using index = loaded.index;
          if (isOpen) overwritten(path, bytes);
          // an older whole state is sound as well
          let left = states;
          for (const ask of order) {
            try {
              const answer = await ASKS[ask]!(index);
              left = left.filter(({ answers }) => differences(answer, answers[ask]).length === 0);
              ok(left.length > 0, `${ask} of ${name}, ${how.kind}`);
              counts.exact++;
            } catch (error) {
              isDamage(error);
              counts.damaged++;
            }
          }
          const isSound = states.some(({ files }) => isEqual(files.get(name), bytes));
          const verified = await Promise.try(() => index.verify()).then(() => true, isDamage);
          // what was read before the bytes changed is in memory
          if (!isOpen) equal(verified, isSound, `verify() of ${name}, ${how.kind}`);
        },
      ),
      300,
    );
    ok(counts.exact > 100 && counts.damaged > 100, JSON.stringify(counts));
    for (const [name, bytes] of sound) replaced(place.at(`.muxue_rag/${name}`), bytes);
    equal((await store.open()).state, "ready");
  });
}

/** Returns `false` for an error that says that the index is damaged. Throws other errors. */
function isDamage(error: unknown): false {
  if (error instanceof DamagedIndexError || error instanceof ForeignIndexError) return false;
  throw error;
}

function isEqual(one: Bytes | undefined, other: Bytes): boolean {
  return one !== undefined && one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function damaged(bytes: Bytes, how: Damage, states: readonly Bytes[]): Bytes {
  const copy = bytes.slice();
  switch (how.kind) {
    case "flip":
      for (const [at, bits] of how.places) copy[at % copy.length]! ^= bits;
      return copy;
    case "zero":
      return copy.fill(0, how.at % copy.length, how.at % copy.length + how.length);
    case "cut":
      return copy.slice(0, how.at % copy.length);
    case "extend": {
      const longer = new Uint8Array(copy.length + how.length);
      longer.set(copy);
      return longer;
    }
    case "torn": {
      const other = states[how.state]!.slice();
      other.set(copy.subarray(0, Math.min(other.length, how.at % copy.length)));
      return other;
    }
    case "other state":
      return states[how.state]!.slice();
  }
}

/** Files that belong to the index; the lock and the `.gitignore` do not. */
function filesOf(folder: string): Files {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".bin"));
  return new Map(names.map((name) => [name, Deno.readFileSync(`${folder}/${name}`)]));
}

/** Puts a new file in the place of another. */
function replaced(path: string, bytes: Bytes): void {
  Deno.writeFileSync(`${path}.new`, bytes);
  Deno.renameSync(`${path}.new`, path);
}

/** Writes into a file that may be open. */
function overwritten(path: string, bytes: Bytes): void {
  using file = Deno.openSync(path, { write: true, truncate: bytes.length === 0 });
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  file.truncateSync(bytes.length);
}

/** Returns a text of some paragraphs, another one for each number. */
function textOf(number: number): string {
  const words = Array.from({ length: 60 }, (_, i) => WORDS[(i * i + 7 * number + i) % WORDS.length]!);
  return words.map((word, i) => i % 15 === 14 ? `${word}${number}\n\n` : word).join(" ");
}
