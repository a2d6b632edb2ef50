import { fileTimeDate } from "../compound/summary.ts";
import { convertHtml, decodeHtml } from "../html/mod.ts";
import { DocumentError, type Metadata } from "../types.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { decodeCharset } from "./charset.ts";
import { type Message, writeHead } from "./message.ts";
import { writeText } from "./text_body.ts";

/** Identifiers of Outlook's properties, [MS-OXPROPS]. */
const PROPERTY = {
  subject: "0037",
  sender: "0c1a",
  senderAddress: "5d01",
  senderAddressOld: "0c1f",
  to: "0e04",
  cc: "0e03",
  body: "1000",
  html: "1013",
  longName: "3707",
  shortName: "3704",
  displayName: "3001",
} as const;
const SUBMITTED = 0x0039;
const DELIVERED = 0x0e06;
const CODE_PAGES = [0x3ffd, 0x3fde];
/** Adds an Outlook message (`.msg`). Throws {@linkcode DocumentError} `damaged`. */
export async function writeOutlook(bytes: Uint8Array, builder: MarkdownBuilder): Promise<Message> {
  const streams = await readStreams(bytes);
  const root = (path: string) => streams.get(path);
  const properties = fixedProperties(root("__properties_version1.0"));
  const codePage = labelOf(CODE_PAGES.map((id) => properties.get(id)).find((value) => value !== undefined));
  const textAt = (prefix: string) => (id: string) => textOf(streams, `${prefix}__substg1.0_${id}`, codePage);
  const text = textAt("");
  const sender = await text(PROPERTY.sender);
  const address = await text(PROPERTY.senderAddress) || await text(PROPERTY.senderAddressOld);
  const date = dateOf(properties.get(SUBMITTED) ?? properties.get(DELIVERED));
  const from = address.includes("@") && address !== sender ? `${sender} <${address}>`.trim() : sender;
  const attachments: string[] = [];
  const folders = new Set(
    [...streams.keys()].map((path) => /^__attach[^/]*\//.exec(path)?.[0]).filter((one) => one !== undefined),
  );
  for (const folder of folders) {
    const attached = textAt(folder);
    const name = await attached(PROPERTY.longName) || await attached(PROPERTY.shortName) ||
      await attached(PROPERTY.displayName);
    if (name !== "") attachments.push(name);
  }
  const metadata: Metadata = {
    ...(from === "" ? {} : { author: from }),
    ...(date === undefined ? {} : { date, created: date }),
  };
  const message: Message = {
    subject: await text(PROPERTY.subject),
    fields: [["From", from], ["To", await text(PROPERTY.to)], ["Cc", await text(PROPERTY.cc)], [
      "Date",
      date ?? "",
    ]],
    attachments,
    metadata,
  };
  writeHead(message, builder, 1);
  const body = await text(PROPERTY.body);
  const page = root(`__substg1.0_${PROPERTY.html}0102`);
  if (body.trim() !== "") writeText(body, builder);
  else {
    const html = page === undefined ? await text(PROPERTY.html) : await decodeHtml(page);
    if (html !== "") await convertHtml(html, builder, { extent: "whole", headingOffset: 1 });
  }
  return message;
}

/** Returns the streams of a message by path in lower case. Throws {@linkcode DocumentError}. */
async function readStreams(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const compound = await import("../compound/streams.ts");
  const streams = compound.readStreams(bytes, { nested: true });
  if (![...streams.keys()].some((path) => path.startsWith("__properties_version1.0"))) {
    throw new DocumentError("unsupported", "it is a compound file but not a message");
  }
  return streams;
}

/** Returns the fixed-size properties of the message, by identifier. */
function fixedProperties(stream: Uint8Array | undefined): Map<number, bigint> {
  const found = new Map<number, bigint>();
  if (stream === undefined) return found;
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength);
  for (let at = 32; at + 16 <= stream.length; at += 16) {
    found.set(view.getUint16(at + 2, true), view.getBigUint64(at + 8, true));
  }
  return found;
}

/** Returns a text property. `001F` is UTF-16; `001E` is in the code page of the message. */
async function textOf(
  streams: ReadonlyMap<string, Uint8Array>,
  path: string,
  codePage: string,
): Promise<string> {
  const wide = streams.get(`${path}001f`);
  if (wide !== undefined) return new TextDecoder("utf-16le").decode(wide).replace(/\0+$/, "");
  const narrow = streams.get(`${path}001e`);
  return narrow === undefined ? "" : (await decodeCharset(narrow, codePage)).replace(/\0+$/, "");
}

function labelOf(value: bigint | undefined): string {
  const page = Number((value ?? 0n) & 0xffffffffn);
  const names: Readonly<Record<number, string>> = {
    932: "shift_jis",
    936: "gb18030",
    949: "euc-kr",
    950: "big5",
    54936: "gb18030",
    65001: "utf-8",
    20866: "koi8-r",
    50220: "iso-2022-jp",
  };
  return names[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "");
}

function dateOf(fileTime: bigint | undefined): string | undefined {
  return fileTime === undefined || fileTime === 0n ? undefined : fileTimeDate(fileTime);
}
