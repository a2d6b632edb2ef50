/**
 * The errors that reading a document may end with.
 * A server loads this file at its start, and `types.ts` with the formats later.
 */

/** Reason why a document could not be loaded. */
export type DocumentProblem =
  /** It can only be opened with a password. */
  | "encrypted"
  /** It is not of the format that its name or signature says, it is cut off, or its structure is broken. */
  | "damaged"
  /** It is of a variant of the format that the program does not read. */
  | "unsupported"
  /** It exceeds a limit of size, pages, nesting or expansion. */
  | "too_complex"
  /** Its content is not text, and it is of no format that has a loader. */
  | "not_text"
  /** It is text in an encoding that is not recognised, or not the one that was asked for. */
  | "unsupported_encoding"
  /** It is text of more than {@linkcode LONGEST_TEXT} bytes. */
  | "too_large";

/** Most bytes of a file that is read as text. One byte may become one UTF-16 unit, and a string has no more of them. */
export const LONGEST_TEXT: number = 2 ** 29 - 25;

/** Thrown if a document cannot be loaded. `message` says in English what was found. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
