/**
 * Compiles each of the {@linkcode SIMD_MODULES} into a module beside it, `scan.wat` into `scan_module.ts`.
 *
 *     deno run -A --config deno.dev.json scripts/build_simd.ts
 */
import { basename, join } from "node:path";
import wabt from "wabt";

/** The sources in the text format of WebAssembly, from the root of the repository. */
export const SIMD_MODULES = [
  "lib/engine/index/vectors/scan.wat",
  "lib/engine/rank/compare.wat",
  "lib/models/embedding/builtin/sum.wat",
  "lib/models/neural/bert.wat",
] as const;

const root = join(import.meta.dirname!, "..");

/** Returns the paths of a source and of its compiled module. */
export function simdPaths(source: string): { readonly wat: string; readonly module: string } {
  const wat = join(root, source);
  return { wat, module: wat.replace(/\.wat$/, "_module.ts") };
}

/** Returns the source of the module that contains `wat`, compiled. `source`: its path. */
export async function simdModule(source: string, wat: string): Promise<string> {
  const { parseWat } = await wabt();
  const name = basename(source);
  // The types of the package lack `multi_memory`.
  const features = { simd: true, "relaxed_simd": true, threads: true, "multi_memory": true };
  const parsed = parseWat(name, wat, features);
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return `// Made by scripts/build_simd.ts from ${name}.

/** The compiled module, in base64. */
export const ${name.replace(".wat", "").toUpperCase()}_MODULE =
  "${buffer.toBase64()}";
`;
}

if (import.meta.main) {
  for (const source of SIMD_MODULES) {
    const { wat, module } = simdPaths(source);
    await Deno.writeTextFile(module, await simdModule(source, await Deno.readTextFile(wat)));
  }
}
