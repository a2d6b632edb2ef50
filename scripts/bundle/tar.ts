import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { type ArchiveFile, modeOf } from "./archive_file.ts";

const BLOCK = 512;
const PATH_BYTES = 100;

/** Byte 9 of a gzip header names the system that wrote it (RFC 1952). 255 (unknown) makes the archives of all systems equal. */
const GZIP_SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

/**
 * Returns a tar archive (POSIX ustar), compressed with gzip. A path that ends with `/` is a folder. The same files and time give the same
 * bytes. Throws if a path has more than 100 bytes.
 */
export function tarGz(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const file of files) {
    parts.push(header(file, time), file.content, new Uint8Array(-file.content.length & (BLOCK - 1)));
  }
  // Two empty blocks end the archive.
  parts.push(new Uint8Array(2 * BLOCK));
  const packed = gzipSync(Buffer.concat(parts), { level: 9 });
  packed[GZIP_SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return packed;
}

function header(file: ArchiveFile, time: Date): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(file.path) > PATH_BYTES) {
    throw new Error(`The path is too long for tar: ${file.path}`);
  }
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  block.write(file.path, 0);
  const isFolder = file.path.endsWith("/");
  block.write(octal(isFolder ? 0o755 : modeOf(file), 7), 100);
  block.write(octal(0, 7), 108); // user
  block.write(octal(0, 7), 116); // group
  block.write(octal(file.content.length, 11), 124);
  block.write(octal(Math.floor(time.getTime() / 1000), 11), 136);
  block.write(" ".repeat(8), 148); // the checksum counts itself as spaces
  block.write(isFolder ? "5" : "0", 156); // a folder or an ordinary file
  block.write("ustar\0" + "00", 257);
  let sum = 0;
  for (const byte of block) sum += byte;
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}
