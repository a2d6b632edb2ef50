import { isCompoundFile } from "../compound/is_compound_file.ts";
import type { FileName, Loader } from "../loader.ts";
import { fileName } from "../reader/file_name.ts";
import { guarded } from "../reader/guarded.ts";
import { type Document, DocumentError } from "../types.ts";
import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { writeMessage } from "./message.ts";
import { parseMessage } from "./mime.ts";
import { writeOutlook } from "./outlook.ts";
import { charactersOf } from "./transfer.ts";

/** Matches the line `From sender date`, which begins a message in a mailbox file. */
const SEPARATOR = /^From \S[^\r\n]{0,300}?\d\d:\d\d[^\r\n]{0,60}\r?\n/;

/** Mail: one message (`.eml`, Outlook's `.msg`), or a mailbox (`.mbox`) with one section per message. */
export const loader: Loader = { load: (bytes, file) => guarded(() => loadMail(bytes, file)) };

async function loadMail(bytes: Uint8Array<ArrayBuffer>, file: FileName): Promise<Document> {
  const builder = new MarkdownBuilder();
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
}

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
