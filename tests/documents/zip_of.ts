import { zipSync } from "fflate";

/** Returns a ZIP archive of files with these texts or bytes. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  return new Uint8Array(zipSync(
    Object.fromEntries(
      Object.entries(files).map((
        [name, data],
      ) => [name, typeof data === "string" ? encoder.encode(data) : data]),
    ),
  ));
}
