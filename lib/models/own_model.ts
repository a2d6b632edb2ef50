import { basename, dirname, join } from "node:path";
import { UserError } from "../errors.ts";
import { MAX_DIMENSIONS } from "../limits.ts";
import { type ModelFolder, readModelFolder } from "../neural/mod.ts";
import { readNamed } from "../sandbox/mod.ts";
import { digestAt } from "./local_files.ts";
import type { ModelPlace } from "./model_place.ts";
import type { EmbeddingUse, InstalledDescription } from "./types.ts";

/** Bytes of a JSON file beside a model that are read. */
const MAX_JSON_BYTES = 1 << 20;
/** Tokens of a text for a model that does not say how many it reads. */
const USUAL_TOKENS = 512;

/**
 * Copies an embedding model of the user into the parts of a model, and returns its description. `path`: its folder or ONNX
 * file. What the program must know about it comes from `model.json`, or from `config.json` and `1_Pooling/config.json`, as
 * they are published with BERT-like models. Throws `UserError` `neural_no_model` and others of a model that cannot be read,
 * and `model_own_unknown` if nothing tells the number of dimensions.
 */
export async function takeOwnModel(path: string, place: ModelPlace): Promise<InstalledDescription> {
  const folder = await readModelFolder(path);
  const { use, ...about } = folder.description === undefined
    ? await readUse(folder)
    : splitDescription(folder.description);
  const files: Record<string, { bytes: number; sha256: string }> = {};
  const tokenizer = basename(folder.tokenizer);
  for (const [name, from] of [["model.onnx", folder.model], [tokenizer, folder.tokenizer]] as const) {
    files[name] = await digestAt(from);
    await place.copy(name, from);
    // The user's file may change while it is copied.
    if (!await place.hasPart(name, files[name])) throw new UserError("neural_changed_file", { path: from });
  }
  return { ...about, ...use, files };
}

function splitDescription(
  { name, revision, licence, files: _, ...use }: NonNullable<ModelFolder["description"]>,
) {
  return { name, revision, licence, use };
}

async function readUse({ model }: ModelFolder): Promise<
  Pick<InstalledDescription, "name" | "revision" | "licence"> & { use: EmbeddingUse }
> {
  const beside = dirname(model);
  const root = basename(beside) === "onnx" ? dirname(beside) : beside;
  const config = await jsonAt(join(root, "config.json"));
  const pooling = await jsonAt(join(root, "1_Pooling", "config.json"));
  const dimensions = wholeNumber(config["hidden_size"], MAX_DIMENSIONS);
  if (dimensions === undefined) throw new UserError("model_own_unknown", { path: root });
  const name = config["_name_or_path"];
  return {
    name: typeof name === "string" && name !== "" ? name : basename(root),
    revision: "",
    licence: "",
    use: {
      pooling: pooling["pooling_mode_cls_token"] === true ? "cls" : "mean",
      dimensions,
      maxTokens: Math.min(wholeNumber(config["max_position_embeddings"], 1e6) ?? USUAL_TOKENS, USUAL_TOKENS),
      queryPrefix: "",
      documentPrefix: "",
    },
  };
}

/** The object in a JSON file; an empty one if it cannot be read. */
async function jsonAt(path: string): Promise<Record<string, unknown>> {
  try {
    const value = JSON.parse(new TextDecoder().decode(await readNamed(path, MAX_JSON_BYTES)));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function wholeNumber(value: unknown, most: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
    ? value as number
    : undefined;
}
