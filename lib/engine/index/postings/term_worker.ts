/// <reference lib="deno.worker" />
/** The thread of {@linkcode TermThread}. */
import { ByteBuffer } from "../bytes.ts";
import { ChunkTerms } from "./chunk_terms.ts";
import { IndexTooLargeError } from "./format.ts";
import type { TermAnswer, TermRequest } from "./term_thread.ts";

/** Bytes of posting lists that are sent at once, at least. */
const PIECE_BYTES = 1 << 18;
/** Pieces that may wait for the caller to write them. With more, the lists would fill the memory while the disk is slow. */
const MOST_UNWRITTEN = 4;

const terms = new ChunkTerms();
let unwritten = 0;
/** Continues {@linkcode finish}, which waits for the caller. */
let wake = () => {};

self.onmessage = async ({ data }: MessageEvent<TermRequest>) => {
  try {
    if (data === "written") {
      unwritten--;
      wake();
    } else if (data === "finish") await finish();
    else add(data);
  } catch (error) {
    const isTooLarge = error instanceof IndexTooLargeError;
    post({ failure: error instanceof Error ? error.message : String(error), isTooLarge });
  }
};

function add({ bytes, ends }: Exclude<TermRequest, string>): void {
  for (let i = 0, start = 0; i < ends.length; i += 2) {
    const [textEnd, contextEnd] = [ends[i]!, ends[i + 1]!];
    terms.add(bytes.subarray(start, textEnd), bytes.subarray(textEnd, contextEnd));
    start = contextEnd;
  }
  post({ free: bytes }, [bytes.buffer]);
}

async function finish(): Promise<void> {
  let piece = new ByteBuffer();
  const send = () => {
    unwritten++;
    post({ lists: piece.view() }, [piece.bytes.buffer]);
    piece = new ByteBuffer();
  };
  const write = (bytes: Uint8Array) => {
    piece.append(bytes);
    if (piece.length >= PIECE_BYTES) send();
  };
  const done = await terms.write([], write, caughtUp);
  send();
  const arrays = [...done.sections.map(([, content]) => content), ...Object.values(done.facts)];
  post({ done }, [...new Set(arrays.map(({ buffer }) => buffer))]);
}

/** Waits while too many pieces are not written yet. */
async function caughtUp(): Promise<void> {
  while (unwritten >= MOST_UNWRITTEN) await new Promise<void>((resolve) => wake = resolve);
}

function post(answer: TermAnswer, transfer: Transferable[] = []): void {
  self.postMessage(answer, transfer);
}
