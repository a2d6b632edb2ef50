// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes the modules of lib/documents/code/grammars/ from npm packages, which `npm pack` fetches: tree-sitter's parser and a
 * grammar for each language, compiled to WebAssembly, compressed and written as a string. A thread without permissions can
 * import them as modules, both from the sources and in an executable. Every run writes the same bytes.
 *
 *     deno run -A scripts/build_grammars.ts
 */
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { packageBytes } from "./npm_package.ts";
import { GRAMMARS } from "./grammars/packages.ts";

const folder = join(import.meta.dirname!, "..", "lib", "documents", "code", "grammars");
await Deno.mkdir(folder, { recursive: true });
for (const [name, wanted] of Object.entries(GRAMMARS)) {
  const bytes = await packageBytes(wanted);
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = constants;
  const packed = brotliCompressSync(bytes, { params: { [quality]: 11, [window]: 24 } });
  const source =
    `/** ${wanted.file.split("/").at(-1)} of ${wanted.spec}, made by scripts/build_grammars.ts. */\n` +
    `export const data =\n  "${new Uint8Array(packed).toBase64()}";\n`;
  await Deno.writeTextFile(join(folder, `${name}.ts`), source);
  console.log(`${name}: ${bytes.length} bytes, ${packed.length} compressed`);
}
