import { type ListApart, MARK, MARK_BYTES, runtimePartOf } from "#foundation/boundary/mod.ts";

/**
 * Inserts files by their names into an executable for Linux, in front of the runtime's part (see
 * `lib/foundation/boundary/program_files.ts`). The system loads the native code by offsets from the start, and the runtime finds its part
 * from the end, so both work as before.
 */
export async function insertFiles(
  executable: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const at = runtimePart(executable);
  const bytes = await Deno.readFile(executable);
  const names: ListApart = [...files].map(([name, { length }]) => [name, length]);
  const list = new TextEncoder().encode(JSON.stringify(names));
  const marked = new Uint8Array(MARK_BYTES);
  new DataView(marked.buffer).setBigUint64(0, BigInt(list.length), true);
  marked.set(new TextEncoder().encode(MARK), 8);
  using file = await Deno.open(executable, { write: true });
  await file.seek(at, Deno.SeekMode.Start);
  for (const part of [...files.values(), list, marked, bytes.subarray(at)]) {
    for (let from = 0; from < part.length;) from += await file.write(part.subarray(from));
  }
}

/** Where the runtime's part begins. Throws an error if it is not where it was in the Deno versions that this was written for. */
function runtimePart(executable: string): number {
  using file = Deno.openSync(executable);
  const at = runtimePartOf(file);
  const magic = new Uint8Array(8);
  if (at > 0) file.seekSync(at, Deno.SeekMode.Start);
  file.readSync(magic);
  if (new TextDecoder().decode(magic) !== "d3n0l4nd") {
    throw new Error(`${executable} has no part of Deno's runtime`);
  }
  return at;
}
