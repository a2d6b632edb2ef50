import { testModel } from "../models/neural/_models.ts";
import { fileAnswer, type RawAnswer, type RawRequest, RawServer } from "../models/install/_raw_server.ts";

/** Paths that the program asks the hub for when it installs `zh`. */
const BASE = "/Xenova/bge-small-zh-v1.5/resolve/75c43b069aac4d136ba6bc1122f995fedcfd2781";

/** The real files of `zh`, by their paths at the hub. */
export async function hubFiles(): Promise<Record<string, Uint8Array>> {
  const folder = await testModel("zh");
  const packed = await Deno.open(`${folder}/tokenizer.json.gz`);
  return {
    [`${BASE}/onnx/model_quantized.onnx`]: await Deno.readFile(`${folder}/onnx/model_quantized.onnx`),
    [`${BASE}/tokenizer.json`]: await new Response(
      packed.readable.pipeThrough(new DecompressionStream("gzip")),
    ).bytes(),
  };
}

/**
 * A server like the hub of models: it redirects to a signed address, where a file can be continued. `answer` may replace the answer
 * to a request; `whole` is what it would be. Requests through a proxy name the whole address.
 */
export function modelHub(
  files: Record<string, Uint8Array>,
  answer: (request: RawRequest, whole: RawAnswer, count: number) => RawAnswer | "silence" = (_, whole) =>
    whole,
): RawServer {
  return new RawServer((request, count) => {
    const path = request.path.replace(/^http:\/\/[^/]+/, "");
    const [file = "", query] = path.split("?");
    const bytes = files[file];
    const whole = bytes === undefined
      ? { status: 404 }
      : query === undefined
      ? { status: 302, headers: { location: `${file}?signature=abc`, "x-linked-etag": '"other"' } }
      : fileAnswer(request, bytes, '"cdn"');
    return answer(request, whole, count);
  });
}
