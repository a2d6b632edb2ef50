import type { Target } from "../compile/targets.ts";
import type { ArchiveFile } from "./archive_file.ts";
import type { Values } from "./fill.ts";

/** An executable of the release. */
export interface Executable extends Pick<Target, "os" | "arch"> {
  readonly content: Uint8Array;
}

/** What a release is made of. */
export interface Release {
  /** Of packaging/product.json, and what follows from it. */
  readonly values: Values;
  /** Told as the time of every file. */
  readonly time: Date;
  readonly executables: readonly Executable[];
  /** LICENSE, NOTICE and THIRD_PARTY_LICENSES: they go with every copy of an executable. */
  readonly licenses: readonly ArchiveFile[];
  /** Texts below packaging/ and scripts/, by their path in the project. */
  readonly templates: Readonly<Record<string, string>>;
}

/** A file that was made: its path below the folder of the release. */
export interface Made {
  readonly path: string;
  readonly content: Uint8Array;
}
