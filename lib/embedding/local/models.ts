import { basename, join } from "node:path";
import { UserError } from "../../errors.ts";
import {
  type HashedFile,
  hashedFile,
  modelFilePaths,
  type ModelFolder,
  type Pooling,
  readModelFolder,
  type ThreadOptions,
} from "../../neural/mod.ts";
import type { LocalLanguage, NeuralModels } from "../neural_models.ts";
import { isMissing, statNamed } from "../../sandbox/mod.ts";
import { LocalProvider } from "./provider.ts";
import { routesOf } from "./routes.ts";

/** The languages that there are models for. */
const LANGUAGES: readonly LocalLanguage[] = ["zh", "en"];

/** Settings of one model. `null`: as its `model.json` says, or the default. */
export interface LocalModelSettings {
  /** A folder or an ONNX file; `null`: the installed model. */
  readonly path: string | null;
  readonly pooling: Pooling | null;
  /** Put before a question. */
  readonly prefix: string | null;
  readonly "document_prefix": string | null;
  readonly dimensions: number | null;
  readonly "max_tokens": number | null;
}

/** Settings of both models. */
export type LocalSettings = Readonly<Record<LocalLanguage, LocalModelSettings>>;

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
  close(): void {
    for (const provider of this.providers.values()) provider[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
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
  settings: LocalModelSettings,
  language: LocalLanguage,
  options: ThreadOptions,
): Promise<LocalProvider> {
  const folder = await readModelFolder(path);
  const { description } = folder;
  return await LocalProvider.of({
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
