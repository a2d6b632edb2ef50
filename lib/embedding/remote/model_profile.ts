/** What is known of a family of models. */
export interface ModelProfile {
  /** Put before a question. */
  readonly query: string;
  /** Put before a text that is searched. */
  readonly document: string;
  /** Tokens that the model takes in. */
  readonly window: number;
}

const RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query";
const REPRESENT = "Represent this sentence for searching relevant passages: ";

/** What a model that is not in the table is taken for; its server cuts or refuses what is too long for it. */
const UNKNOWN: ModelProfile = { query: "", document: "", window: 8192 };

/**
 * By name, the first that fits. Instructions and windows are those of the model cards; a name may be that of a file or a
 * deployment, so only the part that names the family counts.
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

/** What is known of a model by its name: `text-embedding-qwen3-embedding-4b`, `BAAI/bge-m3`, `nomic-embed-text:latest`. */
export function modelProfile(model: string): ModelProfile {
  const name = model.toLowerCase().replaceAll("_", "-");
  return { ...UNKNOWN, ...PROFILES.find(([pattern]) => pattern.test(name))?.[1] };
}
