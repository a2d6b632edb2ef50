/** Makes the contents of an executable smaller: bytes instead of Base64, and compression of what few runs need. */
import { basename, join } from "node:path";
import { brotliCompressSync, constants, deflateRawSync } from "node:zlib";
import { ENTRIES_AT, ENTRY_BYTES } from "#models/embedding/builtin/decode.ts";
import { writeSections } from "../embedding/write_sections.ts";

/** The module that reads files of bytes where they lie apart: see `lib/foundation/boundary/held_files.ts`. */
export const HELD_FILES = "held_files";

/** Code that imports the bytes of a file beside the module as `variable`. `up`: the path of the folder with the bundled modules. */
function importOfBytes(file: string, variable: string, up = "./"): string {
  return `import{bytesApart as apart_${variable}}from"${up}${HELD_FILES}.js";` +
    `import included_${variable} from"./${file}"with{type:"bytes"};` +
    `const ${variable}=apart_${variable}("${file}")??included_${variable};`;
}

/** Characters of Base64 from which a text becomes a file of bytes. A file has some overhead. */
const LEAST_CHARS = 10_000;

/** `data` as the modules of packed WebAssembly and tables export it, minified. */
const DATA = new RegExp(`(\\w+)="([A-Za-z0-9+/]{${LEAST_CHARS},}={0,2})"`, "g");

/**
 * Replaces Base64 that the modules in a folder export as `data` by an import of its bytes, which are a quarter shorter. Imports need no
 * permission, unlike files.
 */
export async function withBytes(folder: string): Promise<void> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || !name.endsWith(".js")) continue;
    const path = join(folder, name);
    const code = await Deno.readTextFile(path);
    const imports: string[] = [];
    let changed = code;
    for (const [text, variable, base64] of code.matchAll(DATA)) {
      if (!new RegExp(`export\\{[^}]*\\b${variable} as data\\b`).test(code)) continue;
      const file = name.replace(/\.js$/, `.${imports.length}.bin`);
      await Deno.writeFile(join(folder, file), Uint8Array.fromBase64(base64!));
      const bytes = `bytes${imports.length}`;
      imports.push(importOfBytes(file, bytes));
      changed = changed.replace(text, () => `${variable}=${bytes}`);
    }
    if (imports.length > 0) await Deno.writeTextFile(path, imports.join("") + changed);
  }
}

/**
 * Writes a module that has the exports of the module at `path` and unpacks it when it is loaded. `folder`: where it is written, directly
 * below the bundled modules. The module at `path` must not import other files.
 */
export async function packModule(path: string, exports: readonly string[], folder: string): Promise<void> {
  const name = basename(path);
  // A module without a file has no address. The bundler asks for one to import modules of Node.
  const code = (await Deno.readTextFile(path)).replaceAll("import.meta.url", `"file:///"`);
  if (/\b(?:from|import)\(?"\./.test(code)) throw new Error(`${path} imports other files`);
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window } = constants;
  const params = { [quality]: 11, [window]: 24 };
  await Deno.writeFile(
    join(folder, `${name}.br`),
    brotliCompressSync(new TextEncoder().encode(code), { params }),
  );
  await Deno.writeTextFile(
    join(folder, name),
    `import{brotliDecompressSync}from"node:zlib";${importOfBytes(`${name}.br`, "packed", "../")}` +
      `export const{${exports}}=await import("data:text/javascript;base64,"+` +
      `brotliDecompressSync(packed).toString("base64"));`,
  );
}

/** Returns the table of word vectors with those sections compressed that become a fifth smaller. The vectors do not. */
export function packTable(table: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(table.buffer, table.byteOffset);
  const sections = new Map<string, Uint8Array>();
  const unpacked = new Map<string, number>();
  for (let i = 0, at = ENTRIES_AT; i < view.getUint32(12, true); i++, at += ENTRY_BYTES) {
    const name = new TextDecoder().decode(table.subarray(at, at + 16)).replace(/\0.*$/, "");
    const [offset, length] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true)];
    const content = table.subarray(offset, offset + length);
    const packed = deflateRawSync(content, { level: 9 });
    const isSmaller = packed.length < length * .8;
    if (isSmaller) unpacked.set(name, length);
    sections.set(name, isSmaller ? packed : content);
  }
  return writeSections(sections, unpacked);
}
