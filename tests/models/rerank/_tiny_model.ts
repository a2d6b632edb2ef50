import { join } from "node:path";
import { tinyCrossEncoder, writeTinyModel } from "../../../scripts/tiny_cross_encoder.ts";

/** A folder with a tiny cross-encoder that counts the words that question and text share, removed on disposal. */
export async function tinyModel(
  words: readonly string[],
): Promise<AsyncDisposable & { readonly folder: string; readonly file: string }> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  await writeTinyModel(folder, tinyCrossEncoder(words));
  return {
    folder,
    file: join(folder, "model.onnx"),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
