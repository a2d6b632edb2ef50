import { codePageLabel } from "../reader/code_page.ts";

/**
 * Decodes the code pages of workbooks of Excel 95 and older with the tables of the runtime. Those of the library take 470
 * KB.
 */
export const codePages = { utils: { decode, encode, hascp } };

function decode(codePage: number, data: string | readonly number[] | Uint8Array): string {
  const bytes = typeof data === "string"
    ? Uint8Array.from(data, (char) => char.charCodeAt(0))
    : Uint8Array.from(data);
  // For UTF-16 the library removes one byte of the terminating zero.
  const length = codePage === 1200 || codePage === 1201 ? bytes.length & ~1 : bytes.length;
  return new TextDecoder(codePageLabel(codePage) ?? "windows-1252", { ignoreBOM: true }).decode(
    bytes.subarray(0, length),
  );
}

/** The library calls it only to write workbooks. */
function encode(_codePage: number, text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function hascp(codePage: number): boolean {
  return codePageLabel(codePage) !== undefined;
}
