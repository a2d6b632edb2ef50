/** Decodes a body, which has one character per byte, by its `Content-Transfer-Encoding`. */
export function transferred(body: string, encoding: string): Uint8Array {
  switch (encoding.trim().toLowerCase()) {
    case "base64":
      return base64(body);
    case "quoted-printable":
      return bytesOf(quotedPrintable(body));
    default:
      return bytesOf(body);
  }
}

/** Returns the bytes of a text with one character per byte. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Returns a text with one character per byte. WHATWG's `latin1` is another encoding. */
export function charactersOf(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  }
  return parts.join("");
}

/** Decodes Base64. Other characters are skipped, and text after padding is decoded too. */
function base64(text: string): Uint8Array {
  const pieces = text.replace(/[^A-Za-z0-9+/=]/g, "").split(/=+/).map((piece) =>
    piece.length % 4 === 1 ? piece.slice(0, -1) : piece
  );
  return bytesOf(pieces.map((piece) => atob(piece)).join(""));
}

function quotedPrintable(text: string): string {
  return text.replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Decodes the Q encoding of RFC 2047. */
export function qWords(text: string): Uint8Array {
  return bytesOf(quotedPrintable(text.replaceAll("_", "=20")));
}
