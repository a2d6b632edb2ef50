/** Pictures that a page holds in an address: `data:image/png;base64,…`. */
import { fromBase64 } from "../packed.ts";
import type { PictureSource } from "./types.ts";

/** Returns where the picture in a `data:` address is. */
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
