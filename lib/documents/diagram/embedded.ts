/**
 * Finds the drawing in a picture that draw.io or Excalidraw made of it, such as `plan.drawio.svg`: both keep the drawing inside, so
 * that it can be edited. Below it: PNG, SVG, and the package around a drawing of Excalidraw.
 */
import { beginsWith, bytesOf, charactersOf } from "../bytes.ts";
import { recordOf, textIn } from "../json_fields.ts";
import { fromBase64 } from "../packed.ts";
import { PNG_SIGNATURE, pngChunks } from "../pictures/picture_parts.ts";
import { DocumentError } from "../types.ts";
import { lineOf, type XmlElement } from "../xml.ts";
import { inflate } from "../zip.ts";

/** Bytes that a drawing may inflate to. */
export const MOST_INFLATED = 100_000_000;

/** Returns text that was compressed by DEFLATE. `most`: bytes at which it is too long. */
export function inflatedText(bytes: Uint8Array, most: number): string {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (const piece of inflate(bytes)) {
    length += piece.length;
    if (length > most) throw new DocumentError("too_complex", "the drawing inflates to more than the limit");
    text += decoder.decode(piece, { stream: true });
  }
  return text;
}

/** Returns a text without the escapes of an address. A stray `%` stands for itself. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// PNG

/** Returns the drawing in a PNG; empty if it has none, `undefined` for other bytes. */
export function drawingInPng(bytes: Uint8Array): string | undefined {
  if (!beginsWith(bytes, PNG_SIGNATURE)) return undefined;
  for (const { type, content } of pngChunks(bytes)) {
    if (type !== "tEXt" && type !== "zTXt") continue;
    const end = content.indexOf(0);
    const name = charactersOf(content.subarray(0, Math.max(end, 0)));
    // Packed: a byte for the method, then the two of the header of zlib.
    const value = () =>
      type === "zTXt"
        ? inflatedText(content.subarray(end + 4), MOST_INFLATED)
        : charactersOf(content.subarray(end + 1));
    if (name === "mxfile" || name === "mxGraphModel") return unescaped(value());
    if (name === "application/vnd.excalidraw+json") return unwrapped(value());
  }
  return "";
}

// SVG

const PAYLOAD = "payload-start -->";

/** Returns the drawing in an SVG, whose source is `text` and whose root is `root`; `undefined` if it has none. */
export function drawingInSvg(text: string, root: XmlElement): string | undefined {
  const { content = "" } = root.attributes;
  if (/^\s*<mx/.test(content)) return content;
  const start = text.indexOf(PAYLOAD);
  const end = start < 0 ? -1 : text.indexOf("<!--", start);
  const bytes = end < 0 ? undefined : fromBase64(text.slice(start + PAYLOAD.length, end));
  if (bytes === undefined) return undefined;
  // The first version is not wrapped.
  return unwrapped(
    /payload-version:2/.test(text.slice(Math.max(0, start - 200), start))
      ? charactersOf(bytes)
      : new TextDecoder().decode(bytes),
  );
}

/** The texts of an SVG, where no drawing is inside. */
export function textsOfSvg(root: XmlElement): string[] {
  const found: string[] = [];
  const visit = (element: XmlElement) => {
    for (const one of element.children) {
      if (typeof one === "string" || /^(?:style|script|defs)$/.test(one.name)) continue;
      if (!/^(?:text|title|desc|foreignObject)$/.test(one.name)) visit(one);
      else found.push(lineOf(one));
    }
  };
  visit(root);
  return found.filter((line) => line !== "");
}

// Excalidraw

/** Returns the JSON of a drawing, which may be wrapped: compressed by zlib, each byte as a character. */
function unwrapped(json: string): string {
  let wrapper: unknown;
  try {
    wrapper = JSON.parse(json);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new DocumentError("damaged", "the drawing in the picture is not JSON", { cause });
  }
  const fields = recordOf(wrapper);
  const encoded = textIn(fields?.encoded);
  if (encoded === "") return json;
  const bytes = bytesOf(encoded);
  return fields?.compressed === true
    ? inflatedText(bytes.subarray(2), MOST_INFLATED)
    : new TextDecoder().decode(bytes);
}
