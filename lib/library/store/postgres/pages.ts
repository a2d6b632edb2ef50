/** The bytes of a segment in rows: each row has a part of them. */
import { MemoryFile } from "#engine/index/mod.ts";
import type { Tables } from "./tables.ts";

/** Bytes of a part. The last one of a segment is shorter. */
export const PART_BYTES = 64 * 1024;
/** Parts that are written, and read, by one statement: 4 MB. */
const PARTS_AT_ONCE = 64;

/** Writes a file as the parts of a new segment, which no index has yet. Returns its id. */
export async function writeSegment(tables: Tables, collection: string, file: MemoryFile): Promise<string> {
  const { size } = file.statSync();
  const [row] = await tables.write<{ id: string }>(
    "insert into {segment} (collection, size) values ($1, $2) returning id::text",
    [collection, size],
  );
  const { id } = row!;
  for (let part = 0; part * PART_BYTES < size; part += PARTS_AT_ONCE) {
    const bytes = new Uint8Array(Math.min(PARTS_AT_ONCE * PART_BYTES, size - part * PART_BYTES));
    file.seekSync(part * PART_BYTES);
    file.readSync(bytes);
    // One value is sent as it is; a list of values would be sent as text of twice the length.
    await tables.write(
      `insert into {page} (collection, segment, part, data)
       select $1, $2, $3 + i, substring($4::bytea from i * ${PART_BYTES} + 1 for ${PART_BYTES})
       from generate_series(0, $5::integer) as i`,
      [collection, id, part, bytes, Math.ceil(bytes.length / PART_BYTES) - 1],
    );
  }
  return id;
}

/** Reads all parts of a segment; `undefined` if it is not there, or not as a whole. */
export async function readSegment(tables: Tables, id: string): Promise<MemoryFile | undefined> {
  const [segment] = await tables.read<{ size: string }>("select size from {segment} where id = $1", [id]);
  if (segment === undefined) return undefined;
  const size = Number(segment.size), file = new MemoryFile();
  for (let part = 0; part * PART_BYTES < size; part += PARTS_AT_ONCE) {
    const rows = await tables.read<{ data: Uint8Array }>(
      "select data from {page} where segment = $1 and part >= $2 and part < $3 order by part",
      [id, part, part + PARTS_AT_ONCE],
    );
    for (const { data } of rows) file.writeSync(data);
  }
  file.seekSync(0);
  return file.statSync().size === 0 ? undefined : file;
}
