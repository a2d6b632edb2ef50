import type { Document, DocumentProblem } from "../types.ts";

/** A request to read a document. The bytes of the document follow it. */
export interface ExtractRequest {
  readonly id: number;
  /** Name of a format in `FORMATS`. */
  readonly format: string;
  readonly path: string;
  readonly encoding?: string;
}

/** The document without its text, which follows as UTF-8, or the reason why there is none. */
export type ExtractResponse =
  & { readonly id: number; /** The process ends now. */ readonly last?: boolean }
  & (
    | { readonly document: Omit<Document, "text"> }
    | { readonly error: { readonly problem: DocumentProblem; readonly message: string } }
  );
