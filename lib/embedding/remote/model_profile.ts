/** The properties of a family of models. */
export interface ModelProfile {
  /** Instruction before a query. */
  readonly query: string;
  /** Instruction before a document. */
  readonly document: string;
  /** Tokens that a text may have, the instruction included. */
  readonly window: number;
}

const RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query";
const REPRESENT = "Represent this sentence for searching relevant passages: ";

/** Defaults for a model that is not in the table. Its server cuts or refuses texts that are too long. */
const UNKNOWN: ModelProfile = { query: "", document: "", window: 8192 };

/**
 * The first pattern that matches the model's name counts. Instructions and windows are those of the model cards. A name may
 * be that of a file or a deployment, so the patterns match only the part that names the family.
 */
const PROFILES: readonly (readonly [RegExp, Partial<ModelProfile>])[] = [
  [/qwen3-?(?:vl-?)?embedding/, { query: `Instruct: ${RETRIEVE}\nQuery:`, window: 32_768 }],
  [/gte-qwen/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 32_768 }],
  [/e5-mistral|sfr-embedding/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 4096 }],
  [/\be5-.*instruct/, { query: `Instruct: ${RETRIEVE}\nQuery: `, window: 512 }],
  [/\be5-/, { query: "query: ", document: "passage: ", window: 512 }],
  [/bge-(?:small|base|large)-zh/, { query: "为这个句子生成表示以用于检索相关文章：", window: 512 }],
  [/bge-(?:small|base|large)/, { query: REPRESENT, window: 512 }],
  [/bge-m3/, {}],
  [/nomic-embed/, { query: "search_query: ", document: "search_document: ", window: 2048 }],
  [/mxbai-embed/, { query: REPRESENT, window: 512 }],
  [/arctic-embed.*(?:v2|2\.0)/, { query: "query: " }],
  [/arctic-embed/, { query: REPRESENT, window: 512 }],
  [/embedding-?gemma/, {
    query: "task: search result | query: ",
    document: "title: none | text: ",
    window: 2048,
  }],
  [/minilm|paraphrase-|gte-(?:small|base|large)|all-mpnet|granite-embedding|bce-embedding|m3e-/, {
    window: 512,
  }],
  [/text-embedding-v[12]\b/, { window: 2048 }],
];

/**
 * Returns the properties of a model by its name.
 *
 * ```ts
 * import { modelProfile } from "./model_profile.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(modelProfile("nomic-embed-text:latest").query, "search_query: ");
 * assert.equal(modelProfile("text-embedding-qwen3-embedding-4b").window, 32_768);
 * ```
 */
export function modelProfile(model: string): ModelProfile {
  const name = model.toLowerCase().replaceAll("_", "-");
  return { ...UNKNOWN, ...PROFILES.find(([pattern]) => pattern.test(name))?.[1] };
}
