/** Texts without the differences that a comparison ignores. */

/** Texts that folding changes only in case. */
const PLAIN = /^[!-~]*$/;

/** A text as it is compared: without differences of case, width and spaces. */
export function folded(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
}
