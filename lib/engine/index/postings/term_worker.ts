/// <reference lib="deno.worker" />
/** The thread of {@linkcode TermThread}. */
import { ByteBuffer } from "../bytes.ts";
import { ChunkTerms } from "./chunk_terms.ts";
import { IndexTooLargeError } from "./format.ts";
import type { TermAnswer, TermRequest } from "./term_thread.ts";

/** Bytes of posting lists that are sent at once, at least. */
const PIECE_BYTES = 1 << 20;

const terms = new ChunkTerms();

self.onmessage = async ({ data }: MessageEvent<TermRequest>) => {
  try {
    if (data === "finish") await finish();
    else add(data);
  } catch (error) {
    const isTooLarge = error instanceof IndexTooLargeError;
    post({ failure: error instanceof Error ? error.message : String(error), isTooLarge });
  }
};

function add({ bytes, ends }: Exclude<TermRequest, "finish">): void {
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
    post({ lists: piece.view() }, [piece.bytes.buffer]);
    piece = new ByteBuffer();
  };
  const write = (bytes: Uint8Array) => {
    piece.append(bytes);
    if (piece.length >= PIECE_BYTES) send();
  };
  const written = await terms.write([], write, () => Promise.resolve());
  send();
  const { facts } = terms;
  const arrays = [...written.sections.map(([, content]) => content), ...Object.values(facts)];
  post({ done: { ...written, facts } }, [...new Set(arrays.map(({ buffer }) => buffer))]);
}

function post(answer: TermAnswer, transfer: Transferable[] = []): void {
  self.postMessage(answer, transfer);
}
