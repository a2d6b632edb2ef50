// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Prints what the bytes of an executable of these sources are:
 *
 *     deno run -A scripts/sizes.ts EXECUTABLE
 *
 * The files are staged as `deno task compile` does. The rest of the executable is the runtime, with its list of the files.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildInfo } from "./compile/build_info.ts";
import { stage } from "./compile/stage.ts";

/** Kinds of files by their path in the stage. The first that fits counts. */
const KINDS: readonly (readonly [name: string, path: RegExp])[] = [
  ["table of word vectors and translations", /table\.bin$/],
  ["local models by ONNX Runtime (WebAssembly)", /runtime_wasm/],
  ["drawing of PDF pages by PDFium (WebAssembly)", /pdfium_wasm/],
  ["text recognition by Tesseract (WebAssembly)", /core_wasm/],
  ["character maps of PDFs", /cmaps/],
  ["source code: tree-sitter and its grammars (WebAssembly)", /\.bin$/],
  ["packages that few runs need, packed", /\.br$/],
  ["web pages, packed", /^dist\/pages\//],
  ["licences and prompts", /^[A-Z_]+$|\/prompts\//],
  ["code of the program and of packages, minified", /./],
];

const [executable] = Deno.args;
if (executable === undefined) throw new Error("sizes.ts EXECUTABLE");
const folder = await Deno.makeTempDir({ prefix: "muxue_rag_sizes_" });
try {
  const root = fileURLToPath(new URL("../", import.meta.url));
  await stage(root, folder, await buildInfo(root));
  const files = join(folder, "files");
  const sizes = new Map<string, number>();
  for (const path of await readdir(files, { recursive: true })) {
    const info = await stat(join(files, path));
    if (!info.isFile()) continue;
    const [name] = KINDS.find(([, pattern]) => pattern.test(path.replaceAll("\\", "/")))!;
    sizes.set(name, (sizes.get(name) ?? 0) + info.size);
  }
  const whole = (await Deno.stat(executable)).size;
  const rest = whole - [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const rows = [["Deno's runtime", rest] as const, ...sizes].toSorted(([, a], [, b]) => b - a);
  for (const [name, size] of [...rows, ["all", whole] as const]) {
    console.log(`${(size / 1e6).toFixed(2).padStart(7)} MB  ${name}`);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
