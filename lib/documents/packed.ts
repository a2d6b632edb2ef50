/**
 * Unpacks the WebAssembly and the tables that modules of this house hold as text.
 * Packed like that they are a part of every executable, and load without reading a file.
 */
import { brotliDecompressSync } from "node:zlib";
import { bytesOf } from "./bytes.ts";

/** Decompresses Brotli. The sources hold the compressed data in Base64, executables as bytes. */
export function unpacked(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(brotliDecompressSync(typeof data === "string" ? base64Bytes(data) : data));
}

/** Returns the bytes that a document holds in Base64, perhaps with line ends; `undefined` if it is broken. */
export function fromBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return base64Bytes(data);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function base64Bytes(data: string): Uint8Array<ArrayBuffer> {
  return bytesOf(atob(data));
}
