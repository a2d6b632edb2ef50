// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes test collections from documentation that is translated: the help of LibreOffice (the first paragraph of a page asks
 * for the rest), manual pages (the line below "NAME" asks for the text after the synopsis) and Debian's books (a heading asks
 * for its section). Writes `OUT/HALF/SOURCE-PAIR` in BEIR layout, where HALF is `dev` or `held` (by the hash of the id; a text
 * and its translation are in the same half) and PAIR is `en`, `zh`, `tw` (traditional Chinese), `en2zh` or `zh2en`. The same
 * packages give the same bytes. Choose on `dev`, and confirm once on `held`.
 *
 *     deno run -A --config deno.dev.json research/passage_collections.ts OUT
 *
 * Needs `apt-get` and `dpkg-deb`. The packages are kept in `OUT/packages`.
 */
import { join, resolve } from "node:path";
import { writeBeir } from "./eval/write_beir.ts";
import { collectionsOf } from "./passages/collections.ts";
import { DEBIAN } from "./passages/docbook.ts";
import { LIBREOFFICE } from "./passages/libreoffice.ts";
import { MAN_PAGES } from "./passages/man_pages.ts";
import { unpack } from "./passages/packages.ts";

const [folder] = Deno.args;
if (folder === undefined) {
  console.error("usage: passage_collections.ts OUT");
  Deno.exit(2);
}
const out = resolve(folder);
for (const source of [LIBREOFFICE, MAN_PAGES, DEBIAN]) {
  const root = await Deno.makeTempDir();
  try {
    console.log((await unpack(source.packages, join(out, "packages"), root)).join("\n"));
    for (const [half, pair, collection] of collectionsOf(await source.passages(root))) {
      const name = join(half, `${source.name}-${pair}`);
      await writeBeir(join(out, name), collection);
      console.log(`${name}: ${collection.documents.length} documents and questions`);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
