/**
 * A real folder is changed, indexed, killed while it is indexed, backed up and restored at random. After each step its index
 * answers as the plain index in memory that is made of the same folder without any history.
 */
import * as fc from "fast-check";
import { type Library, openLibrary, type SearchRequest } from "#library/search/mod.ts";
import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { IndexWriter, OpenIndex, WriteOptions } from "#library/store/mod.ts";
import { assertFuzzed } from "../../_fuzz.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { config, TABLE } from "../ingest/_place.ts";
import { ASKS, WORDS } from "./_asks.ts";
import { ready } from "./_contract.ts";
import { ModelledFolder } from "./_modelled_folder.ts";
import { assertNear, differences } from "./_near.ts";
import type { MemoryStore } from "./memory/memory_store.ts";
import { POSTGRES, SEGMENTS } from "./_databases.ts";
import { STORES } from "./_stores.ts";

const NAMES = ["a.md", "b.txt", "c.txt", "sub/d.md", "sub/e 中文.txt", "sub", "z.txt", "Z.txt"];
/** Questions with filters, in each mode. */
const REQUESTS = [
  "apple river",
  "苹果 数据库",
  '"river bridge"',
  "database -pears",
  "bridge type:md",
  "user name -path:sub",
  "pear lang:en",
].flatMap((query) => (["hybrid", "keyword", "semantic"] as const).map((mode) => ({ query, mode, topK: 5 })));

const text = fc.array(fc.constantFrom(...WORDS, "\n\n", "\n"), { minLength: 1, maxLength: 40 })
  .map((words) => words.join(" "));
const content = fc.oneof(
  { weight: 6, arbitrary: text },
  // files with the same text have the same score, and are ordered by their paths
  {
    weight: 5,
    arbitrary: fc.constantFrom("apple river bridge", "苹果 数据库 桥梁", "# Head\n\nbridge userName"),
  },
  { weight: 1, arbitrary: fc.constantFrom("", " \n", "\0\x01\x02 not a text") },
);
const name = fc.constantFrom(...NAMES);
const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), name, content }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("append" as const), name, content: text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("rename" as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("touch" as const), name }) },
);
const action = fc.oneof(
  { weight: 14, arbitrary: fc.constant({ kind: "update" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("crash" as const),
      fault: fc.constantFrom("kill" as const, "torn" as const),
      at: fc.nat(12),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "full" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "settings" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "backup" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restore" as const }) },
);
const step = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  action,
  reload: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Writes two of three updates as a delta, and takes that up into the index with the third. */
class MergingStore extends FolderStore {
  static readonly #writes = new Map<string, number>();

  constructor(root: string) {
    super(root, KEY, undefined, { fromBytes: 0, share: Infinity });
  }

  override async replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    const writes = (MergingStore.#writes.get(this.root) ?? 0) + 1;
    MergingStore.#writes.set(this.root, writes);
    const { changes: _, ...whole } = options;
    return await super.replace(writes % 3 === 0 ? whole : options, write);
  }
}

const MODELLED: typeof STORES = [...STORES, POSTGRES, SEGMENTS, [
  "folder that merges its delta",
  (root) => new MergingStore(root),
]];

for (const [store, storeOf, around = (test: () => Promise<void>) => test()] of MODELLED) {
  Deno.test(`${store}: after every change, crash and restore the answers are those of a plain index in memory`, () =>
    around(async () => {
      const settings = await config();
      const started = fc.record({ files: fc.array(fc.tuple(name, content), { minLength: 3, maxLength: 6 }) });
      await assertFuzzed(
        fc.asyncProperty(
          started,
          fc.array(step, { minLength: 3, maxLength: 12 }),
          async ({ files }, steps) => {
            using folder = new ModelledFolder(storeOf);
            const { root } = folder.place;
            for (const [name, content] of files) folder.put(name, content);
            await folder.update();
            let library = openLibrary([root], settings, { key: KEY, table: TABLE, storeOf });
            try {
              for (const [number, { edits, action, reload }] of steps.entries()) {
                for (const one of edits) apply(folder, one);
                await act(folder, action);
                if (reload) {
                  library.close();
                  library = openLibrary([root], settings, { key: KEY, table: TABLE, storeOf });
                }
                using index = await ready(storeOf(root).open());
                const actual = await answers(index, library, number);
                await compare(folder.models, actual, number, `step ${number}: ${JSON.stringify(action)}`);
              }
            } finally {
              library.close();
            }
          },
        ),
        8,
      );

      /** Asserts that the answers are those of one of the models. */
      async function compare(models: readonly MemoryStore[], actual: unknown, number: number, about: string) {
        const expected: unknown[] = [];
        for (const model of models) {
          const plain = openLibrary([model.root], settings, { key: KEY, table: TABLE, storeOf: () => model });
          expected.push(await answers(await ready(model.open()), plain, number));
          plain.close();
        }
        if (!expected.some((one) => differences(actual, one).length === 0)) {
          assertNear(actual, expected.at(-1), about);
        }
      }
    }));
}

function apply(folder: ModelledFolder, edit: Step["edits"][number]): void {
  if (edit.kind === "put") folder.put(edit.name, edit.content);
  else if (edit.kind === "append") folder.append(edit.name, edit.content);
  else if (edit.kind === "remove") folder.remove(edit.name);
  else if (edit.kind === "rename") folder.rename(edit.name, edit.to);
  else folder.touch(edit.name);
}

async function act(folder: ModelledFolder, action: Step["action"]): Promise<void> {
  switch (action.kind) {
    case "crash":
      return await folder.crash(action.fault, action.at);
    case "backup":
      return await folder.backUp();
    case "restore":
      return await folder.restore();
    case "settings":
      folder.toggleSettings();
      return await folder.update();
    default:
      return await folder.update(action.kind === "full");
  }
}

/** Returns all that an index says, and the answers to three questions. */
async function answers(index: OpenIndex, library: Library, number: number): Promise<unknown> {
  const asked: Record<string, unknown> = { damage: index.damage };
  for (const [name, ask] of Object.entries(ASKS)) asked[name] = await ask(index);
  for (const i of [0, 1, 2]) {
    const request = REQUESTS[(5 * number + i) % REQUESTS.length]!;
    asked[JSON.stringify(request)] = await told(library, request);
  }
  return asked;
}

/** Returns an answer without its times, or the key of the refusal. */
async function told(library: Library, request: SearchRequest): Promise<unknown> {
  try {
    const { hits, notices } = await library.search(request);
    return { hits, notices };
  } catch (error) {
    return (error as { key?: string }).key ?? String(error);
  }
}
