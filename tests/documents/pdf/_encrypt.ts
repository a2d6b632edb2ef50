import { createHash } from "node:crypto";
import type { Cipher } from "./make_pdf.ts";

/** Padding of passwords (ISO 32000-1, 7.6.3.3). */
const PADDING = Uint8Array.fromHex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A");

/** Encrypts a PDF with 40-bit RC4 (ISO 32000-1, 7.6) under a user password. */
export function rc4Encryption(password: string): { dictionary: string; id: string; cipher: Cipher } {
  const id = new Uint8Array(16).fill(7);
  const user = padded(password);
  const owner = rc4(md5(padded("owner")).subarray(0, 5), user);
  const permissions = Uint8Array.of(0xfc, 0xff, 0xff, 0xff);
  const key = md5(Uint8Array.of(...user, ...owner, ...permissions, ...id)).subarray(0, 5);
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /O <${owner.toHex()}> /U <${
      rc4(key, PADDING).toHex()
    }> /P -4 >>`,
    id: `<${id.toHex()}>`,
    cipher: (data, object) =>
      rc4(md5(Uint8Array.of(...key, object & 255, object >> 8, 0, 0, 0)).subarray(0, 10), data),
  };
}

function padded(password: string): Uint8Array {
  return Uint8Array.of(...new TextEncoder().encode(password), ...PADDING).slice(0, 32);
}

function md5(data: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("md5").update(data).digest());
}

function rc4(key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  let i = 0, j = 0;
  return Uint8Array.from(data, (byte) => {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
    return byte ^ state[(state[i]! + state[j]!) & 255]!;
  });
}
