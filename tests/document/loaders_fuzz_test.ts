import { deepEqual, equal } from "node:assert/strict";
import * as fc from "fast-check";
import { FORMATS } from "../../lib/document/formats.ts";
import { assertFuzzed } from "../_fuzz.ts";
import { mutated, type Mutation, mutation } from "../_mutated.ts";
import { DOCUMENTS } from "../e2e/_documents.ts";
import type { Task } from "./_loading_worker.ts";

/** Milliseconds after which a loader of a small file counts as hanging, even on a busy machine. */
const LIMIT_MS = 60_000;

/** Texts that no loader reads but whose outline is found. */
const TEXTS: Readonly<Record<string, string>> = {
  "a.md": "---\ntitle: x\n---\n# Tea\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```c\n# no\n```\n\nSub\n---\n",
  "a.rst": "Tea\n===\n\n.. note:: x\n\nSub\n---\n\ntext::\n\n  code\n",
  "a.org": "#+TITLE: x\n* Tea\n** Sub\n#+BEGIN_SRC\n* no\n#+END_SRC\n",
  "a.adoc": "= Tea\n\n== Sub\n\n----\n== no\n----\n|===\n|a|b\n|===\n",
  "a.tex": "\\section{Tea}\n\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n\\subsection*{Sub}\n",
  "a.json": '{"tea": {"green": [1, 2, {"a": "b"}]}}\n',
  "a.yaml": "tea:\n  green: |\n    a\n    b\n  list:\n    - 1\n",
  "a.xml": "<a><b c='d'>tea</b><!-- x --><b/></a>\n",
  "a.log": "2026-01-01 10:00:00 INFO tea\n  at x\n2026-01-01 10:00:01 WARN\n",
};
const SAMPLES: readonly Task[] = [
  ...Object.entries(DOCUMENTS).flatMap(([format, files]) =>
    Object.entries(files).map(([path, bytes]) => ({ format, path, bytes }))
  ),
  ...Object.entries(TEXTS).map(([path, text]) => ({ path, bytes: new TextEncoder().encode(text) })),
];

/** A thread with loaders. */
class Loading implements Disposable {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(): Promise<Loading> {
    const loading = new Loading(
      new Worker(import.meta.resolve("./_loading_worker.ts"), { type: "module" }),
    );
    await loading.#answer();
    return loading;
  }

  /** Returns what is wrong with the way in which a document is read, or `undefined`. */
  async defectOf(task: Task): Promise<string | undefined> {
    this.#worker.postMessage(task);
    return await this.#answer();
  }

  #answer(): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => resolve("hangs"), LIMIT_MS);
    this.#worker.onmessage = ({ data }) => resolve(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    return promise.finally(() => clearTimeout(timer));
  }

  [Symbol.dispose](): void {
    this.#worker.terminate();
  }
}

Deno.test("a mutated file of any format is read to a sound document or refused by a named error", async () => {
  deepEqual(FORMATS.map(({ name }) => name).filter((name) => !(name in DOCUMENTS)), []);
  using loading = await Loading.start();
  for (const sample of SAMPLES) equal(await loading.defectOf(sample), undefined, sample.path);
  const sample = fc.nat(SAMPLES.length - 1);
  await assertFuzzed(
    fc.asyncProperty(sample, mutation, async (number: number, how: Mutation) => {
      const { bytes, ...rest } = SAMPLES[number]!;
      equal(await loading.defectOf({ ...rest, bytes: mutated(bytes, how) }), undefined, rest.path);
    }),
    600,
  );
});
