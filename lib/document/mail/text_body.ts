import type { MarkdownBuilder } from "../writer/markdown_builder.ts";

/** How the lines of a text body are to be joined. */
export interface TextForm {
  /** RFC 3676: a line that ends with a blank goes on in the next. */
  readonly isFlowed?: boolean;
  /** That blank is none of the text, as in Chinese. */
  readonly joinsWords?: boolean;
}

/** Adds a body of plain text; what it quotes becomes quotations. Signatures of PGP are left out. */
export function writeText(text: string, builder: MarkdownBuilder, form: TextForm = {}): void {
  const source = withoutSignature(text.replace(/\r\n?/g, "\n"));
  const lines = form.isFlowed ? unflow(source.split("\n"), form.joinsWords ?? false) : source.split("\n");
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
      // A heading in a quotation would be taken for one of the document.
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
