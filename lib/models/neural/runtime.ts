/** ONNX Runtime as WebAssembly, in a thread: it computes, prints nothing and takes no more memory than it is given. */
import type * as Runtime from "onnxruntime-web/wasm";
import { brotliDecompressSync } from "node:zlib";

export type { Runtime };

/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;

/**
 * Loads the runtime for models. It must be called once in a thread, which gets less of the web's globals by it. The runtime
 * runs in one thread and may use `memory` bytes.
 */
export async function loadRuntime(memory: number): Promise<typeof Runtime> {
  const scope = globalThis as { location?: unknown; process?: unknown };
  // The library resolves its own address against the origin of the page, which is not a URL in a thread of Deno.
  Object.defineProperty(scope, "location", { value: undefined });
  // With it, the library takes the thread for one of Node and reads files.
  delete scope.process;
  limitMemory(Math.ceil(memory / PAGE));
  const [runtime, { data }] = await Promise.all([
    import("onnxruntime-web/wasm"),
    import("./runtime_wasm.ts"),
  ]);
  const { wasm } = runtime.env;
  // The scripts for executables write it as bytes (`scripts/compile/pack.ts`).
  const packed: string | Uint8Array = data;
  wasm.wasmBinary =
    brotliDecompressSync(typeof packed === "string" ? Uint8Array.fromBase64(packed) : packed).buffer;
  wasm.numThreads = 1;
  // It would print to the program's output.
  runtime.env.logLevel = "fatal";
  return runtime;
}

/** Limits the memory of WebAssembly modules to this number of pages. The library asks for 4 GB at most. */
function limitMemory(pages: number): void {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor({ maximum = pages, ...options }: WebAssembly.MemoryDescriptor) {
      super({ ...options, maximum: Math.max(options.initial, Math.min(maximum, pages)) });
    }
  };
}
