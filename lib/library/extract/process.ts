/**
 * The main thread of an extractor process. It passes documents from stdin to the parsing thread, and texts to stdout. When a
 * document exceeds its limits, it ends the process: a busy thread cannot be ended in another way (`Worker.terminate` waits
 * for its event loop), and a full heap ends the process anyway. The program starts another process for the next document.
 * @module
 */
import {
  mayLoadCode,
  memoryInUse,
  PROGRAM_ROOT,
  revokeAllBut,
  standardInput,
  writeToOutput,
} from "#foundation/runtime.ts";
import {
  encodeFrame,
  type ExtractLimits,
  FrameDecoder,
  LIMITS,
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  MEMORY_LOOK_MS,
  READY,
} from "./frames.ts";
import type { ExtractRequest, ExtractResponse } from "./serve_loaders.ts";

/** The argument that makes main.ts run an extractor process. */
export const EXTRACT_ARGUMENT = "__extract";

/** Exit code after a document exceeded its limits. */
const EXIT_LIMIT = 3;

/** The result of the parsing thread for one document. */
interface ProcessAnswer {
  readonly response: ExtractResponse;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Reads documents until stdin ends, then returns the exit code. The end of stdin also stops the document that is being read,
 * since the program that wanted it is gone or has cancelled it. `module`: main module of the parsing thread.
 */
export async function runExtractor(
  module: URL = new URL("lib/library/extract/worker.ts", PROGRAM_ROOT),
  limits: ExtractLimits = LIMITS,
): Promise<number> {
  const thread = await startThread(module);
  // The modules are loaded. From here on the process may only use its pipes.
  revokeAllBut([]);
  await writeToOutput(encodeFrame(READY, new Uint8Array()));
  const decoder = new FrameDecoder(MAX_FRAME_BYTES);
  const pieces = standardInput()[Symbol.asyncIterator]();
  for (let next = pieces.next();;) {
    const { done, value: piece } = await next;
    if (done) return 0;
    next = pieces.next();
    for (const { header, body } of decoder.push(piece)) {
      const answer = answerTo(thread, header as ExtractRequest, body, limits);
      const given = await Promise.race([answer, endOf(next)]);
      if (given === undefined) return 0;
      const { response, body: text } = given;
      // Memory that a document leaves behind must not count against the next one.
      const last = response.last || memoryInUse() > limits.memory / 2;
      await writeToOutput(encodeFrame(last ? { ...response, last } : response, text));
      if (last) return response.last ? EXIT_LIMIT : 0;
    }
  }
}

/** Resolves if the stream ends with this piece, and never otherwise. */
async function endOf(piece: Promise<IteratorResult<Uint8Array>>): Promise<undefined> {
  if (!(await piece).done) await new Promise(() => {});
}

/** Returns the thread without permissions, after its modules are loaded. */
async function startThread(module: URL): Promise<Worker> {
  // Loaders and their libraries are imported when a file needs them.
  const thread = new Worker(module, {
    type: "module",
    name: "extract",
    deno: { permissions: mayLoadCode() },
  });
  await new Promise<void>((resolve, reject) => {
    thread.onmessage = () => resolve();
    thread.onerror = (event) => reject(new Error(event.message));
  });
  return thread;
}

/** Returns the thread's result for a document, or `too_complex` if it took too much time or memory. */
function answerTo(
  thread: Worker,
  request: ExtractRequest,
  bytes: Uint8Array<ArrayBuffer>,
  limits: ExtractLimits,
): Promise<ProcessAnswer> {
  const { promise, resolve } = Promise.withResolvers<ProcessAnswer>();
  const limit = limits.time(bytes.length);
  const giveUp = (message: string) => resolve(tooComplex(request, message, true));
  const time = setTimeout(() => giveUp(`it took more than ${limit / 1000} s`), limit);
  const memory = setInterval(() => {
    if (memoryInUse() > limits.memory) {
      giveUp(`it needed more than ${limits.memory / 1_000_000} MB of memory`);
    }
  }, MEMORY_LOOK_MS);
  thread.onerror = (event) => {
    event.preventDefault();
    giveUp(event.message);
  };
  thread.onmessage = ({ data }: MessageEvent<ProcessAnswer>) => {
    const { length } = data.body;
    resolve(length > MAX_TEXT_BYTES ? tooComplex(request, `it has ${length} bytes of text`) : data);
  };
  thread.postMessage({ request, bytes }, [bytes.buffer]);
  return promise.finally(() => {
    clearTimeout(time);
    clearInterval(memory);
  });
}

/** `last`: the thread cannot be used again, so the process ends. */
function tooComplex({ id }: ExtractRequest, message: string, last = false): ProcessAnswer {
  const error = { problem: "too_complex", message } as const;
  return { response: { id, error, ...(last ? { last } : {}) }, body: new Uint8Array() };
}
