import {
  type EncryptedSecret,
  encryptInFile,
  encryptSecret,
  SECRET_KEYS,
  type SecretKey,
} from "../../../config/mod.ts";
import { UsageError } from "../../../errors.ts";
import { configurationPlaces } from "../../configuration.ts";
import { type Context, Interrupted, note } from "../../context.ts";
import { EXIT } from "../../exit.ts";
import { printableMessage } from "../../printable_message.ts";

/**
 * `config encrypt [KEY...]`: encrypts the values of these keys in the configuration file. Without a key it reads a secret
 * from the terminal, hidden, or from stdin, and prints it as `enc:v1:…`. It never takes a secret from the command line.
 */
export async function configEncrypt(context: Context): Promise<number> {
  const { io, flags, operands } = context;
  if (!operands.every(isSecretKey)) {
    throw new UsageError("cli_encrypt_argument", { keys: SECRET_KEYS.join(", ") });
  }
  for (const key of operands) {
    const { path, encrypted } = await encryptInFile(key, configurationPlaces(io, flags));
    if (encrypted === null) note(context, "cli_encrypt_already", { key, path });
    else {
      note(context, "cli_encrypt_done", { key, path });
      tellKey(context, encrypted);
      note(context, "cli_encrypt_copies");
    }
  }
  if (operands.length > 0) return EXIT.done;

  const encrypted = await encryptSecret(await secretFromInput(context), { env: io.env });
  await io.out(`${encrypted.text}\n`);
  tellKey(context, encrypted);
  return EXIT.done;
}

async function secretFromInput(context: Context): Promise<string> {
  const { io, language, signal } = context;
  if (!io.terminal.stdin) return await io.readLine(signal) ?? "";
  // The prompt comes after the terminal has stopped to show the input.
  const typing = io.readLine(signal, "hidden");
  io.err(printableMessage(language, "cli_secret_prompt"));
  const secret = await typing;
  io.err("\n");
  signal.throwIfAborted();
  if (secret === undefined) throw new Interrupted();
  const count = Array.from(secret.trim()).length;
  // The count helps to notice a typing error in a hidden secret.
  if (count > 0) note(context, "cli_secret_read", { count });
  return secret;
}

function tellKey(context: Context, { keyFile, keyFileCreated }: EncryptedSecret): void {
  if (keyFile === undefined) note(context, "cli_encrypt_with_passphrase");
  else {note(context, keyFileCreated ? "cli_encrypt_with_new_file" : "cli_encrypt_with_file", {
      path: keyFile,
    });}
}

function isSecretKey(name: string): name is SecretKey {
  return SECRET_KEYS.some((key) => key === name);
}
