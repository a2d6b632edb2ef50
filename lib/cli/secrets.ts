import { secretForms, secretValues } from "../config/mod.ts";
import type { Preparation } from "./prepare.ts";

/** The parts of a {@linkcode Preparation} that hold secrets. */
type Secretive = Pick<Preparation, "configuration" | "compared" | "indexKey">;

/** The secrets of all configurations in effect, in every form that they turn up in, and the key of the indexes. */
export function secretsOf({ configuration, compared, indexKey }: Secretive): string[] {
  const configured = [configuration, ...Object.values(compared)].flatMap(({ config }) =>
    secretValues(config)
  );
  return [...configured.flatMap(secretForms), ...keyForms(indexKey)];
}

/** Bytes as programs write them: in hexadecimal, base64, and number by number. */
function keyForms(key: Uint8Array): string[] {
  const hex = key.toHex();
  return [hex, hex.replace(/..(?!$)/g, "$& "), key.toBase64(), key.join(","), key.join(", ")];
}

/** A text without the secrets of the configurations. Those under 4 characters would hit too much else. */
export function withoutSecrets(
  text: string,
  preparation: Secretive,
): string {
  const secrets = secretsOf(preparation).filter(({ length }) => length >= 4);
  // one may hold another
  secrets.sort((a, b) => b.length - a.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}
