import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { ContentVectors, ContentVectorWriter, lockContentVectors } from "#library/store/mod.ts";
import { vectorFileName } from "#library/store/content_vectors/block_file.ts";
import { UserError } from "#foundation/errors.ts";

const KEY = new Uint8Array(32).fill(7);
const MODEL = { id: "local:en:test", dimensions: 4 };

async function withFolder(run: (root: string, file: string) => Promise<void> | void): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(join(root, ".muxue_rag"));
  try {
    await run(root, join(root, ".muxue_rag", vectorFileName(MODEL.id)));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const hashOf = (number: number) => {
  const hash = new Uint8Array(16);
  new DataView(hash.buffer).setUint32(0, number, true);
  return hash;
};

/** A vector of length 1 near the axis `number % 4`. */
const vectorOf = (number: number) => {
  const vector = new Float32Array(4).fill(0.1);
  vector[number % 4] = Math.sqrt(1 - 0.03);
  return vector;
};

const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ hash: hashOf(from + i), vector: vectorOf(from + i) }));

Deno.test("ContentVectors finds the vectors that were appended, also while the file grows", async () => {
  await withFolder((root) => {
    using writer = ContentVectorWriter.open(root, MODEL, KEY);
    using vectors = new ContentVectors(root, MODEL, KEY);
    vectors.refresh();
    equal(vectors.size, 0);
    writer.append(entries(0, 300));
    ok(vectors.refresh());
    equal(vectors.size, 300);
    writer.append(entries(300, 5000));
    ok(vectors.refresh());
    equal(vectors.size, 5000);
    const cosines = vectors.cosines(vectorOf(4999));
    equal(cosines.length, 5000);
    ok(Math.abs(cosines[vectors.rowOf(hashOf(4999))!]! - 1) < 0.02);
    ok(Math.abs(cosines[vectors.rowOf(hashOf(4998))!]! - 0.217) < 0.02);
    equal(vectors.rowOf(hashOf(5000)), undefined);
  });
});

Deno.test("a vector is stored once, and a new writer knows it", async () => {
  await withFolder((root) => {
    {
      using writer = ContentVectorWriter.open(root, MODEL, KEY);
      writer.append(entries(0, 3));
    }
    using writer = ContentVectorWriter.open(root, MODEL, KEY);
    deepEqual([0, 1, 2, 3].map((number) => writer.has(hashOf(number))), [true, true, true, false]);
    writer.append(entries(2, 4));
    using vectors = new ContentVectors(root, MODEL, KEY);
    vectors.refresh();
    equal(vectors.size, 4);
  });
});

Deno.test("bytes that were damaged or not written to the end are made again, and those before are used", async () => {
  await withFolder(async (root, file) => {
    {
      using writer = ContentVectorWriter.open(root, MODEL, KEY);
      for (let from = 0; from < 50; from += 10) writer.append(entries(from, from + 10));
    }
    const whole = await Deno.readFile(file);
    const block = 4 + 10 * 24 + 16;
    for (let at = 64; at < whole.length; at += 7) {
      const damaged = whole.slice();
      damaged[at]! ^= 1;
      await Deno.writeFile(file, damaged);
      using vectors = new ContentVectors(root, MODEL, KEY);
      vectors.refresh();
      equal(vectors.size, 10 * Math.floor((at - 64) / block), `damage at ${at}`);
    }
    for (let length = 0; length < whole.length; length += 13) {
      await Deno.writeFile(file, whole.subarray(0, length));
      {
        using writer = ContentVectorWriter.open(root, MODEL, KEY);
        equal(writer.size, length < 64 ? 0 : 10 * Math.floor((length - 64) / block), `cut at ${length}`);
        writer.append(entries(100, 101));
      }
      using vectors = new ContentVectors(root, MODEL, KEY);
      vectors.refresh();
      ok(vectors.rowOf(hashOf(100)) !== undefined, `cut at ${length}`);
    }
  });
});

Deno.test("vectors of another installation or of another model are not used", async () => {
  await withFolder(async (root, file) => {
    {
      using writer = ContentVectorWriter.open(root, MODEL, KEY);
      writer.append(entries(0, 10));
    }
    using foreign = new ContentVectors(root, MODEL, new Uint8Array(32));
    foreign.refresh();
    equal(foreign.size, 0);
    const other = { ...MODEL, id: "local:en:other" };
    await Deno.copyFile(file, join(root, ".muxue_rag", vectorFileName(other.id)));
    using vectors = new ContentVectors(root, other, KEY);
    vectors.refresh();
    equal(vectors.size, 0);
  });
});

Deno.test("compact() keeps the vectors that are still needed, and open readers notice", async () => {
  await withFolder(async (root) => {
    using writer = ContentVectorWriter.open(root, MODEL, KEY);
    writer.append(entries(0, 600));
    using vectors = new ContentVectors(root, MODEL, KEY);
    vectors.refresh();
    await writer.compact((hash) => hash[0]! % 2 === 0);
    equal(vectors.refresh(), false);
    equal(vectors.size, 300);
    equal(writer.size, 300);
    writer.append(entries(600, 601));
    ok(vectors.refresh());
    equal(vectors.size, 301);
  });
});

Deno.test("only one process makes the vectors of a folder", async () => {
  await withFolder(async (root) => {
    using _lock = await lockContentVectors(root);
    const problem = await lockContentVectors(root).then(() => undefined, (error) => error);
    ok(problem instanceof UserError);
    equal(problem.key, "vectors_busy");
  });
});
