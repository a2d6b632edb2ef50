/**
 * Local models as providers: a Chinese and an English one, each text routed by its scripts.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { Config } from "#foundation/configuration/mod.ts";
import { UserError } from "#foundation/errors.ts";
import {
  EncoderPool,
  type HashedFile,
  hashedFile,
  type ModelDescription,
  modelFilePaths,
  type ModelFiles,
  type ModelFolder,
  readModelFolder,
  type ThreadOptions,
} from "#models/neural/mod.ts";
import { isMissing, statNamed } from "#foundation/boundary/mod.ts";
import { toSimplified } from "#foundation/simplified.ts";
import type { EmbeddingKind, EmbeddingProvider } from "./provider.ts";

/** The languages that there are models for. */
const LANGUAGES: readonly LocalLanguage[] = ["zh", "en"];

/** Settings of both models. */
export type LocalSettings = Config["embedding"]["local"];

/** Options of {@linkcode LocalModels.open}. */
export interface LocalOptions extends ThreadOptions {
  /** The user's folder of installed models; `null` if there is none. */
  readonly modelsDir: string | null;
  /** Called with the reason for each installed model that cannot be used, if the other one can. */
  readonly onProblem?: (problem: UserError) => void;
}

/** For models without `model.json`. Most sentence models pool this way, and BERT reads no more tokens. */
const POOLING = "mean";
const TOKENS = 512;

/** The models that run in this program: one for Chinese, one for English, or only one of them. */
export class LocalModels implements NeuralModels, Disposable {
  /** By language, without languages that have no model. */
  readonly providers: ReadonlyMap<LocalLanguage, LocalProvider>;

  private constructor(providers: ReadonlyMap<LocalLanguage, LocalProvider>) {
    this.providers = providers;
  }

  /**
   * Finds the models. The files without `model.json` are read for the hashes in the ids; the models are loaded with the
   * first text. Throws a {@linkcode UserError} if a configured model cannot be used, or if no model can.
   */
  static async open(
    settings: LocalSettings,
    { modelsDir, onProblem, ...options }: LocalOptions,
  ): Promise<LocalModels> {
    const providers = new Map<LocalLanguage, LocalProvider>();
    const problems: UserError[] = [];
    let missing: UserError | undefined;
    for (const language of LANGUAGES) {
      const path = settings[language].path ?? (modelsDir === null ? null : join(modelsDir, language));
      if (path === null) continue;
      try {
        providers.set(language, await open(path, settings[language], language, options));
      } catch (error) {
        const isInstalled = settings[language].path === null;
        if (!isInstalled || !(error instanceof UserError)) throw error;
        if (error.key === "neural_no_model" && !await isFolder(path)) missing ??= error;
        else problems.push(error);
      }
    }
    if (providers.size === 0) throw problems[0] ?? missing ?? new UserError("neural_no_folder");
    for (const problem of problems) onProblem?.(problem);
    return new LocalModels(providers);
  }

  /** The languages of {@linkcode routesOf} that have a model. */
  readonly routesOf = (text: string): readonly LocalLanguage[] =>
    routesOf(text).filter((language) => this.providers.has(language));

  /** Ends the threads. */
  [Symbol.dispose](): void {
    for (const provider of this.providers.values()) provider[Symbol.dispose]();
  }
}

/** The paths that {@linkcode LocalModels.open} and its models may read: files, and folders of installed models. */
export function localModelPaths(settings: LocalSettings, modelsDir: string | null): string[] {
  return LANGUAGES.flatMap((language) => {
    const { path } = settings[language];
    if (path !== null) return modelFilePaths(path);
    return modelsDir === null ? [] : [join(modelsDir, language)];
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await statNamed(path)).isDirectory;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function open(
  path: string,
  settings: LocalSettings[LocalLanguage],
  language: LocalLanguage,
  options: ThreadOptions,
): Promise<LocalProvider> {
  const folder = await readModelFolder(path);
  const { description } = folder;
  return new LocalProvider({
    name: description?.name ?? basename(path),
    files: { model: await hashed(folder, "model"), tokenizer: await hashed(folder, "tokenizer") },
    pooling: settings.pooling ?? description?.pooling ?? POOLING,
    dimensions: settings.dimensions ?? description?.dimensions,
    maxTokens: settings.max_tokens ?? description?.maxTokens ?? TOKENS,
    queryPrefix: settings.prefix ?? description?.queryPrefix ?? "",
    documentPrefix: settings.document_prefix ?? description?.documentPrefix ?? "",
    simplifies: language === "zh",
  }, options);
}

/** A file with the hash in `model.json`, or else that of its content. */
async function hashed(
  { description, ...paths }: ModelFolder,
  file: "model" | "tokenizer",
): Promise<HashedFile> {
  const path = paths[file];
  const known = description?.files[basename(path)];
  return known === undefined ? await hashedFile(path) : { path, sha256: known.sha256 };
}

/** Raised if the vector of a text changes although the model does not. */
const LOCAL_VERSION = 1;

/** A model and how it is used. */
interface LocalModel
  extends Pick<ModelDescription, "name" | "pooling" | "maxTokens" | "queryPrefix" | "documentPrefix"> {
  readonly files: ModelFiles;
  /** `undefined` if nothing tells them before the model is loaded. */
  readonly dimensions: number | undefined;
  /** Whether traditional Chinese characters become simplified ones, because the model knows few of them. */
  readonly simplifies: boolean;
}

/** Vectors from a model that runs in threads of this program. It is loaded with the first text. */
class LocalProvider implements EmbeddingProvider, Disposable {
  /** Holds a hash of the model's files and of every setting that changes vectors. */
  readonly id: string;
  readonly name: string;
  readonly dimensions: number | undefined;
  readonly #model: LocalModel;
  readonly #pool: EncoderPool;

  /** Reads nothing. */
  constructor(model: LocalModel, options: ThreadOptions) {
    this.id = idOf(model);
    this.name = model.name;
    this.dimensions = model.dimensions;
    this.#model = model;
    this.#pool = new EncoderPool(model.files, model, options);
  }

  /** See {@linkcode EmbeddingProvider.embed}. A question overtakes documents. */
  async embed(
    texts: readonly string[],
    kind: EmbeddingKind,
    signal?: AbortSignal,
    onVectors?: (first: number, vectors: readonly Float32Array[]) => void,
  ): Promise<Float32Array[]> {
    const isQuery = kind === "query";
    const prefix = isQuery ? this.#model.queryPrefix : this.#model.documentPrefix;
    const { simplifies } = this.#model;
    return await this.#pool.embed(texts.map((text) => prefix + (simplifies ? toSimplified(text) : text)), {
      priority: isQuery ? "question" : "background",
      signal,
      onVector: onVectors && ((at, vector) => onVectors(at, [vector])),
    });
  }

  /** Ends the threads. Texts that are being embedded fail with an `AbortError`. */
  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

function idOf(model: LocalModel): string {
  const { files, pooling, maxTokens, queryPrefix, documentPrefix, simplifies } = model;
  const parts = [files.model.sha256, files.tokenizer.sha256, pooling, maxTokens, queryPrefix, documentPrefix];
  if (simplifies) parts.push("simplified");
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `local/${LOCAL_VERSION}/${hash.slice(0, 24)}`;
}

const IDEOGRAPH = /\p{Script=Han}/gu;
/** A word in another script, however long. */
const WORD = /(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/** Ideographs that say as much as a word. */
const IDEOGRAPHS_A_WORD = 2;
/** Part of a text from which it counts as one in the language too. */
const SHARE = 0.25;

/**
 * Returns the languages whose models a text is embedded with: Chinese by its ideographs, English by its words in all other
 * scripts, and both where each has a quarter of the text. A text without letters counts as English.
 */
export function routesOf(text: string): readonly LocalLanguage[] {
  const chinese = (text.match(IDEOGRAPH)?.length ?? 0) / IDEOGRAPHS_A_WORD;
  const english = text.match(WORD)?.length ?? 0;
  const all = chinese + english;
  if (all === 0 || chinese < SHARE * all) return ["en"];
  return english < SHARE * all ? ["zh"] : ["zh", "en"];
}

/** The languages that a local model can be for. */
export type LocalLanguage = "zh" | "en";

/** The languages that a model is for: one of those that there are local models for, or `all`, by a model on a server. */
export type NeuralLanguage = LocalLanguage | "all";

/** How a server is asked for vectors. */
export interface ServerRequests {
  /** Texts in one request. */
  readonly texts: number;
  /** Requests under way at once, at most. */
  readonly atOnce: number;
}

/** Neural models, of which each text uses those of its languages. Vectors of different models must not be compared. */
export interface NeuralModels {
  /** At most one model for each language; a model for `all` is the only one. */
  readonly providers: ReadonlyMap<NeuralLanguage, EmbeddingProvider>;
  /** Returns the languages whose models a text is given to: several for a mixed text. */
  readonly routesOf: (text: string) => readonly NeuralLanguage[];
  /** Set for a model on a server, which answers late or not at all, and whose vectors were paid for. */
  readonly server?: ServerRequests;
}
