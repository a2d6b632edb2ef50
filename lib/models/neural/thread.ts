/// <reference lib="deno.worker" />
/**
 * A thread that runs one model, without permissions. Its first message has the model, each later one a text. It answers each
 * message before the next one comes.
 */
import { TextTokenizer } from "./tokenizer.ts";
import { type Load, Network, NetworkError, type Task, type ThreadAnswer } from "./network.ts";
import { giveUpReading } from "#foundation/boundary/held_files.ts";

giveUpReading();

let tokenizer: TextTokenizer;
let network: Network;

self.onmessage = async ({ data }: MessageEvent<Load | Task>) => {
  try {
    if ("model" in data) {
      await load(data);
      answer({ loaded: true });
    } else answer({ values: await resultOf(data) });
  } catch (error) {
    // Thrown on, an error would be printed to the program's output.
    const failure = error instanceof NetworkError
      ? error.failure
      : { kind: "model_invalid", params: { problem: String(error) } } as const;
    answer({ failure });
  }
};

async function load({ model, tokenizer: bytes, use, maxTokens, memory }: Load): Promise<void> {
  try {
    tokenizer = new TextTokenizer(bytes, maxTokens);
    tokenizer.tokens("a");
  } catch (error) {
    throw new NetworkError("tokenizer_invalid", { problem: (error as Error).message });
  }
  const probe = use.kind === "scores" ? tokenizer.pair("a", "b") : tokenizer.tokens("a");
  network = await Network.load({ model, use, memory }, probe);
  // The network has copies. Waiting for the garbage collector, these bytes would take more memory than the model.
  for (const unused of [model.buffer, bytes.buffer]) unused.transfer(0);
}

async function resultOf({ text, question }: Task): Promise<Float32Array<ArrayBuffer>> {
  return await network.result(
    question === undefined ? tokenizer.tokens(text) : tokenizer.pair(question, text),
  );
}

function answer(message: ThreadAnswer): void {
  self.postMessage(message, "values" in message ? [message.values.buffer] : []);
}
