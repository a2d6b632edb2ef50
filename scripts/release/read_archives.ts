import { Buffer } from "node:buffer";
import { gunzipSync, inflateRawSync } from "node:zlib";

/** A file that was read from an archive. */
export interface Entry {
  /** The path in the archive, followed by `*` if the file can be run. */
  readonly path: string;
  readonly text: string;
}

/** Reads a tar.gz. Throws if the checksum of a header is wrong. */
export function readTarGz(archive: Uint8Array): Entry[] {
  const bytes = gunzipSync(archive);
  const entries: Entry[] = [];
  for (let at = 0; bytes[at] !== 0;) {
    const header = Buffer.from(bytes.subarray(at, at + 512));
    const field = (from: number, length: number) =>
      header.toString("utf8", from, from + length).replace(/\0.*/s, "");
    const sum = parseInt(field(148, 8), 8);
    header.fill(" ", 148, 156);
    if (header.reduce((a, b) => a + b) !== sum) throw new Error("wrong checksum");
    const size = parseInt(field(124, 12), 8);
    const runs = (parseInt(field(100, 8), 8) & 0o100) !== 0;
    entries.push({
      path: field(0, 100) + (runs ? "*" : ""),
      text: bytes.toString("latin1", at + 512, at + 512 + size),
    });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

/** Reads a ZIP by its central directory. */
export function readZip(archive: Uint8Array): Entry[] {
  const bytes = Buffer.from(archive);
  const end = bytes.length - 22;
  let at = bytes.readUInt32LE(end + 16);
  const entries: Entry[] = [];
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const runs = (bytes.readUInt32LE(at + 38) >>> 16 & 0o100) !== 0;
    const path = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26);
    const text = inflateRawSync(bytes.subarray(from, from + bytes.readUInt32LE(at + 20))).toString("latin1");
    entries.push({ path: path + (runs ? "*" : ""), text });
    at += 46 + nameLength;
  }
  return entries;
}

/** Reads the members of an `ar` archive, such as a Debian package, by name. */
export function readAr(archive: Uint8Array): Map<string, Uint8Array> {
  const bytes = Buffer.from(archive);
  if (bytes.toString("latin1", 0, 8) !== "!<arch>\n") throw new Error("not an ar archive");
  const members = new Map<string, Uint8Array>();
  for (let at = 8; at < bytes.length;) {
    const size = Number(bytes.toString("latin1", at + 48, at + 58));
    const end = at + 60 + size;
    if (bytes.toString("latin1", at + 58, at + 60) !== "`\n" || end > bytes.length) {
      throw new Error("damaged ar archive");
    }
    members.set(bytes.toString("latin1", at, at + 16).trim(), bytes.subarray(at + 60, end));
    at = end + size % 2;
  }
  return members;
}
