/**
 * Puts each text between tags that none of them holds, so that no file can end its quotation and go on in the program's voice
 * or forge another's citation: `<quoted-1>` … `</quoted-1>`, with the first number that occurs in no text.
 */
export function quoted(texts: readonly string[]): string[] {
  const name = freeName(texts);
  return texts.map((text) => `<${name}>\n${text}${text.endsWith("\n") ? "" : "\n"}</${name}>`);
}

function freeName(texts: readonly string[]): string {
  const taken = new Set<string>();
  // spelled in any way: a model is no parser
  for (const text of texts) {
    for (const [, number] of text.matchAll(/quoted[^\p{L}\p{N}]{0,3}(\d{1,9})/giu)) {
      taken.add(String(Number(number)));
    }
  }
  let number = 1;
  while (taken.has(String(number))) number++;
  return `quoted-${number}`;
}
