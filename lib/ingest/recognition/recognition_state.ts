import type { StoredFile } from "../../index/mod.ts";

/** How much of the text of scans is in an index. */
export interface RecognitionState {
  /** Pages and pictures whose text was recognised. */
  readonly pages: number;
  /** Files whose text is still to be recognised. */
  readonly pending: number;
}

/** Counts the recognised pages of the files of an index; `undefined` if there are none, and none are pending. */
export function recognitionOf(files: readonly StoredFile[]): RecognitionState | undefined {
  const pages = files.reduce((sum, { recognised = [] }) => sum + recognised.length, 0);
  const pending = files.filter(({ recognition }) => recognition === "pending").length;
  return pages + pending === 0 ? undefined : { pages, pending };
}
