// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes the modules of lib/documents/recognition/engine/ from an npm package, which `npm pack` fetches: Tesseract as WebAssembly,
 * compressed and written as a string, and the script that emscripten made for it, without the parts that load files. A thread without
 * permissions can import them as modules, both from the sources and in an executable. Every run writes the same bytes.
 *
 *     deno run -A --config scripts/compile/minify.json scripts/build_recognition.ts
 */
import { join } from "node:path";
import { stop, transform } from "esbuild";
import { packageFiles } from "./npm_package.ts";
import { packedWasm } from "./packed_wasm.ts";

const TESSERACT = {
  spec: "tesseract.js-core@7.0.0",
  integrity: "WnNH518NzmbSq9zgTPeoF8c+xmilS8rFIl1YKbk/ptuuc7p6cLNELNuPAzcmsYw450ca6bLa8j3t0VAtq435Vw==",
};
const folder = join(import.meta.dirname!, "..", "lib", "documents", "recognition", "engine");
await Deno.mkdir(folder, { recursive: true });

const core = await packageFiles(TESSERACT);
await writeWasm("core_wasm", TESSERACT.spec, core, "package/tesseract-core-simd-lstm.wasm");
await writeScript("core", TESSERACT.spec, core, "package/tesseract-core-simd-lstm.js");
await stop();

async function writeWasm(
  name: string,
  spec: string,
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
): Promise<void> {
  const bytes = fileOf(files, path, spec);
  const origin = `${path.split("/").at(-1)} of ${spec}, made by scripts/build_recognition.ts.`;
  const source = packedWasm(bytes, origin);
  await Deno.writeTextFile(join(folder, `${name}.ts`), source);
  console.log(`${name}: ${bytes.length} bytes, ${source.length} characters`);
}

/** Writes a script as a module. Its code for other environments, which would read files and fetch, is left out. */
async function writeScript(
  name: string,
  spec: string,
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
): Promise<void> {
  const source = new TextDecoder().decode(fileOf(files, path, spec));
  const absent = [
    ...["process", "document", "window", "WorkerGlobalScope", "__filename", "__dirname"],
    // A bundler would look for the modules that the script requires.
    ...["require", "exports", "module", "define"],
  ];
  const { code } = await transform(`${source}\nexport default TesseractCore;`, {
    define: Object.fromEntries(absent.map((name) => [name, "undefined"])),
    format: "esm",
    target: "esnext",
    minify: true,
    legalComments: "none",
  });
  const head =
    "// deno-lint-ignore-file\n// deno-fmt-ignore-file\n// @ts-nocheck: a script that emscripten made\n" +
    `/** ${path.split("/").at(-1)} of ${spec}, made by scripts/build_recognition.ts. */\n`;
  await Deno.writeTextFile(join(folder, `${name}.js`), head + code);
  console.log(`${name}: ${source.length} characters, ${code.length} minified`);
}

function fileOf(files: ReadonlyMap<string, Uint8Array>, path: string, spec: string): Uint8Array {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`no ${path} in ${spec}`);
  return bytes;
}
