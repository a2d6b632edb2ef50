import type { ModelId } from "../../../models/mod.ts";

/** A model that is installed now, for `--json`. */
export interface InstalledModel {
  readonly id: ModelId;
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Kind of the source, or `path` for files of the user. `none`: the model was there already. */
  readonly source: string;
  /** Whether its files are those of the catalogue. */
  readonly catalogue: boolean;
}
