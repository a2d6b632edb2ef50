/** A search engine under measurement. */
export interface Engine {
  readonly name: string;
  /** Largest number of chunks it is asked for. */
  readonly most: number;
  /** Indexes the chunks into files at `path`; gives their bytes. */
  build(path: string, chunks: Iterable<string>): Promise<number>;
  /** Loads what `build` left. */
  open(path: string): Promise<(query: string) => number>;
}
