/**
 * Reads the names of the seals on the pages of an OFD file: the seal itself is a picture, and its name stands in the signed value
 * (GB/T 38540, GM/T 0031), in DER. Below it: the elements of DER.
 */
import { kept } from "../types.ts";
import { child, children, lineOf, type XmlElement } from "../xml.ts";

/** Gives the parts of a package that other parts refer to. */
export interface References {
  at(from: string, reference: string): { readonly path: string; readonly root: XmlElement } | undefined;
  startOf(from: string, reference: string): Uint8Array | undefined;
}

const MOST_SIGNATURES = 1_000;

/** Returns the names of the seals by the identifier of their page. `body`: the document with its signatures. */
export function sealsOf(body: XmlElement, parts: References): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const list = parts.at("", lineOf(child(body, "ofd:Signatures")));
  const places = children(list?.root, "ofd:Signature").map(({ attributes }) => attributes.BaseLoc ?? "");
  for (const place of [...new Set(places)].slice(0, MOST_SIGNATURES)) {
    const signature = parts.at(list!.path, place);
    const info = child(signature?.root, "ofd:SignedInfo");
    const stamps = children(info, "ofd:StampAnnot");
    if (stamps.length === 0) continue;
    const nameIn = (place: XmlElement | undefined, path: readonly number[]) => {
      const bytes = place === undefined ? undefined : parts.startOf(signature!.path, lineOf(place));
      return bytes === undefined ? "" : textAt(bytes, path);
    };
    const name = nameIn(child(info, "ofd:Seal", "ofd:BaseLoc"), NAME) ||
      nameIn(child(signature?.root, "ofd:SignedValue"), NAME_IN_SIGNATURE);
    if (name === "") continue;
    for (const { attributes: { PageRef = "" } } of stamps.slice(0, MOST_SIGNATURES)) {
      const names = kept(found, PageRef, () => []);
      // A seal may be repeated on a page, as along its edge.
      if (!names.includes(name) && names.length < MOST_SIGNATURES) names.push(name);
    }
  }
  return found;
}

// DER

/** The place of the name in a seal: in its signed part the third element, in that the second. */
const NAME = [0, 0, 2, 1];
/** The seal is the second element of what is signed. */
const NAME_IN_SIGNATURE = [0, 0, 1, ...NAME.slice(1)];
const LONGEST_NAME = 200;

/** Returns the text in the element on a path, which counts elements at each level. Empty if there is none. */
function textAt(bytes: Uint8Array, path: readonly number[]): string {
  let found = bytes;
  for (const index of path) {
    let place: [start: number, end: number] | undefined = [0, 0];
    for (let i = 0; i <= index && place !== undefined; i++) place = elementAt(found, place[1]);
    if (place === undefined) return "";
    found = found.subarray(...place);
  }
  return new TextDecoder().decode(found.subarray(0, LONGEST_NAME)).replace(/[\s\p{Cc}\ufffd]+/gu, " ").trim();
}

/** Returns where the content of the element at an offset begins and ends. */
function elementAt(bytes: Uint8Array, at: number): [start: number, end: number] | undefined {
  if (at + 2 > bytes.length) return undefined;
  const first = bytes[at + 1]!;
  const count = first < 0x80 ? 0 : first & 0x7f;
  if (count > 4) return undefined;
  let length = count === 0 ? first : 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + count;
  // Only the start of the bytes may be here.
  return start > bytes.length ? undefined : [start, Math.min(start + length, bytes.length)];
}
