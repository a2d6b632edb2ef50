/** References to pictures in markup, and pictures that are written into an address. */
import { fromBase64 } from "../packed.ts";
import type { PictureSource } from "./types.ts";

/** A reference to a picture: where it stands, its address as written, and its alternative text. */
export interface ImageReference {
  readonly at: number;
  readonly reference: string;
  readonly alternative: string;
}

/**
 * References in markup: `![](a.png)`, `<img src="a.png">`, `.. image:: a.png`, `image::a.png[]`. The lengths are
 * limited, so that each takes time in proportion to the text.
 */
const REFERENCES = [
  /!\[(?<alt>[^\]\n]{0,500})\]\(\s{0,9}(?:<(?<inside>[^>\n]{1,1000})>|(?<src>data:[\w+/.;-]{1,100},[^)\s]*|[^)\s]{1,1000}))/g,
  /<img\b[^<>]{0,1000}?\ssrc\s{0,9}=\s{0,9}["']?(?<src>[^"'\s>]{1,1000})/gi,
  /^\s{0,99}\.\. (?:\|[^|\n]{1,200}\| )?(?:image|figure)::\s{1,9}(?<src>\S{1,1000})/gm,
  /\bimage::?(?<src>[^\s[:]{1,1000})\[/g,
  /(?<!!)\[\[(?:file:)?(?<src>[^[\]\s]{1,1000})\]\]/g,
  // Obsidian.
  /!\[\[(?<src>[^[\]|#\n]{1,500})/g,
];

/** Matches addresses of pictures. */
const PICTURE = /^data:image\/|^attachment:|\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?)(?:[?#].*)?$/i;

/** Returns the references to pictures in a text, in its order. */
export function imageReferences(text: string): ImageReference[] {
  const found = REFERENCES.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, groups }) => ({
      at: index,
      reference: groups!["src"] ?? groups!["inside"]!,
      alternative: groups!["alt"] ?? "",
    }))
  );
  return found.filter(({ reference }) => PICTURE.test(reference)).sort((a, b) => a.at - b.at);
}

/** Returns the path that a reference names; `undefined` for addresses, data and absolute paths. */
export function localPath(reference: string): string | undefined {
  const path = reference.replace(/[?#].*$/s, "");
  if (path === "" || /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns where the picture in an address such as `data:image/png;base64,…` is. */
export function dataSource(address: string): PictureSource {
  return { bytes: () => dataBytes(address) };
}

function dataBytes(address: string): Uint8Array | undefined {
  const comma = address.indexOf(",");
  if (comma < 0) return undefined;
  const data = address.slice(comma + 1);
  if (/;base64\s*$/i.test(address.slice(0, comma))) {
    return fromBase64(data.replaceAll("%2B", "+").replaceAll("%3D", "="));
  }
  try {
    return new TextEncoder().encode(decodeURIComponent(data));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
