import { deepEqual } from "node:assert/strict";
import { RecognitionLoader } from "#documents/recognition/loader.ts";
import { packRequest } from "#documents/recognition/request.ts";
import { sample } from "./_samples.ts";

const REQUEST = { kind: "image", pages: [1], document: sample("en.png") } as const;
const languages = [{ language: "eng", bytes: Uint8Array.of(1) }];

/** Loads a page with engines that fail so many times, and returns its text and the number of engines. */
async function load(failures: number) {
  let engines = 0;
  const loader = new RecognitionLoader(() => {
    const number = ++engines;
    return Promise.resolve({
      textIn: () => {
        if (number <= failures) throw new WebAssembly.RuntimeError("memory access out of bounds");
        return "green tea";
      },
      [Symbol.dispose]: () => {},
    });
  });
  const { text } = await loader.load(packRequest({ ...REQUEST, languages }));
  return { text, engines };
}

Deno.test("a page at which the engine fails is tried once more with a new engine", async () => {
  deepEqual(await load(0), { text: "green tea", engines: 1 });
  deepEqual(await load(1), { text: "green tea", engines: 2 });
  deepEqual(await load(9), { text: "", engines: 2 });
});
