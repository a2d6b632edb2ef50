/** An entry of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Type flag of the header; `0`, an ordinary file, by default. */
  readonly type?: string;
}

/** A tar archive, as npm makes it. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  const parts = entries.flatMap(({ path, content, type = "0" }) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const header = new Uint8Array(512);
    const put = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
    put(path, 0);
    put("0000644\0", 100);
    put(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
    put(" ".repeat(8), 148);
    put(type, 156);
    put("ustar\x0000", 257);
    const sum = header.reduce((sum, byte) => sum + byte, 0);
    put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, bytes, new Uint8Array((512 - bytes.length % 512) % 512)];
  });
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 1024));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes compressed as a gzip file. */
export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return await new Response(stream).bytes();
}
