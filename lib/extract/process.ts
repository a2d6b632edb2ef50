/**
 * The main thread of an extractor process. It passes documents from stdin to the parsing thread and texts to stdout, and ends
 * the process when a document exceeds its limits: a thread that is busy in a loop cannot be ended in another way
 * (`Worker.terminate` waits for its event loop), and a full heap ends the process in any case. The program then starts
 * another process for the next document.
 * @module
 */
import type { ExtractRequest, ExtractResponse } from "../document/mod.ts";
import { PROGRAM_FILES, PROGRAM_ROOT } from "../program_root.ts";
import { encodeFrame, FrameDecoder } from "./frames.ts";
import { type ExtractLimits, LIMITS, MAX_FRAME_BYTES, MAX_TEXT_BYTES, MEMORY_LOOK_MS } from "./limits.ts";
import { READY } from "./ready.ts";

/** The argument by which main.ts knows that it is to be an extractor process. */
export const EXTRACT_ARGUMENT = "__extract";

/** Exit code after a document that exceeded its limits. */
const EXIT_LIMIT = 3;

/** Permissions of a thread that may touch nothing. */
const NOTHING: Deno.PermissionOptionsObject = {
  read: false,
  write: false,
  net: false,
  env: false,
  run: false,
  ffi: false,
  sys: false,
  import: false,
};

/** The parsing thread's answer for one document. */
interface Answer {
  readonly response: ExtractResponse;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * Serves documents until stdin ends, which also ends a document that is being read: the program that wanted it has gone, or
 * wants it no longer. `module`: what the parsing thread runs. Gives the exit code.
 */
export async function runExtractor(
  module: URL = new URL("lib/document/thread/worker.ts", PROGRAM_ROOT),
  limits: ExtractLimits = LIMITS,
): Promise<number> {
  const thread = await startThread(module);
  // The modules are loaded: from here on the process can touch nothing but its pipes.
  for (const name of ["read", "write", "net", "env", "run", "ffi", "sys", "import"]) {
    // the types do not know `import`
    Deno.permissions.revokeSync({ name } as Deno.PermissionDescriptor);
  }
  await writeAll(encodeFrame(READY, new Uint8Array()));
  const decoder = new FrameDecoder(MAX_FRAME_BYTES);
  const pieces = Deno.stdin.readable[Symbol.asyncIterator]();
  for (let next = pieces.next();;) {
    const { done, value: piece } = await next;
    if (done) return 0;
    next = pieces.next();
    for (const { header, body } of decoder.push(piece)) {
      const answer = answerTo(thread, header as ExtractRequest, body, limits);
      const given = await Promise.race([answer, endOf(next)]);
      if (given === undefined) return 0;
      const { response, body: text } = given;
      // what a document leaves behind must not be counted against the next one
      const last = response.last || Deno.memoryUsage().rss > limits.memory / 2;
      await writeAll(encodeFrame(last ? { ...response, last } : response, text));
      if (last) return response.last ? EXIT_LIMIT : 0;
    }
  }
}

/** Resolves when the stream ends with this piece, and never where it does not. */
async function endOf(piece: Promise<IteratorResult<Uint8Array>>): Promise<undefined> {
  if (!(await piece).done) await new Promise(() => {});
}

/** The thread without permissions, once its modules are loaded. */
async function startThread(module: URL): Promise<Worker> {
  // Grammars and tables of characters are modules that are loaded when a file needs them. From source that is reading the
  // program's own files; the modules of an executable are in it.
  const permissions = Deno.build.standalone ? "none" : { ...NOTHING, read: [PROGRAM_FILES] };
  const thread = new Worker(module, { type: "module", name: "extract", deno: { permissions } });
  await new Promise<void>((resolve, reject) => {
    thread.onmessage = () => resolve();
    thread.onerror = (event) => reject(new Error(event.message));
  });
  return thread;
}

/** The thread's result for a document, or the news that it took too much time or memory. */
function answerTo(
  thread: Worker,
  request: ExtractRequest,
  bytes: Uint8Array<ArrayBuffer>,
  limits: ExtractLimits,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const limit = limits.time(bytes.length);
  const giveUp = (message: string) => resolve(tooComplex(request, message, true));
  const time = setTimeout(() => giveUp(`it took more than ${limit / 1000} s`), limit);
  const memory = setInterval(() => {
    if (Deno.memoryUsage().rss > limits.memory) {
      giveUp(`it needed more than ${limits.memory / 1_000_000} MB of memory`);
    }
  }, MEMORY_LOOK_MS);
  thread.onerror = (event) => {
    event.preventDefault();
    giveUp(event.message);
  };
  thread.onmessage = ({ data }: MessageEvent<Answer>) => {
    const { length } = data.body;
    resolve(length > MAX_TEXT_BYTES ? tooComplex(request, `${length} bytes of text`) : data);
  };
  thread.postMessage({ request, bytes }, [bytes.buffer]);
  return promise.finally(() => {
    clearTimeout(time);
    clearInterval(memory);
  });
}

/** `last`: the thread cannot be used again, so the process ends. */
function tooComplex({ id }: ExtractRequest, message: string, last = false): Answer {
  const error = { problem: "too_complex", message } as const;
  return { response: { id, error, ...(last ? { last } : {}) }, body: new Uint8Array() };
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}
