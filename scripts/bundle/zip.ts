import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import { type ArchiveFile, modeOf } from "./archive_file.ts";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;
const DEFLATED = 8;
/** Version needed to unpack the archive: 2.0. */
const VERSION = 20;
/** "Made on Unix": the permissions are Unix permissions. */
const MADE_BY = 3 << 8 | VERSION;
const UTF8_NAMES = 1 << 11;
const ORDINARY_FILE = 0o100000;

/**
 * Returns a ZIP archive. The same files and time give the same bytes. It keeps which files can be run. Sizes and offsets
 * are limited to 4 GiB (no ZIP64). Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zip(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let position = 0;
  for (const file of files) {
    const name = Buffer.from(file.path);
    const packed = deflateRawSync(file.content, { level: 9 });
    // The fields that both headers share, from the version needed to the length of the name.
    const common = Buffer.alloc(24);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8_NAMES, 2);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt32LE(dosTime(time), 6);
    common.writeUInt32LE(crc32(file.content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(file.content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(uint32(LOCAL_HEADER), common, new Uint8Array(2), name, packed);

    const more = Buffer.alloc(16);
    more.writeUInt32LE((ORDINARY_FILE | modeOf(file)) * 0x10000, 8);
    more.writeUInt32LE(position, 12);
    central.push(uint32(CENTRAL_HEADER), uint16(MADE_BY), common, more, name);
    position += 4 + common.length + 2 + name.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_CENTRAL, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** Returns the DOS time in UTC: from the lowest bit, seconds / 2, minutes, hours, days, months, and years since 1980. */
function dosTime(time: Date): number {
  const seconds = time.getUTCSeconds() >> 1 | time.getUTCMinutes() << 5 | time.getUTCHours() << 11;
  const years = Math.max(0, time.getUTCFullYear() - 1980);
  return ((years << 9 | (time.getUTCMonth() + 1) << 5 | time.getUTCDate()) << 16 | seconds) >>> 0;
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value & 255, value >> 8);
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
