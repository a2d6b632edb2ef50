import { type LostSetting, SECRET_KEYS } from "../../../config/mod.ts";
import type { MessageKey } from "../../../messages.ts";
import { warn } from "../../context.ts";
import type { Session } from "../../session.ts";
import { shellLine } from "./server_command.ts";

const TEXTS = {
  reference: "cli_setup_lost_reference",
  variable: "cli_setup_lost_variable",
  passphrase: "cli_setup_lost_passphrase",
} as const satisfies Record<LostSetting["by"], MessageKey>;

/**
 * Warns of each secret that the client's server will not have, and names the command that puts it into the configuration
 * file, encrypted. The client's file would hold it in plain text.
 */
export function warnOfMissingSecrets(session: Session, client: string, lost: readonly LostSetting[]): void {
  const { source } = session;
  const path = source ?? "config.yaml";
  for (const { key, name, by } of lost) {
    // Only keys can be encrypted. A password in an address has to be moved to a key.
    const text = SECRET_KEYS.some((secret) => secret === key) ? TEXTS[by] : "cli_setup_lost_address";
    const file = source === null ? [] : ["--config", source];
    const command = shellLine(["muxue_rag", "config", "encrypt", key, ...file], Deno.build.os);
    warn(session, text, { client, key, name, path, command });
  }
}
