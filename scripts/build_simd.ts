/**
 * Compiles lib/engine/index/vectors/scan.wat into lib/engine/index/vectors/scan_module.ts.
 *
 *     deno run -A --config deno.dev.json scripts/build_simd.ts
 */
import { join } from "node:path";
import wabt from "wabt";

const folder = join(import.meta.dirname!, "..", "lib", "engine", "index", "vectors");

/** Returns the source of the module that contains `wat`, compiled. */
export async function simdModule(wat: string): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat("scan.wat", wat, { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  return `// Made by scripts/build_simd.ts from scan.wat.

/** The compiled module, in base64. */
export const SCAN_MODULE =
  "${buffer.toBase64()}";
`;
}

if (import.meta.main) {
  const wat = await Deno.readTextFile(join(folder, "scan.wat"));
  await Deno.writeTextFile(join(folder, "scan_module.ts"), await simdModule(wat));
}
