import type { Document, DocumentProblem } from "../types.ts";

/** A document to be read. Its bytes follow it. */
export interface ExtractRequest {
  readonly id: number;
  /** Name of a format in `FORMATS`. */
  readonly format: string;
  readonly path: string;
  readonly encoding?: string;
}

/** The document without its text, which follows it as UTF-8, or why there is none. */
export type ExtractResponse =
  & { readonly id: number; /** The process ends now. */ readonly last?: boolean }
  & (
    | { readonly document: Omit<Document, "text"> }
    | { readonly error: { readonly problem: DocumentProblem; readonly message: string } }
  );
