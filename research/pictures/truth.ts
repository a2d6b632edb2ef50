/** A picture as another reader finds it, and what the readers share. */

/** A picture that a document has. Absent properties are not compared. */
export interface TruePicture {
  /** Page or slide. */
  readonly page?: number;
  /** Size in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** In points from the upper left corner of the page or slide. */
  readonly box?: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly cell?: string;
  /** The last letters before it and the first after it, as {@linkcode comparableText}. */
  readonly before?: string;
  after?: string;
  readonly isInTable?: boolean;
  /** The heading that it stands under. */
  readonly heading?: string;
  readonly alt?: string;
  /** Its file in the document. */
  readonly name?: string;
  readonly bytes?: Uint8Array;
  readonly sha256?: string;
  readonly link?: string;
  readonly isMissing?: boolean;
}

/** Returns the letters and digits of a text, in lower case. */
export function comparableText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/!\[[^\]\n]*\]\([^)\n]*\)/g, "").replace(
    /[^\p{L}\p{N}]+/gu,
    "",
  );
}

/** Runs a program. Returns its output; `undefined` if it fails. */
export async function output(
  command: string,
  ...args: string[]
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { success, stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
  return success ? stdout : undefined;
}

export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
