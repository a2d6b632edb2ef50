import { codePageLabel } from "../reader/code_page.ts";

/** Decodes the code pages of workbooks of Excel 95 and older by the runtime's own tables instead of the library's 470 KB. */
export const codePages = { utils: { decode, encode, hascp } };

function decode(codePage: number, data: string | readonly number[] | Uint8Array): string {
  const bytes = typeof data === "string"
    ? Uint8Array.from(data, (char) => char.charCodeAt(0))
    : Uint8Array.from(data);
  // In UTF-16 the library takes away one byte of the zero at the end.
  const length = codePage === 1200 || codePage === 1201 ? bytes.length & ~1 : bytes.length;
  return new TextDecoder(codePageLabel(codePage) ?? "windows-1252", { ignoreBOM: true }).decode(
    bytes.subarray(0, length),
  );
}

/** The library asks for it where it writes only. */
function encode(_codePage: number, text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function hascp(codePage: number): boolean {
  return codePageLabel(codePage) !== undefined;
}
