import type { MarkdownBuilder } from "../writer/markdown_builder.ts";

/** Format of the lines of a text body. */
export interface TextForm {
  /** Whether a line that ends with a blank continues in the next one (RFC 3676). */
  readonly isFlowed?: boolean;
  /** Whether that blank is removed, as in Chinese. */
  readonly joinsWords?: boolean;
}

/** Adds a plain text body. Quoted lines become quotations. PGP signatures are left out. */
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
