import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import { readNamed, statNamed } from "../sandbox/mod.ts";
import type { ThreadModel } from "./model_thread.ts";
import type { Use } from "./thread/messages.ts";

/** A file of a model. */
export interface HashedFile {
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal digits. A file with another content is refused. */
  readonly sha256: string;
}

/** The files of a model. */
export interface ModelFiles {
  readonly model: HashedFile;
  readonly tokenizer: HashedFile;
}

/** Settings of every model. */
export interface ModelSettings {
  /** Most tokens of a text or a pair. */
  readonly maxTokens: number;
}

/** Bytes of an ONNX file. Larger ones have their weights in other files. */
const MOST_BYTES = 2 ** 31;

/** Memory of the runtime beside copies of the model's weights, in bytes. */
const MEMORY = 2 ** 29;
const COPIES = 6;

/** Returns a file of a model with its hash. Throws the errors of the system. */
export async function hashedFile(path: string): Promise<HashedFile> {
  const bytes = await readModelFile(path);
  const sha256 = sha256Of(bytes);
  // Frees the memory at once.
  bytes.buffer.transfer(0);
  return { path, sha256 };
}

/** Returns the model of files for a thread. */
export function loadOf(
  { model, tokenizer }: ModelFiles,
  { maxTokens }: ModelSettings,
  use: Use,
): ThreadModel {
  return {
    path: model.path,
    tokenizerPath: tokenizer.path,
    load: async () => {
      const [modelBytes, tokenizerBytes] = [await readChecked(model), await readChecked(tokenizer)];
      const memory = Math.min(2 ** 32, MEMORY + modelBytes.length * COPIES);
      return { model: modelBytes, tokenizer: tokenizerBytes, use, maxTokens, memory };
    },
  };
}

async function readChecked({ path, sha256 }: HashedFile): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readModelFile(path);
  if (sha256Of(bytes) !== sha256) throw new UserError("neural_changed_file", { path });
  return bytes;
}

async function readModelFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if ((await statNamed(path)).size > MOST_BYTES) {
    throw new UserError("neural_model_invalid", { path, problem: `it has more than ${MOST_BYTES} bytes` });
  }
  return await readNamed(path);
}

/** `crypto.subtle` would keep a copy of the bytes for a while. */
function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
