/**
 * Loads mail: one message (.eml, Outlook's .msg) or a mailbox with one section per message.
 * Below it: MIME messages, plain text bodies, and messages of Outlook.
 */
import { charactersOf } from "../bytes.ts";
import { codePageLabel, fileTimeDate, isCompoundFile, readStreams } from "../office/binary.ts";
import { described, oneLine } from "../metadata.ts";
import { DocumentError, fileName, guarded, type Loader, type Metadata, viewOf } from "../types.ts";
import { MarkdownBuilder } from "../markdown_builder.ts";
import { bodyOf, decodeField, type Headers, parseMessage, type Part, pictureIn, textOf } from "../mime.ts";
import type { PictureSource } from "../pictures/types.ts";
import { convertHtml } from "../html/loader.ts";
import { factsOf } from "../pictures/facts.ts";
import { decodeCharset, decodeHtml } from "../decode.ts";

/** Matches the line `From sender date`, which begins a message in a mailbox file. */
const SEPARATOR = /^From \S[^\r\n]{0,300}?\d\d:\d\d[^\r\n]{0,60}\r?\n/;

/** Mail: one message (`.eml`, Outlook's `.msg`), or a mailbox (`.mbox`) with one section per message. */
export const loader: Loader = guarded(async (bytes, file) => {
  const builder = new MarkdownBuilder(file);
  if (isCompoundFile(bytes)) {
    const { subject, metadata } = await writeOutlook(bytes, builder);
    return builder.finish({ title: subject, metadata });
  }
  const source = charactersOf(bytes).replace(/^\xef\xbb\xbf/, "");
  if (!SEPARATOR.test(source)) {
    const { subject, metadata } = await writeMessage(await checked(source), builder, 1);
    return builder.finish({ title: subject, metadata });
  }
  let count = 0;
  for (const message of messagesOf(source)) {
    builder.page(++count, "message");
    try {
      await writeMessage(await parseMessage(message), builder, 1);
    } catch (error) {
      // The other messages of the mailbox can still be read.
      if (!(error instanceof DocumentError)) throw error;
      builder.paragraph(`(Message ${count} was left out: ${error.message}.)`);
    }
  }
  return builder.finish({ title: count > 1 ? fileName(file.path).replace(/\.[^.]*$/, "") : undefined });
});

async function checked(source: string) {
  const message = await parseMessage(source);
  const isMail = ["from", "to", "subject", "date", "received", "message-id", "content-type"].some((name) =>
    message.headers.has(name)
  );
  if (!isMail) throw new DocumentError("damaged", "it has no mail headers");
  return message;
}

/** Yields the messages of a mailbox without their separator lines. Escaped lines (`>From`) are restored. */
function* messagesOf(source: string): Generator<string, void, undefined> {
  let start = 0;
  while (start >= 0 && start < source.length) {
    let next = source.indexOf("\nFrom ", start);
    while (next >= 0 && !SEPARATOR.test(source.slice(next + 1, next + 500))) {
      next = source.indexOf("\nFrom ", next + 1);
    }
    const end = next < 0 ? source.length : next + 1;
    const line = source.indexOf("\n", start);
    yield source.slice(line + 1, end).replace(/^>(>*From )/gm, "$1");
    start = next < 0 ? -1 : next + 1;
  }
}

/** The head of a message, from any file format. */
interface Message {
  readonly subject: string;
  /** Names and values to show below the subject. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly string[];
  readonly metadata: Metadata | undefined;
}

const SHOWN = [["From", "from"], ["To", "to"], ["Cc", "cc"], ["Date", "date"]] as const;

/** Adds the head of a message: the subject as a heading, sender, recipients and date, names of attachments. */
function writeHead({ subject, fields, attachments }: Message, builder: MarkdownBuilder, level: number): void {
  builder.heading(level, subject);
  const lines = fields.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
  if (subject === "" && lines.length > 0) {
    builder.heading(level, fields.find(([name]) => name === "Date")?.[1] || lines[0]!);
  }
  if (attachments.length > 0) lines.push(`Attachments: ${attachments.join(", ")}`);
  builder.paragraph(lines.join("\n"));
}

/** Adds a MIME message and the messages in it. */
async function writeMessage(part: Part, builder: MarkdownBuilder, level: number): Promise<Message> {
  const message: Message = {
    subject: await decodeField(part.headers.get("subject") ?? ""),
    fields: await Promise.all(
      SHOWN.map(async ([shown, name]) => [shown, await decodeField(part.headers.get(name) ?? "")] as const),
    ),
    attachments: attachmentsOf(part),
    metadata: await metadataOf(part.headers),
  };
  writeHead(message, builder, level);
  const shown = new Set<string>();
  const find = pictureIn(part);
  await writeBody(part, builder, level, true, (address) => {
    shown.add(address);
    return find(address);
  });
  addAttachedPictures(part, shown, builder);
  return message;
}

/** Adds the attached pictures of a message, but for those that its text shows. */
function addAttachedPictures(part: Part, shown: ReadonlySet<string>, builder: MarkdownBuilder): void {
  const { type, filename, headers } = part;
  if (type === "message/rfc822") return;
  const isShown = shown.has(`cid:${headers.get("content-id")?.replace(/^<|>$/g, "")}`);
  if (type.startsWith("image/") && !isShown) {
    builder.image(undefined, { bytes: () => bodyOf(part), alt: filename });
  }
  for (const inner of part.parts) addAttachedPictures(inner, shown, builder);
}

async function writeBody(
  part: Part,
  builder: MarkdownBuilder,
  level: number,
  isTop: boolean,
  pictureAt: (address: string) => PictureSource,
): Promise<void> {
  const { type, parts } = part;
  if (!isTop && isAttached(part)) return;
  if (type === "multipart/alternative") {
    const best = await bestOf(parts);
    if (best !== undefined) await writeBody(best, builder, level, false, pictureAt);
  } else if (type === "message/rfc822" && parts[0] !== undefined) {
    await writeMessage(parts[0], builder, level + 1);
  } else if (parts.length > 0) {
    for (const inner of parts) await writeBody(inner, builder, level, false, pictureAt);
  } else if (type === "text/html") {
    await convertHtml(await textOf(part), builder, { extent: "whole", headingOffset: level, pictureAt });
  } else if (type === "text/plain" || type === "text/markdown" || type === "message/delivery-status") {
    const has = (name: string, value: string) => part.parameters.get(name)?.toLowerCase() === value;
    const linesOf = (text: string) => unflow(text.split("\n"), has("delsp", "yes"));
    writeText(await textOf(part), builder, has("format", "flowed") ? linesOf : undefined);
  } else if (type.startsWith("application/pkcs7-mime") || type === "application/pgp-encrypted") {
    builder.paragraph("(The message is encrypted.)");
  }
}

/** Returns the best alternative: plain text before HTML, unless the plain text only points to the HTML. */
async function bestOf(parts: readonly Part[]): Promise<Part | undefined> {
  const plain = parts.find(({ type }) => type === "text/plain");
  const rich = parts.find(({ type, parts }) => type === "text/html" || parts.length > 0);
  if (plain === undefined) return rich ?? parts[0];
  const length = (await textOf(plain)).trim().length;
  const isStub = rich !== undefined && (length === 0 || (length < 200 && rich.body.length > 100 * length));
  return isStub ? rich : plain;
}

/** Returns whether a part is an attachment, whose content does not belong to the text. */
function isAttached({ type, parts, isAttachment, filename }: Part): boolean {
  if (parts.length > 0) return false;
  if (isAttachment) return true;
  return filename !== "" && !/^text\/(?:plain|html)$/.test(type) ||
    !/^(?:text\/(?:plain|html|markdown)|message\/delivery-status|application\/p(?:kcs7-mime|gp-encrypted))/
      .test(type);
}

function attachmentsOf(part: Part): string[] {
  const own = part.filename !== "" && isAttached(part) ? [part.filename.replace(/[\r\n]+/g, " ")] : [];
  if (part.type === "message/rfc822") return own;
  return [...own, ...part.parts.flatMap(attachmentsOf)];
}

async function metadataOf(headers: Headers): Promise<Metadata | undefined> {
  const field = async (name: string) => oneLine(await decodeField(headers.get(name) ?? ""));
  return mailMetadata({
    from: await field("from"),
    date: headers.get("date"),
    to: await field("to"),
    cc: await field("cc"),
    others: [
      ["tags", await field("keywords")],
      ["language", await field("content-language")],
      ["message_id", headers.get("message-id")],
      ["in_reply_to", headers.get("in-reply-to")],
      ["list_id", await field("list-id")],
      ["list_archive", headers.get("list-archive")],
    ],
  });
}

interface MailFields {
  readonly from: string;
  readonly date: string | undefined;
  /** Recipients, separated by commas or semicolons. */
  readonly to: string;
  readonly cc: string;
  readonly others?: readonly (readonly [name: string, value: string | undefined])[];
}

/** Returns the metadata of a message. A sender without a name has the address for one. */
function mailMetadata({ from, date, to, cc, others = [] }: MailFields): Metadata | undefined {
  const [, name = "", address] = /^\s*"?([^"<]*?)"?\s*<([^<>]*)>\s*$/.exec(from) ?? [];
  return described([
    ["authors", [name || (address ?? from)]],
    ["created", date],
    ["from", address === name || name === "" ? undefined : address],
    ["to", recipients(to)],
    ["cc", recipients(cc)],
    ...others.map(([name, value]) => [name, value?.replace(/^\s*<([^<>]*)>\s*$/, "$1")] as const),
  ]).metadata;
}

/** Returns the recipients in a field. A comma in quotes belongs to a name. */
function recipients(field: string): string[] {
  return Array.from(
    field.slice(0, 10_000).matchAll(/(?:"[^"]*"|[^",;])+/g),
    ([one]) => one.replaceAll('"', "").trim(),
  );
}

/** Adds a plain text body. Quoted lines become quotations. PGP signatures are left out. */
function writeText(
  text: string,
  builder: MarkdownBuilder,
  linesOf: (text: string) => string[] = (plain) => plain.split("\n"),
): void {
  const lines = linesOf(withoutSignature(text.replace(/\r\n?/g, "\n")));
  let block: string[] = [];
  let quoted = false;
  const flush = () => {
    if (quoted) builder.block(block.join("\n"));
    else builder.paragraph(block.join("\n"));
    block = [];
  };
  for (const line of lines) {
    const quote = /^(?:\s?>)+/.exec(line)?.[0];
    const isQuoted = quote !== undefined;
    if (isQuoted !== quoted || (!isQuoted && line.trim() === "")) flush();
    quoted = isQuoted;
    if (quote !== undefined) {
      const rest = line.slice(quote.length).trim();
      const marks = Math.min(10, quote.replace(/[^>]/g, "").length);
      // Escaped, since a heading in a quotation would look like a heading of the document.
      block.push(`${"> ".repeat(marks)}${rest.replace(/^(?=#{1,6}\s)/, "\\")}`.trimEnd());
    } else block.push(line);
  }
  flush();
}

function withoutSignature(text: string): string {
  const start = text.indexOf("\n-----BEGIN PGP SIGNATURE-----");
  const end = start < 0 ? -1 : text.indexOf("-----END PGP SIGNATURE-----", start);
  const signed = end < 0 ? text : text.slice(0, start) + text.slice(end + 27);
  return signed.replace(/^-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash: [^\n]*\n)?/, "");
}

/**
 * Returns lines with those joined that end with a blank, as RFC 3676 has it. `joinsWords`: whether that blank is removed, as in
 * Chinese.
 */
function unflow(lines: readonly string[], joinsWords: boolean): string[] {
  const out: string[] = [];
  let open = "";
  let depth = 0;
  for (const line of lines) {
    const quote = /^>*/.exec(line)![0];
    const text = line.slice(quote.length).replace(/^ /, "");
    if (open !== "" && quote.length === depth && line !== "-- ") open += text;
    else {
      if (open !== "") out.push(open);
      open = quote === "" ? text : `${quote} ${text}`;
      depth = quote.length;
    }
    if (text.endsWith(" ") && line !== "-- ") open = joinsWords ? open.slice(0, -1) : open;
    else {
      out.push(open);
      open = "";
    }
  }
  if (open !== "") out.push(open);
  return out;
}

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
  data: "3701",
  contentId: "3712",
  longName: "3707",
  shortName: "3704",
  displayName: "3001",
} as const;
const SUBMITTED = 0x0039;
const DELIVERED = 0x0e06;
const CODE_PAGES = [0x3ffd, 0x3fde];
/** Adds an Outlook message (`.msg`). Throws {@linkcode DocumentError} `damaged`. */
async function writeOutlook(bytes: Uint8Array, builder: MarkdownBuilder): Promise<Message> {
  const streams = messageStreams(bytes);
  const root = (path: string) => streams.get(path);
  const properties = fixedProperties(root("__properties_version1.0"));
  const codePage = charsetOf(CODE_PAGES.map((id) => properties.get(id)).find((value) => value !== undefined));
  const textAt = (prefix: string) => (id: string) =>
    textProperty(streams, `${prefix}__substg1.0_${id}`, codePage);
  const text = textAt("");
  const sender = await text(PROPERTY.sender);
  const address = await text(PROPERTY.senderAddress) || await text(PROPERTY.senderAddressOld);
  const date = dateOfFileTime(properties.get(SUBMITTED) ?? properties.get(DELIVERED));
  const from = address.includes("@") && address !== sender ? `${sender} <${address}>`.trim() : sender;
  const attachments: string[] = [];
  /** Attached pictures by their address, until the text shows them. */
  const pictures = new Map<string, PictureSource>();
  const folders = new Set(
    [...streams.keys()].map((path) => /^__attach[^/]*\//.exec(path)?.[0]).filter((one) => one !== undefined),
  );
  for (const folder of folders) {
    const attached = textAt(folder);
    const name = await attached(PROPERTY.longName) || await attached(PROPERTY.shortName) ||
      await attached(PROPERTY.displayName);
    if (name !== "") attachments.push(name);
    const data = root(`${folder}__substg1.0_${PROPERTY.data}0102`);
    if (data === undefined || factsOf(data) === undefined) continue;
    pictures.set(`cid:${await attached(PROPERTY.contentId)}`, { bytes: () => data, alt: name });
  }
  const [to, cc] = [await text(PROPERTY.to), await text(PROPERTY.cc)];
  const message: Message = {
    subject: await text(PROPERTY.subject),
    fields: [["From", from], ["To", to], ["Cc", cc], ["Date", date ?? ""]],
    attachments,
    metadata: mailMetadata({ from: oneLine(from), date, to, cc }),
  };
  writeHead(message, builder, 1);
  const body = await text(PROPERTY.body);
  const page = root(`__substg1.0_${PROPERTY.html}0102`);
  if (body.trim() !== "") writeText(body, builder);
  else {
    const html = page === undefined ? await text(PROPERTY.html) : await decodeHtml(page);
    const pictureAt = (address: string) => {
      const picture = pictures.get(address);
      return picture !== undefined && pictures.delete(address) ? picture : { link: address };
    };
    if (html !== "") await convertHtml(html, builder, { extent: "whole", headingOffset: 1, pictureAt });
  }
  for (const picture of pictures.values()) builder.image(undefined, picture);
  return message;
}

/** Returns the streams of a message by path in lower case. Throws {@linkcode DocumentError}. */
function messageStreams(bytes: Uint8Array): Map<string, Uint8Array> {
  const streams = readStreams(bytes, { nested: true });
  if (![...streams.keys()].some((path) => path.startsWith("__properties_version1.0"))) {
    throw new DocumentError("unsupported", "it is a compound file but not a message");
  }
  return streams;
}

/** Returns the fixed-size properties of the message, by identifier. */
function fixedProperties(stream: Uint8Array | undefined): Map<number, bigint> {
  const found = new Map<number, bigint>();
  if (stream === undefined) return found;
  const view = viewOf(stream);
  for (let at = 32; at + 16 <= stream.length; at += 16) {
    found.set(view.getUint16(at + 2, true), view.getBigUint64(at + 8, true));
  }
  return found;
}

/** Returns a text property. `001F` is UTF-16; `001E` is in the code page of the message. */
async function textProperty(
  streams: ReadonlyMap<string, Uint8Array>,
  path: string,
  codePage: string,
): Promise<string> {
  const wide = streams.get(`${path}001f`);
  if (wide !== undefined) return new TextDecoder("utf-16le").decode(wide).replace(/\0+$/, "");
  const narrow = streams.get(`${path}001e`);
  return narrow === undefined ? "" : (await decodeCharset(narrow, codePage)).replace(/\0+$/, "");
}

function charsetOf(value: bigint | undefined): string {
  const page = Number((value ?? 0n) & 0xffffffffn);
  return page === 50220 ? "iso-2022-jp" : codePageLabel(page) ?? "";
}

function dateOfFileTime(fileTime: bigint | undefined): string | undefined {
  return fileTime === undefined || fileTime === 0n ? undefined : fileTimeDate(fileTime);
}
