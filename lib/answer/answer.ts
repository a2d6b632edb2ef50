/** A successful answer of the contract: what an MCP tool returns as structured content, and `--json` prints. */
export interface Answer<Data> {
  readonly code: 200;
  /** One sentence, in the user's language. */
  readonly message: string;
  readonly data: Data;
}

/** An answer together with its text for a model. */
export interface TextAnswer<Data> extends Answer<Data> {
  /** Everything quoted from files, file names or the query is marked; see `quotedAnswer()`. */
  readonly text: string;
}
