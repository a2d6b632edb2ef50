import { convertHtml } from "../html/mod.ts";
import type { Metadata } from "../types.ts";
import type { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { decodeField, type Headers } from "./headers.ts";
import { type Part, textOf } from "./mime.ts";
import { writeText } from "./text_body.ts";

/** The head of a message, from any file format. */
export interface Message {
  readonly subject: string;
  /** Names and values to show below the subject. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly string[];
  readonly metadata: Metadata;
}

const SHOWN = [["From", "from"], ["To", "to"], ["Cc", "cc"], ["Date", "date"]] as const;

/** Adds the head of a message: the subject as a heading, sender, receivers and date, names of attachments. */
export function writeHead(
  { subject, fields, attachments }: Message,
  builder: MarkdownBuilder,
  level: number,
): void {
  builder.heading(level, subject);
  const lines = fields.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
  if (subject === "" && lines.length > 0) {
    builder.heading(
      level,
      fields.find(([name]) => name === "Date")?.[1] || lines[0]!,
    );
  }
  if (attachments.length > 0) lines.push(`Attachments: ${attachments.join(", ")}`);
  builder.paragraph(lines.join("\n"));
}

/** Adds a MIME message and the messages in it. */
export async function writeMessage(part: Part, builder: MarkdownBuilder, level: number): Promise<Message> {
  const message: Message = {
    subject: await decodeField(part.headers.get("subject") ?? ""),
    fields: await Promise.all(
      SHOWN.map(async ([shown, name]) => [shown, await decodeField(part.headers.get(name) ?? "")] as const),
    ),
    attachments: attachmentsOf(part),
    metadata: await metadataOf(part.headers),
  };
  writeHead(message, builder, level);
  await writeBody(part, builder, level, true);
  return message;
}

async function writeBody(part: Part, builder: MarkdownBuilder, level: number, isTop: boolean): Promise<void> {
  const { type, parts } = part;
  if (!isTop && isAttached(part)) return;
  if (type === "multipart/alternative") {
    const best = await bestOf(parts);
    if (best !== undefined) await writeBody(best, builder, level, false);
  } else if (type === "message/rfc822" && parts[0] !== undefined) {
    await writeMessage(parts[0], builder, level + 1);
  } else if (parts.length > 0) { for (const inner of parts) await writeBody(inner, builder, level, false); }
  else if (type === "text/html") {
    await convertHtml(await textOf(part), builder, { extent: "whole", headingOffset: level });
  } else if (type === "text/plain" || type === "text/markdown" || type === "message/delivery-status") {
    const isFlowed = part.parameters.get("format")?.toLowerCase() === "flowed";
    writeText(await textOf(part), builder, {
      isFlowed,
      joinsWords: part.parameters.get("delsp")?.toLowerCase() === "yes",
    });
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

async function metadataOf(headers: Headers): Promise<Metadata> {
  const author = await decodeField(headers.get("from") ?? "");
  const sent = Date.parse((headers.get("date") ?? "").replace(/\([^)]*\)/g, ""));
  const date = Number.isNaN(sent) ? undefined : new Date(sent).toISOString().replace(".000Z", "Z");
  return {
    ...(author === "" ? {} : { author }),
    ...(date === undefined ? {} : { date, created: date }),
  };
}
