/** A search engine under measurement. */
export interface Engine {
  /** Indexes the chunks into files at `path`; gives their bytes. */
  build(path: string, chunks: Iterable<string>): Promise<number>;
  /** Loads what `build` left. */
  open(path: string): Promise<(query: string) => number | Promise<number>>;
}
