/** A search engine that is measured. */
export interface Engine {
  /** Indexes the chunks into files at `path`. Returns the size of the files in bytes. */
  build(path: string, chunks: Iterable<string>): Promise<number>;
  /** Opens the index that `build` wrote. */
  open(path: string): Promise<(query: string) => number | Promise<number>>;
}
