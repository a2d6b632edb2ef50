/**
 * The names under which collectors know the stages and their facts: those of OpenInference 2.12 (Arize Phoenix) and those of
 * OpenTelemetry's GenAI conventions 0.1.0, which depend on semantic conventions 1.45.0. All names are here and nowhere else.
 */
import type { Candidate, Facts, Stage } from "#foundation/span.ts";
import { type Attributes, KIND, type OtlpSpan, type Value } from "./otlp.ts";

/** `openinference.span.kind`. */
type Kind = "CHAIN" | "RETRIEVER" | "EMBEDDING" | "RERANKER" | "LLM";

/** How a stage is called. `operation`: `gen_ai.operation.name`. */
interface Convention {
  readonly kind: Kind;
  readonly operation?: "retrieval" | "embeddings" | "chat";
}

const CHAIN: Convention = { kind: "CHAIN" };
const RETRIEVER: Convention = { kind: "RETRIEVER", operation: "retrieval" };
const LLM: Convention = { kind: "LLM", operation: "chat" };

const CONVENTIONS: Readonly<Record<Stage, Convention>> = {
  query: { kind: "CHAIN", operation: "retrieval" },
  // deno-lint-ignore camelcase -- the name of a stage
  query_processing: CHAIN,
  keyword: RETRIEVER,
  translation: RETRIEVER,
  vector: RETRIEVER,
  neural: RETRIEVER,
  rewrite: LLM,
  fusion: CHAIN,
  rerank: { kind: "RERANKER" },
  selection: CHAIN,
  passages: CHAIN,
  freshness: CHAIN,
  answer: LLM,
  check: CHAIN,
  ingestion: CHAIN,
  walk: CHAIN,
  file: CHAIN,
  load: CHAIN,
  split: CHAIN,
  transform: CHAIN,
  embed: { kind: "EMBEDDING", operation: "embeddings" },
  store: CHAIN,
  recognise: CHAIN,
  generate: LLM,
};

/** Our providers under the names that the GenAI conventions list. Others keep their names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  google: "gcp.gemini",
  gemini: "gcp.gemini",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  xai: "x_ai",
};

/** Providers that run in this process. */
const INSIDE = new Set(["builtin", "local", "maxsim", "none"]);

/** The attribute of OpenInference for a model. */
const MODEL_NAMES: Readonly<Partial<Record<Kind, string>>> = {
  EMBEDDING: "embedding.model_name",
  RERANKER: "reranker.model_name",
  LLM: "llm.model_name",
};

/**
 * Facts whose texts come from the program's own lists of names, never from a document, a question or a path. The texts of
 * other facts stay here unless texts may be sent.
 */
const NAMES = new Set([
  "method",
  "provider",
  "model",
  "reason",
  "fallback",
  "mode",
  "fusion",
  "format",
  "kind",
  "status",
  "outcome",
  "verdict",
  "freshness",
  "cause",
  "language",
  "tool",
  "strategy",
]);

/** Most documents of a span, and most attributes. Collectors keep 128 attributes unless they are told otherwise. */
const MOST_DOCUMENTS = 30;
const MOST_ATTRIBUTES = 128;
/** Most UTF-16 units of an attribute's text. */
const MOST_CHARS = 8192;

/** A stage with its facts. */
export interface ToldStage {
  readonly stage: Stage;
  readonly facts: Facts;
  /** Absent where texts must not be sent. */
  readonly texts?: Facts | undefined;
  readonly error?: string | undefined;
}

/** Returns the name, the kind and the attributes of a stage for a collector. */
export function conventional(
  { stage, facts, texts, error }: ToldStage,
): Pick<OtlpSpan, "name" | "kind" | "attributes" | "droppedAttributes" | "error"> {
  const { provider, model } = modelOf(facts);
  const { kind: given, operation } = CONVENTIONS[stage];
  // Rules of the program can do what a language model does.
  const kind = given === "LLM" && model === undefined && isInside(provider) ? "CHAIN" : given;
  const all: Record<string, Value> = { "openinference.span.kind": kind };
  const add = (name: string, value: unknown) => {
    const readable = valueOf(value);
    if (readable !== undefined) all[name] = readable;
  };
  if (operation !== undefined && kind !== "CHAIN" || stage === "query") {
    add("gen_ai.operation.name", operation);
  }
  if (provider !== undefined && (operation !== undefined || kind === "RERANKER")) {
    add("gen_ai.provider.name", PROVIDERS[String(provider)] ?? provider);
    if (kind === "LLM") add("llm.provider", provider);
  }
  if (model !== undefined) {
    if (operation !== undefined || kind === "RERANKER") add("gen_ai.request.model", model);
    const name = MODEL_NAMES[kind];
    if (name !== undefined) add(name, model);
  }
  addTokens(facts, kind, add);
  addTexts(stage, texts, add);
  if (error !== undefined) add("error.type", error);
  const { candidates: _, ...others } = facts;
  addFacts("muxue_rag", others, texts !== undefined, add);
  const documents = documentsOf(facts, kind, texts !== undefined);
  const limit = MOST_ATTRIBUTES - Object.keys(documents).length;
  const entries = Object.entries(all);
  const message = texts?.["error"];
  return {
    name: nameOf(stage, kind, operation, model),
    kind: isInside(provider) || kind === "CHAIN" ? KIND.internal : KIND.client,
    attributes: { ...Object.fromEntries(entries.slice(0, limit)), ...documents },
    droppedAttributes: Math.max(0, entries.length - limit),
    error: typeof message === "string" ? shortened(message) : error,
  };
}

/** The provider and the model of a stage. The fact `provider` may be the id of a model, such as `openai/gpt-5`. */
function modelOf({ provider, model }: Facts): { readonly provider: unknown; readonly model: unknown } {
  if (model !== undefined || typeof provider !== "string") return { provider, model };
  const slash = provider.indexOf("/");
  if (slash < 0) return { provider, model };
  return { provider: provider.slice(0, slash), model: provider.slice(slash + 1) || undefined };
}

/** `chat MODEL` and `embeddings MODEL`, as the GenAI conventions name calls of models; else the stage. */
function nameOf(stage: Stage, kind: Kind, operation: string | undefined, model: unknown): string {
  const isCall = (kind === "LLM" || kind === "EMBEDDING") && typeof model === "string" && model !== "";
  return isCall ? `${operation} ${shortened(model)}` : stage;
}

function isInside(provider: unknown): boolean {
  return provider === undefined || INSIDE.has(String(provider));
}

type Add = (name: string, value: unknown) => void;

/** Tokens of a language model: the fact `usage`. */
function addTokens({ usage }: Facts, kind: Kind, add: Add): void {
  if (kind !== "LLM" || typeof usage !== "object" || usage === null) return;
  const { inputTokens, outputTokens } = usage as Record<string, unknown>;
  add("gen_ai.usage.input_tokens", inputTokens);
  add("gen_ai.usage.output_tokens", outputTokens);
  add("llm.token_count.prompt", inputTokens);
  add("llm.token_count.completion", outputTokens);
}

/** Adds the question, or the path of a file, and the answer. */
function addTexts(stage: Stage, texts: Facts | undefined, add: Add): void {
  if (texts === undefined) return;
  const { question, path, sentence, words } = texts;
  add("input.value", question ?? path);
  if (stage === "query") add("gen_ai.retrieval.query.text", question);
  add("output.value", sentence ?? words);
}

/** Every fact under its own name: numbers and truth values always, texts if they are names of the program's. */
function addFacts(prefix: string, facts: Facts, withTexts: boolean, add: Add): void {
  for (const [key, value] of Object.entries(facts)) {
    const name = `${prefix}.${key}`;
    const isOpen = withTexts || NAMES.has(key) || typeof value === "number" || typeof value === "boolean";
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      addFacts(name, value as Facts, withTexts, add);
    } else if (isOpen) {
      add(name, value);
    }
  }
}

/** The candidates of a stage as documents: with scores, without texts, and with paths only where texts may be sent. */
function documentsOf({ candidates }: Facts, kind: Kind, withPaths: boolean): Attributes {
  if (!Array.isArray(candidates)) return {};
  const listed = (candidates as readonly Candidate[]).slice(0, MOST_DOCUMENTS);
  const prefix = kind === "RERANKER" ? "reranker.output_documents" : "retrieval.documents";
  const attributes: Record<string, Value> = {};
  for (const [i, { chunk, score, path, rank }] of listed.entries()) {
    const document = `${prefix}.${i}.document`;
    attributes[`${document}.id`] = shortened(String(chunk));
    attributes[`${document}.score`] = Number(score);
    if (withPaths && path !== undefined) {
      attributes[`${document}.metadata`] = JSON.stringify({ path: shortened(path), rank });
    }
  }
  if (kind === "RETRIEVER") {
    const scores = listed.map(({ chunk, score }) => ({ id: String(chunk), score }));
    attributes["gen_ai.retrieval.documents"] = JSON.stringify(scores);
  }
  return attributes;
}

/** A value as an attribute; `undefined` if it cannot be one. */
function valueOf(value: unknown): Value | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "string") return shortened(value);
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MOST_ATTRIBUTES).map((item) => valueOf(item) ?? shortened(String(item)));
}

function shortened(text: string): string {
  return (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text).toWellFormed();
}
