import { secretForms, secretValues } from "../config/mod.ts";
import type { Preparation } from "./prepare.ts";

/** The secrets of all configurations in effect, in every form that they turn up in. */
export function secretsOf(
  { configuration, compared }: Pick<Preparation, "configuration" | "compared">,
): string[] {
  return [configuration, ...Object.values(compared)].flatMap(({ config }) => secretValues(config)).flatMap(
    secretForms,
  );
}

/** A text without the secrets of the configurations. Those under 4 characters would hit too much else. */
export function withoutSecrets(
  text: string,
  preparation: Pick<Preparation, "configuration" | "compared">,
): string {
  const secrets = secretsOf(preparation).filter(({ length }) => length >= 4);
  // one may hold another
  secrets.sort((a, b) => b.length - a.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "****"), text);
}
