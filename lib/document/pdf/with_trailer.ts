/** Largest file in bytes that is searched. */
const LONGEST = 50_000_000;
/** Most positions that may name a catalog. The last one counts, since later changes are appended. */
const MOST_CATALOGS = 100;

/**
 * Returns a PDF that was cut off with a new trailer that names its catalog. pdf.js finds objects without a table, but needs
 * the trailer at the end. `undefined` if every catalog is in compressed objects.
 */
export function withTrailer(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > LONGEST) return undefined;
  const text = new TextDecoder("latin1").decode(bytes);
  if (!/%PDF-\d/.test(text.slice(0, 2000))) return undefined;
  let root: string | undefined;
  let at = -1;
  for (let tries = 0; tries < MOST_CATALOGS; tries++) {
    at = text.indexOf("/Catalog", at + 1);
    if (at === -1) break;
    const before = text.slice(Math.max(0, at - 2000), at);
    const start = [...before.matchAll(/(\d{1,10}) (\d{1,5}) obj\b/g)].at(-1);
    if (start !== undefined && /\/Type\s*$/.test(before)) root = `${start[1]} ${start[2]} R`;
  }
  if (root === undefined) return undefined;
  const trailer = new TextEncoder().encode(
    `\nendstream endobj\ntrailer << /Root ${root} >>\nstartxref\n0\n%%EOF\n`,
  );
  const mended = new Uint8Array(bytes.length + trailer.length);
  mended.set(bytes);
  mended.set(trailer, bytes.length);
  return mended;
}
