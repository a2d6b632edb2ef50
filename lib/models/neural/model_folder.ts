/** The files of a model on the disk: which there are, and the description that the program writes beside them. */
import { basename, dirname, join } from "node:path";
import type { POOLINGS } from "#foundation/configuration/mod.ts";
import { reasonOf, UserError } from "#foundation/errors.ts";
import { MAX_DIMENSIONS } from "#foundation/constants.ts";
import { isMissing, readNamed, statNamed } from "#foundation/boundary/mod.ts";

/** How the vectors of a text's tokens become one: that of the first token, or the mean of all. */
export type Pooling = typeof POOLINGS[number];

/** A file of an installed model. */
export interface ModelFile {
  /** In lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Description of a model, with the settings that using it needs. */
export interface ModelDescription {
  /** For people, such as `BAAI/bge-small-zh-v1.5`. */
  readonly name: string;
  /** The version at the source that it was installed from. */
  readonly revision: string;
  readonly pooling: Pooling;
  readonly dimensions: number;
  /** Most tokens of a text, with the two that mark its ends. The rest of a text is cut off. */
  readonly maxTokens: number;
  /** Put before a question. */
  readonly queryPrefix: string;
  /** Put before a document's text. */
  readonly documentPrefix: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** By the path in the folder, with `/` as separator. */
  readonly files: Readonly<Record<string, ModelFile>>;
}

/** The files of a model on the disk. */
export interface ModelFolder {
  /** Path of the ONNX file. */
  readonly model: string;
  /** Path of `tokenizer.json` or `tokenizer.json.gz`. */
  readonly tokenizer: string;
  /** Content of `model.json`, which only installed models have. */
  readonly description: ModelDescription | undefined;
}

/** Name of the file with the {@linkcode ModelDescription}. */
export const DESCRIPTION_FILE = "model.json";

const MODELS = ["model.onnx", "onnx/model_quantized.onnx", "onnx/model.onnx"];
const TOKENIZERS = ["tokenizer.json", "tokenizer.json.gz"];
/** Bytes of `model.json` that are read. */
const MOST_BYTES = 1 << 20;

/**
 * Finds the files of the model in a folder, or those of a file `….onnx`: its tokenizer lies beside it or, if the file is in
 * a folder `onnx`, beside that folder. Throws a {@linkcode UserError} if a file is missing, or if its size is not the one in
 * `model.json`. The content is not read.
 */
export async function readModelFolder(path: string): Promise<ModelFolder> {
  const { folder, models, tokenizers } = candidates(path);
  const model = await firstOf(models, path, "model.onnx");
  const tokenizer = await firstOf(tokenizers, path, "tokenizer.json");
  const description = await readDescription(join(folder, DESCRIPTION_FILE));
  for (const [name, { bytes }] of Object.entries(description?.files ?? {})) {
    const file = join(folder, name);
    if ((await statOf(file))?.size !== bytes) throw new UserError("neural_damaged_file", { path: file });
  }
  return { model, tokenizer, description };
}

/** The paths that {@linkcode readModelFolder} may look at. A worker that uses the model may read only these. */
export function modelFilePaths(path: string): string[] {
  const { folder, models, tokenizers } = candidates(path);
  return [...models, ...tokenizers, join(folder, DESCRIPTION_FILE)];
}

function candidates(path: string) {
  if (!/\.onnx$/i.test(path)) {
    return {
      folder: path,
      models: MODELS.map((name) => join(path, name)),
      tokenizers: TOKENIZERS.map((name) => join(path, name)),
    };
  }
  const beside = dirname(path);
  const folder = basename(beside) === "onnx" ? dirname(beside) : beside;
  const folders = [...new Set([beside, folder])];
  return {
    folder,
    models: [path],
    tokenizers: folders.flatMap((each) => TOKENIZERS.map((name) => join(each, name))),
  };
}

/** Returns the description in the text of a `model.json`. Throws an error that says what is wrong. */
export function parseDescription(text: string): ModelDescription {
  const { name, revision, pooling, dimensions, maxTokens, queryPrefix, documentPrefix, licence, files } =
    record(JSON.parse(text), "the file");
  if (pooling !== "cls" && pooling !== "mean") throw new TypeError("pooling must be cls or mean");
  return {
    name: textOf(name, "name"),
    revision: textOf(revision, "revision"),
    pooling,
    dimensions: numberOf(dimensions, MAX_DIMENSIONS, "dimensions"),
    maxTokens: numberOf(maxTokens, MAX_TOKENS, "maxTokens"),
    queryPrefix: textOf(queryPrefix, "queryPrefix"),
    documentPrefix: textOf(documentPrefix, "documentPrefix"),
    licence: textOf(licence, "licence"),
    files: Object.fromEntries(
      Object.entries(record(files, "files")).map(([file, value]) => {
        const { sha256, bytes } = record(value, file);
        if (/(?:^|[\\/])\.\.?(?:[\\/]|$)|^[\\/]|:/.test(file)) {
          throw new TypeError(`${file} is not inside the folder`);
        }
        if (!/^[0-9a-f]{64}$/.test(textOf(sha256, `sha256 of ${file}`))) {
          throw new TypeError(`sha256 of ${file} must be 64 hexadecimal digits`);
        }
        return [file, {
          sha256: sha256 as string,
          bytes: numberOf(bytes, Number.MAX_SAFE_INTEGER, `bytes of ${file}`),
        }];
      }),
    ),
  };
}

/** More tokens than any BERT-like model of a useful speed reads. */
const MAX_TOKENS = 8192;

async function readDescription(path: string): Promise<ModelDescription | undefined> {
  if (await statOf(path) === undefined) return undefined;
  try {
    return parseDescription(new TextDecoder().decode(await readNamed(path, MOST_BYTES)));
  } catch (error) {
    throw new UserError("neural_description_wrong", { path, problem: reasonOf(error) }, { cause: error });
  }
}

/** The first path that is a file. `missing`: name of the file in the error. */
async function firstOf(paths: readonly string[], path: string, missing: string): Promise<string> {
  for (const each of paths) if ((await statOf(each))?.isFile) return each;
  throw new UserError("neural_no_model", { path, missing });
}

async function statOf(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await statNamed(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${name} must be an object`);
  }
  return value as Record<string, unknown>;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw new TypeError(`${name} must be a text`);
  return value;
}

function numberOf(value: unknown, most: number, name: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > most) {
    throw new TypeError(`${name} must be a whole number from 1 to ${most}`);
  }
  return value;
}
