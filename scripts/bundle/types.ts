import type { Target } from "../compile/targets.ts";
import type { ArchiveFile } from "./archive_file.ts";
import type { Values } from "./fill.ts";

/** An executable of the release. */
export interface Executable extends Pick<Target, "os" | "arch"> {
  readonly content: Uint8Array;
}

/** Input of a release. */
export interface Release {
  /** The values of packaging/product.json and those derived from them. */
  readonly values: Values;
  /** The modification time of every file. */
  readonly time: Date;
  readonly executables: readonly Executable[];
  /** The same with the local models; they get archives only. */
  readonly executablesWithModels?: readonly Executable[];
  /** LICENSE, NOTICE and THIRD_PARTY_LICENSES. Every copy of an executable must contain them. */
  readonly licenses: readonly ArchiveFile[];
  /** The list of everything in an executable, see `sbom.ts`. */
  readonly sbom: string;
  /** Texts in packaging/ and scripts/, by their path in the project. */
  readonly templates: Readonly<Record<string, string>>;
}

/** A file of the release. The path is relative to the release folder. */
export interface Made {
  readonly path: string;
  readonly content: Uint8Array;
}
