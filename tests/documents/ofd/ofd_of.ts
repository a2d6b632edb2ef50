import { Buffer } from "node:buffer";
import { zipOf } from "../zip_of.ts";

const OFD = `xmlns:ofd="http://www.ofdspec.org/2016"`;

/** Returns an OFD file with these pages below `Doc_0/`, in order. `more`: further parts. `common`, `document`, `info`: XML. */
export function ofdOf(
  pages: Readonly<Record<string, string>>,
  { more = {}, common = "", document = "", info = "", signatures = "" }: {
    readonly more?: Readonly<Record<string, string | Uint8Array>>;
    readonly common?: string;
    readonly document?: string;
    readonly info?: string;
    readonly signatures?: string;
  } = {},
): Uint8Array<ArrayBuffer> {
  const list = Object.keys(pages).map((path, i) => `<ofd:Page ID="${i + 1}" BaseLoc="${path}"/>`).join("");
  const parts = Object.entries(pages).map(([path, xml]) => [`Doc_0/${path}`, xml] as const);
  return zipOf({
    "OFD.xml":
      `<ofd:OFD ${OFD}><ofd:DocBody><ofd:DocInfo>${info}</ofd:DocInfo><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot><ofd:Signatures>${signatures}</ofd:Signatures></ofd:DocBody></ofd:OFD>`,
    "Doc_0/Document.xml":
      `<ofd:Document ${OFD}><ofd:CommonData>${common}</ofd:CommonData><ofd:Pages>${list}</ofd:Pages>${document}</ofd:Document>`,
    ...Object.fromEntries(parts),
    ...more,
  });
}

/** Returns a page or template with these objects. */
export function ofdPage(objects: string, more = ""): string {
  return `<ofd:Page ${OFD}>${more}<ofd:Content><ofd:Layer ID="9">${objects}</ofd:Layer></ofd:Content></ofd:Page>`;
}

/** Returns a text object, in millimetres from the left and the top. Chinese characters are as wide as they are high. */
export function ofdText(
  text: string,
  x: number,
  y: number,
  { size = 4, attributes = "", transform = "" } = {},
): string {
  const wide = /[\u4e00-\u9fff]/.test(text) ? size : size / 2;
  return `<ofd:TextObject Boundary="${x} ${y} 100 ${size}" Size="${size}" ${attributes}>${transform}<ofd:TextCode X="0" Y="${size}" DeltaX="g ${
    text.length - 1
  } ${wide}">${text}</ofd:TextCode></ofd:TextObject>`;
}

/** Returns a stroked path. */
export function ofdPath(data: string): string {
  return `<ofd:PathObject Boundary="0 0 210 297"><ofd:AbbreviatedData>${data}</ofd:AbbreviatedData></ofd:PathObject>`;
}

/** An element of DER. */
export const der = (tag: number, ...parts: (Uint8Array | string)[]): Uint8Array => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 255), content]);
};
/** A seal with a name. */
export const seal = (name: string) =>
  der(
    48,
    der(48, der(48, der(2, "\x01")), der(22, "id"), der(48, der(2, "\x01"), der(12, name))),
    der(3, "x"),
  );
