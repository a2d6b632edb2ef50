/**
 * Writes a tiny cross-encoder for tests into a folder: `model.onnx` and `tokenizer.json`.
 *
 *     deno run -A --config deno.dev.json scripts/tiny_cross_encoder.ts FOLDER WORD…
 *
 * Its logit is the number of occurrences of the words that question and text share, less {@linkcode THRESHOLD}.
 */
import { join } from "node:path";
import { INPUTS, type Node, onnxModel, TYPES } from "./onnx_model.ts";

/** Words that the model knows besides its own: the order is that of their tokens. */
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/** Shared words of a text that answers the question with a probability of one half. */
const THRESHOLD = 2;

/** The files of a tiny model. */
export interface TinyModel {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly tokenizer: string;
}

/** Returns a cross-encoder that knows these words, in small letters. */
export function tinyCrossEncoder(words: readonly string[]): TinyModel {
  return { model: modelOf(words.length), tokenizer: tokenizerOf(words) };
}

/** Writes a model into a folder, which must exist. */
export async function writeTinyModel(folder: string, { model, tokenizer }: TinyModel): Promise<void> {
  await Deno.writeFile(join(folder, "model.onnx"), model);
  await Deno.writeTextFile(join(folder, "tokenizer.json"), tokenizer);
}

/**
 * The embedding of a word is 1 at its place and 0 elsewhere, those of the special tokens are 0. The sums over the tokens of the
 * question and of the text count their words; the product of the sums counts the words that they share.
 *
 *     input_ids ── Gather ── E ─┬─ × (1 − types) · mask ── Σ tokens ── question ─┬─ × ── Σ words ── − threshold ── logits
 *                               └─ × types · mask ──────── Σ tokens ── text ─────┘
 */
function modelOf(words: number): Uint8Array<ArrayBuffer> {
  const tokens = SPECIAL.length + words;
  const embeddings = Array<number>(tokens * words).fill(0);
  for (let word = 0; word < words; word++) embeddings[(SPECIAL.length + word) * words + word] = 1;
  const step = (
    operator: string,
    inputs: string,
    output: string,
    attributes: Node["attributes"] = {},
  ): Node => (
    { operator, inputs: inputs.split(" "), outputs: [output], attributes }
  );
  return onnxModel({
    inputs: INPUTS,
    constants: [
      { name: "embeddings", type: "float", shape: [tokens, words], values: embeddings },
      { name: "last", type: "int64", shape: [1], values: [2] },
      { name: "tokens", type: "int64", shape: [1], values: [1] },
      { name: "threshold", type: "float", shape: [1], values: [THRESHOLD] },
    ],
    nodes: [
      step("Gather", "embeddings input_ids", "E"),
      step("Cast", "token_type_ids", "types", { to: TYPES.float }),
      step("Cast", "attention_mask", "mask", { to: TYPES.float }),
      step("Mul", "types mask", "in_text"),
      step("Sub", "mask in_text", "in_question"),
      step("Unsqueeze", "in_text last", "in_text_3"),
      step("Unsqueeze", "in_question last", "in_question_3"),
      step("Mul", "E in_text_3", "E_text"),
      step("Mul", "E in_question_3", "E_question"),
      step("ReduceSum", "E_text tokens", "text", { keepdims: 0 }),
      step("ReduceSum", "E_question tokens", "question", { keepdims: 0 }),
      step("Mul", "text question", "shared"),
      step("ReduceSum", "shared tokens", "count", { keepdims: 1 }),
      step("Sub", "count threshold", "logits"),
    ],
    outputs: [["logits", "float", ["batch", 1]]],
  });
}

function tokenizerOf(words: readonly string[]): string {
  const vocab = Object.fromEntries([...SPECIAL, ...words].map((word, id) => [word, id]));
  const special = (id: string, type: number) => ({ SpecialToken: { id, "type_id": type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, "type_id": type } });
  return JSON.stringify({
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      ...{ id, content, special: true, normalized: false },
      ...{ "single_word": false, lstrip: false, rstrip: false },
    })),
    normalizer: {
      type: "BertNormalizer",
      ...{ "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, lowercase: true },
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
      pair: [
        ...[special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
        ...[sequence("B", 1), special("[SEP]", 1)],
      ],
      special_tokens: Object.fromEntries(
        ["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }]),
      ),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      ...{ "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100 },
      vocab,
    },
  });
}

if (import.meta.main) {
  const [folder = "", ...words] = Deno.args;
  await writeTinyModel(folder, tinyCrossEncoder(words));
}
