import { UsageError } from "../errors.ts";
import { type Entry, pathOf, type Problem } from "./_entry.ts";
import { decryptSecret } from "./encryption/cipher.ts";
import type { KeySource } from "./encryption/keys.ts";

/** The secret in an entry that holds an `enc:v1:…` value, or why it cannot be had. */
export async function decryptEntry(
  entry: Entry,
  source: KeySource,
): Promise<{ secret: string; problem?: undefined } | { secret?: undefined; problem: Problem }> {
  try {
    return { secret: await decryptSecret(String(entry.value), source) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const phrase = { key: error.key, params: error.params };
    return { problem: { place: entry.place, path: pathOf(entry), phrase } };
  }
}
