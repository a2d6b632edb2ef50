import { codePageLabel } from "../reader/code_page.ts";

/** Encodings of fonts by their `\fcharset`. */
const CHARSETS: Readonly<Record<number, string>> = {
  77: "macintosh",
  128: "shift_jis",
  129: "euc-kr",
  134: "gb18030",
  136: "big5",
  161: "windows-1253",
  162: "windows-1254",
  163: "windows-1258",
  177: "windows-1255",
  178: "windows-1256",
  186: "windows-1257",
  204: "windows-1251",
  222: "windows-874",
  238: "windows-1250",
};
const DOUBLE = new Set(["shift_jis", "euc-kr", "gb18030", "big5"]);

/** Decodes text by the code page of the document and the character sets of its fonts. */
export class Decoder {
  /** Encoding of the document. */
  document = "windows-1252";
  readonly #fonts = new Map<number, string>();
  readonly #decoders = new Map<string, TextDecoder>();

  /** Sets the encoding of a font from its `\fcharset`. */
  setCharset(font: number, charset: number): void {
    const label = CHARSETS[charset];
    if (label !== undefined) this.#fonts.set(font, label);
    else if (charset === 0) this.#fonts.set(font, "windows-1252");
  }

  setCodePage(font: number, page: number): void {
    const label = codePageLabel(page);
    if (label !== undefined) this.#fonts.set(font, label);
  }

  text(bytes: Uint8Array, font: number | undefined): string {
    const own = font === undefined ? undefined : this.#fonts.get(font);
    // Some programs write Chinese in fonts that claim to be Western. Bytes in pairs are in the encoding of the document.
    const isPaired = own === "windows-1252" && DOUBLE.has(this.document) && inPairs(bytes);
    return this.#decoder(isPaired ? this.document : own ?? this.document).decode(bytes);
  }

  #decoder(label: string): TextDecoder {
    let decoder = this.#decoders.get(label);
    if (decoder === undefined) {
      decoder = new TextDecoder(label);
      this.#decoders.set(label, decoder);
    }
    return decoder;
  }
}

function inPairs(bytes: Uint8Array): boolean {
  let high = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue;
    if ((bytes[++at] ?? 0) < 0x80) return false;
    high++;
  }
  return high > 0;
}
