import { join } from "node:path";
import { done } from "../chroot.ts";
import { Impossible } from "./report.ts";

/** The keys of a release, in environment variables. */
export interface SigningKeys {
  /** Path of the secret key of minisign. */
  readonly secret: string | undefined;
  /** Its password; empty for a key without one. */
  readonly password: string;
  /** The public key, as one line of Base64. */
  readonly public: string | undefined;
}

/**
 * Signs `SHA256SUMS` in `folder` with minisign, and verifies the signature, `SHA256SUMS.minisig`. Returns what was done. Throws
 * {@linkcode Impossible} without a key.
 */
export async function signSums(folder: string, keys: SigningKeys): Promise<string> {
  if (keys.secret === undefined) {
    throw new Impossible("not signed: no key (MINISIGN_SECRET_KEY names its file)");
  }
  if (keys.public === undefined) {
    throw new Error("MINISIGN_PUBLIC_KEY must have the public key, to verify the signature");
  }
  const sums = join(folder, "SHA256SUMS");
  await done("minisign", ["-S", "-s", keys.secret, "-m", sums], `${keys.password}\n`);
  await done("minisign", ["-V", "-P", keys.public, "-m", sums]);
  return "signed and verified by minisign";
}
