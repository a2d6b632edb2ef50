import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { vectorFileName } from "#library/store/folder/vector_file.ts";
import { entries, hashOf } from "../_contract.ts";
import { storeAt } from "../../ingest/_place.ts";

const MODEL = { id: "local:en:test", dimensions: 4 };

async function withFolder(run: (root: string, file: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(root, ".muxue_rag"));
  try {
    await run(root, join(root, ".muxue_rag", vectorFileName(MODEL.id)));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const writerOf = (root: string) => storeAt(root).vectors.write(MODEL);

/** The number of vectors that are read, and the rows of hashes. */
async function read(
  root: string,
  hashes: Uint8Array[] = [],
  { key, model = MODEL }: { key?: Uint8Array<ArrayBuffer>; model?: typeof MODEL } = {},
) {
  using vectors = storeAt(root, key).vectors.read(model);
  await vectors.refresh();
  return { size: vectors.size, rows: [...await vectors.rowsOf(hashes)] };
}

Deno.test("bytes that were damaged or not written to the end are made again, and those before are used", async () => {
  await withFolder(async (root, file) => {
    {
      await using writer = await writerOf(root);
      for (let from = 0; from < 50; from += 10) await writer.append(entries(from, from + 10));
    }
    const whole = await Deno.readFile(file);
    const block = 4 + 10 * 24 + 16;
    for (let at = 64; at < whole.length; at += 7) {
      const damaged = whole.slice();
      damaged[at]! ^= 1;
      await Deno.writeFile(file, damaged);
      equal((await read(root)).size, 10 * Math.floor((at - 64) / block), `damage at ${at}`);
    }
    for (let length = 0; length < whole.length; length += 13) {
      await Deno.writeFile(file, whole.subarray(0, length));
      {
        await using writer = await writerOf(root);
        equal(writer.size, length < 64 ? 0 : 10 * Math.floor((length - 64) / block), `cut at ${length}`);
        await writer.append(entries(100, 101));
      }
      ok((await read(root, [hashOf(100)])).rows[0]! >= 0, `cut at ${length}`);
    }
  });
});

Deno.test("vectors of another installation or of another model are not used", async () => {
  await withFolder(async (root, file) => {
    {
      await using writer = await writerOf(root);
      await writer.append(entries(0, 10));
    }
    equal((await read(root)).size, 10);
    equal((await read(root, [], { key: new Uint8Array(32) })).size, 0);
    const model = { ...MODEL, id: "local:en:other" };
    await Deno.copyFile(file, join(root, ".muxue_rag", vectorFileName(model.id)));
    equal((await read(root, [], { model })).size, 0);
  });
});

Deno.test("a fresh set of vectors that is not finished leaves no file", async () => {
  await withFolder(async (root, file) => {
    {
      await using writer = await storeAt(root).vectors.write(MODEL, { fresh: true });
      await writer.append(entries(0, 3));
      deepEqual(
        [...Deno.readDirSync(join(root, ".muxue_rag"))].map(({ name }) => join(root, ".muxue_rag", name)),
        [
          `${file}.new`,
        ],
      );
    }
    deepEqual([...Deno.readDirSync(join(root, ".muxue_rag"))], []);
  });
});
