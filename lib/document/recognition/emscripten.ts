/** Bytes by which a memory grows at least. */
const STEP = 1 << 20;
const PAGE = 65_536;

/** A function that a WebAssembly module exports, or imports. */
export type WasmFunction = (...args: number[]) => number;

/** An instance of a module that emscripten made, with its memory. */
export interface Instance {
  readonly memory: WebAssembly.Memory;
  readonly exports: Readonly<Record<string, WasmFunction>>;
}

/**
 * Starts a module that emscripten made. `imports`: functions by their short name. They get the instance, which exists when
 * they are called. `memory` and `start`: short names of the exports.
 */
export async function instantiate(
  bytes: Uint8Array<ArrayBuffer>,
  imports: (instance: () => Instance) => Record<string, unknown>,
  { memory, start }: { readonly memory: string; readonly start: string },
): Promise<Instance> {
  const late = () => found;
  const { instance: { exports } } = await WebAssembly.instantiate(bytes, {
    a: imports(late) as WebAssembly.ModuleImports,
  });
  const found: Instance = {
    memory: exports[memory] as WebAssembly.Memory,
    exports: exports as Record<string, WasmFunction>,
  };
  found.exports[start]!();
  return found;
}

/** Ends the work of a module, which must not be used again. */
export function abort(): never {
  throw new WebAssembly.RuntimeError("the module has given up");
}

/** Enlarges a memory to `size` bytes. Returns 1, or 0 if there is not so much memory. */
export function grow(memory: WebAssembly.Memory, size: number): number {
  // A size over 2 GB arrives as a negative number.
  const wanted = (size >>> 0) - memory.buffer.byteLength;
  try {
    memory.grow(Math.ceil(Math.max(STEP, wanted) / PAGE));
    return 1;
  } catch {
    return 0;
  }
}
