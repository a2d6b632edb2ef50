import type { ChunkOptions } from "../chunk/mod.ts";
import type { Config } from "../config/mod.ts";
import { type WalkOptions, walkOptions } from "../corpus/mod.ts";
import { modelOf } from "../embedding/mod.ts";

/** Changes whenever the same file gives other chunks under the same settings. */
const PIPELINE_VERSION = 2;

/** The configuration as indexing sees it. */
export interface IngestSettings {
  readonly walk: WalkOptions;
  readonly chunking: ChunkOptions;
  /** A forced encoding; without one it is recognised. */
  readonly encoding: string | undefined;
  /** Whether texts that were made for machines are taken. */
  readonly generated: boolean;
  /** Id of the embedder that gives the chunks their vectors; nothing if the index gets none. */
  readonly model: string | undefined;
}

/** Takes out of the configuration what indexing needs. `ownPlaces`: see {@linkcode WalkOptions}. */
export function ingestSettings(config: Config, ownPlaces?: readonly string[]): IngestSettings {
  const { files, chunking } = config;
  return {
    walk: walkOptions(config, ownPlaces),
    chunking: {
      strategy: chunking.strategy,
      maxChars: chunking.max_chars,
      overlap: chunking.overlap,
      chunksPerFile: chunking.chunks_per_file,
    },
    encoding: files.encoding === "auto" ? undefined : files.encoding,
    generated: files.generated === "index",
    model: modelOf(config.embedding),
  };
}

/** Names all that decides what a file becomes: an index made under another name must be rebuilt. */
export function settingsName({ chunking, encoding, generated, model }: IngestSettings): string {
  return JSON.stringify({ pipeline: PIPELINE_VERSION, ...chunking, encoding, generated, model });
}
