/**
 * The commands `config check`, `config init`, `config encrypt` and `config decrypt`.
 * None of them takes a secret from the command line or prints one unasked.
 */
import { dirname, resolve } from "node:path";
import {
  ConfigError,
  decryptSecret,
  defaultConfigText,
  type EncryptedSecret,
  encryptInFile,
  encryptSecret,
  maskSecrets,
  printConfig,
  SECRET_KEYS,
  secretInFile,
  type SecretKey,
} from "#foundation/configuration/mod.ts";
import { message, printableText } from "#foundation/messages/mod.ts";
import { configurationFor, configurationPlaces } from "../configuration.ts";
import { abortable, type Context, EXIT, Interrupted, warnText } from "../context.ts";
import { confirm, note, printableMessage, printJson } from "../say.ts";
import { reasonOf, UsageError, UserError } from "#foundation/errors.ts";
import { isMissing, lookAt, writeAll, writeNamed } from "#foundation/boundary/mod.ts";

/** `config check`: prints the configuration in effect with its secrets masked. A wrong configuration gives exit code 2. */
export async function configCheck(context: Context): Promise<number> {
  const { io, flags, signal } = context;
  try {
    const { config, source, warnings } = await abortable(configurationFor(io, flags), signal);
    const { language } = config;
    const spoken = { ...context, language };
    for (const text of warnings) warnText(spoken, text);
    const from = { source: source ?? message(language, "cli_config_builtin") };
    if (flags.json) {
      const data = { source, warnings, config: maskSecrets(config) };
      await printJson(spoken, data, message(language, "cli_config_ok", from));
    } else {
      note(spoken, "cli_config_ok", from);
      await io.out(printableText(printConfig(config)));
    }
    return EXIT.done;
  } catch (error) {
    if (!flags.json || !(error instanceof ConfigError)) throw error;
    const text = message(error.language, error.key, error.params);
    await printJson(context, { problems: error.problems }, text, 500);
    return EXIT.usage;
  }
}

/** `config init [--force]`: writes the defaults with comments to `--config` or `./config.yaml`. */
export async function configInit({ io, flags, language }: Context): Promise<number> {
  const path = resolve(io.cwd, flags.config ?? "config.yaml");
  const text = await defaultConfigText();
  try {
    if ((await lookAt(path).catch(() => undefined))?.isDirectory) {
      throw new UsageError("config_file_is_directory", { path });
    }
    // A link at this path is replaced, not followed.
    const options = { mode: 0o666, overwrite: flags.force ?? false };
    await writeNamed(path, (file) => writeAll(file, new TextEncoder().encode(text)), options);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (error instanceof Deno.errors.AlreadyExists) throw new UserError("cli_config_exists", { path });
    throw isMissing(error)
      ? new UsageError("cli_config_no_folder", { path, folder: dirname(path) }, { cause: error })
      : new UserError("cli_config_unwritable", { path, reason: reasonOf(error) }, { cause: error });
  }
  await io.out(`${printableMessage(language, "cli_config_written", { path })}\n`);
  return EXIT.done;
}

/**
 * `config encrypt [KEY...]`: encrypts the values of these keys in the configuration file. Without a key it reads a secret
 * from the terminal, hidden, or from stdin, and prints it as `enc:v1:…`. It never takes a secret from the command line.
 */
export async function configEncrypt(context: Context): Promise<number> {
  const { io, flags, operands } = context;
  const isSecretKey = (name: string): name is SecretKey => SECRET_KEYS.some((key) => key === name);
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
  if (keyFile === undefined) return note(context, "cli_encrypt_with_passphrase");
  note(context, keyFileCreated ? "cli_encrypt_with_new_file" : "cli_encrypt_with_file", { path: keyFile });
}

/** `config decrypt KEY|enc:v1:…|-`: asks, then prints the secret of a key, of the argument or of stdin in plain text. */
export async function configDecrypt(context: Context): Promise<number> {
  const { io } = context;
  const text = await encryptedText(context);
  if (!await confirm(context, "cli_confirm_decrypt", {})) return EXIT.failed;
  await io.out(`${await decryptSecret(text, { env: io.env })}\n`);
  return EXIT.done;
}

async function encryptedText(context: Context): Promise<string> {
  const { io, flags, operands, signal } = context;
  const [operand = ""] = operands;
  const key = SECRET_KEYS.find((key) => key === operand);
  if (key !== undefined) return await secretInFile(key, configurationPlaces(io, flags));
  if (/^enc:/i.test(operand)) return operand;
  if (operand === "-") {
    const line = await io.readLine(signal);
    signal.throwIfAborted();
    return line ?? "";
  }
  // The message does not repeat the argument, which may be a secret.
  throw new UsageError("cli_decrypt_missing");
}
