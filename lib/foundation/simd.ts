/**
 * The modules for WebAssembly that `scripts/build_simd.ts` compiles.
 */

/** Returns the functions of a module, which compute in `memory` and in memory of its `own`, if it imports any. */
export function simdExports<Exports>(
  base64: string,
  memory: WebAssembly.Memory,
  own: WebAssembly.Memory | undefined = undefined,
): Exports {
  // Node 24 lacks `Uint8Array.fromBase64`.
  const module = new WebAssembly.Module(Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0)));
  const env = own === undefined ? { memory } : { memory, own };
  return new WebAssembly.Instance(module, { env }).exports as Exports;
}
