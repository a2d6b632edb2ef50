/** Larger files are not searched. */
const LONGEST = 50_000_000;
/** Places that may name a catalog; the last one counts, as in files that were changed. */
const MOST_CATALOGS = 100;

/**
 * A PDF that was cut off, with a trailer that names its catalog: pdf.js finds objects again by itself, but begins at the
 * trailer, which stands last. `undefined` where there is no catalog outside of compressed objects.
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
