/** Web pages that a browser saved in one file: a message by MIME, whose first page is read as HTML. */
import { decodeHtml } from "../decode.ts";
import { loadHtml } from "../html/loader.ts";
import { DocumentError, given, guarded, type Loader } from "../types.ts";
import { charactersOf } from "../bytes.ts";
import { bodyOf, decodeField, parseMessage, type Part, pictureIn } from "../mime.ts";

/** Web pages saved by a browser in one file with their pictures (`.mhtml`, `.mht`). Only the page is read. */
export const loader: Loader = guarded(async (bytes, file) => {
  const message = await parseMessage(charactersOf(bytes));
  const page = pageOf(message);
  if (page === undefined) throw new DocumentError("damaged", "it contains no web page");
  const document = await loadHtml(
    await decodeHtml(bodyOf(page), file.encoding ?? page.parameters.get("charset")),
    file,
    pictureIn(message),
  );
  const title = document.title ?? await decodeField(message.headers.get("subject") ?? "");
  return { ...document, ...given({ title }) };
});

/** Returns the first page. Later ones are the contents of its frames. */
function pageOf(part: Part): Part | undefined {
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(part.type)) return part;
  for (const inner of part.parts) {
    const page = pageOf(inner);
    if (page !== undefined) return page;
  }
  return undefined;
}
