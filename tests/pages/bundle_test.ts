import { ok } from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { buildPages } from "../../scripts/pages/build.ts";

/** Bytes of the first load, packed: the shell, the style and the page Search. */
const FIRST_LOAD = 60_000;

Deno.test("the first load takes at most 60 kB, without what other pages need", async () => {
  const work = await Deno.makeTempDir({ prefix: "muxue_rag_bundle_" });
  try {
    const folder = `${work}/pages`;
    const names = await buildPages(folder);
    const first = new Set(["index.html", "icon.svg", "style.css", "main.js"]);
    for (const name of names) if (name.startsWith("search-")) first.add(name.replace(/\.gz$/, ""));
    let bytes = 0;
    // Iteration over a set includes what is added meanwhile.
    for (const name of first) {
      const packed = await Deno.readFile(`${folder}/${name}.gz`);
      bytes += packed.length;
      const code = name.endsWith(".js") ? new TextDecoder().decode(gunzipSync(packed)) : "";
      for (const [, import_] of code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) first.add(import_!);
    }
    ok(bytes <= FIRST_LOAD, `${bytes} bytes: ${[...first].join(", ")}`);
    ok(first.size > 4 && bytes > 10_000, `${bytes} bytes: ${[...first].join(", ")}`);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
});
