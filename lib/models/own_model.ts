import { basename, dirname, join } from "node:path";
import { UserError } from "../errors.ts";
import { MAX_DIMENSIONS } from "../limits.ts";
import { EncoderPool, type ModelFolder, readModelFolder } from "../neural/mod.ts";
import { readNamed } from "../sandbox/mod.ts";
import { digestAt } from "./local_files.ts";
import type { ModelPlace } from "./model_place.ts";
import type { Digest, EmbeddingUse, InstalledDescription } from "./types.ts";

/** Bytes of a JSON file beside a model that are read. */
const MAX_JSON_BYTES = 1 << 20;
/** Tokens of a text for a model that does not say how many it reads. */
const USUAL_TOKENS = 512;
/** A short text in the languages of the models. */
const PROBE = "检查 check";

/**
 * Copies an embedding model of the user into the parts of a model, and returns its description. `path`: its folder or ONNX
 * file. What the program must know about it comes from `model.json`, or from `config.json` and `1_Pooling/config.json`, as
 * they are published with BERT-like models. Throws `UserError` `neural_no_model` and others of a model that cannot be read,
 * and `model_own_unknown` if nothing tells the number of dimensions. The model embeds a text before it is copied.
 */
export async function takeOwnModel(
  path: string,
  place: ModelPlace,
  signal: AbortSignal,
): Promise<InstalledDescription> {
  const folder = await readModelFolder(path);
  const { use, ...about } = folder.description === undefined
    ? await readUse(folder)
    : splitDescription(folder.description);
  const model = { path: folder.model, ...await digestAt(folder.model) };
  const tokenizer = { path: folder.tokenizer, ...await digestAt(folder.tokenizer) };
  {
    using pool = new EncoderPool({ model, tokenizer }, use);
    await pool.embed([PROBE], { signal });
  }
  const files: Record<string, Digest> = {};
  for (
    const [name, { path, ...digest }] of [["model.onnx", model], [
      basename(tokenizer.path),
      tokenizer,
    ]] as const
  ) {
    files[name] = digest;
    await place.copy(name, path);
    // The user's file may change while it is copied.
    if (!await place.hasPart(name, digest)) throw new UserError("neural_changed_file", { path });
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
