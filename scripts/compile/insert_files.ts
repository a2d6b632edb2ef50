import { Buffer } from "node:buffer";
import { type ListApart, MARK } from "#foundation/boundary/mod.ts";

/** Stands at the beginning and at the end of the runtime's part. */
const MAGIC = Buffer.from("d3n0l4nd");
/** Stands in front of the note that has the part as its content: type and owner. Its length is in the 4 bytes before. */
const NOTE = Buffer.from("\x01IUSSUI\0");
/** Stands behind the part in executables with a runtime before Deno 2.9, in front of the length of both and of itself as a u64. */
const TRAILER = Buffer.from([0x1e, 0x50, 0, 0, 0xa7, 2, 0, 0]);

/**
 * Inserts files by their names into an executable for Linux: at its end, or in front of the runtime's part where that is at the end
 * (see `lib/foundation/boundary/program_files.ts`). The system loads by offsets from the start, so it works as before. Throws an
 * error if the runtime's part is not where it was in the Deno versions that this was written for.
 */
export async function insertFiles(
  executable: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const bytes = Buffer.from(await Deno.readFile(executable));
  const isAtEnd = bytes.subarray(-16, -8).equals(TRAILER);
  if (!isAtEnd) partInNote(bytes, executable);
  const at = bytes.length - (isAtEnd ? Number(bytes.readBigUInt64LE(bytes.length - 8)) : 0);
  const names: ListApart = [...files].map(([name, { length }]) => [name, length]);
  const list = Buffer.from(JSON.stringify(names));
  const end = Buffer.concat([list, u64(list.length), Buffer.from(MARK)]);
  using file = await Deno.open(executable, { write: true });
  await file.seek(at, Deno.SeekMode.Start);
  for (const part of [...files.values(), end, bytes.subarray(at)]) {
    for (let from = 0; from < part.length;) from += await file.write(part.subarray(from));
  }
}

/**
 * Writes an executable for Linux anew, for a runtime before Deno 2.9 (`base`), which looks for its part at the end. Deno 2.9 makes
 * the part a note, which the system maps into memory.
 */
export async function putPartAtEnd(executable: string, base: string): Promise<void> {
  const part = partInNote(Buffer.from(await Deno.readFile(executable)), executable);
  const from = MAGIC.length + 8;
  const to = from + Number(part.readBigUInt64LE(MAGIC.length));
  const metadata = JSON.parse(part.toString("utf8", from, to));
  // Since Deno 2.9 the feature is always on. Older runtimes do not start without the field.
  metadata.unstable_config.bare_node_builtins = true;
  const json = Buffer.from(JSON.stringify(metadata));
  const end = [MAGIC, u64(json.length), json, part.subarray(to), TRAILER];
  const length = end.reduce((sum, bytes) => sum + bytes.length, 8);
  await Deno.writeFile(executable, Buffer.concat([await Deno.readFile(base), ...end, u64(length)]));
}

/** The runtime's part, which is the content of a note behind its name and the length of that. */
function partInNote(bytes: Buffer, executable: string): Buffer {
  const at = bytes.lastIndexOf(NOTE);
  const content = at + NOTE.length;
  const length = at < 0 ? 0 : bytes.readUInt32LE(at - 4);
  const part = bytes.subarray(content + 2 + MAGIC.length, content + length);
  if (part.subarray(0, MAGIC.length).equals(MAGIC)) return part;
  throw new Error(`${executable} has no part of Deno's runtime`);
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
