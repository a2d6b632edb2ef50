import { decryptSecret, SECRET_KEYS, secretInFile } from "../../../config/mod.ts";
import { UsageError } from "../../../errors.ts";
import { configurationPlaces } from "../../configuration.ts";
import { confirm } from "../../confirm.ts";
import { type Context, note } from "../../context.ts";
import { EXIT } from "../../exit.ts";

/**
 * `config decrypt KEY|enc:v1:…|-`: asks, then prints a secret in plain text: the value of a key in the configuration file,
 * the given secret, or one from stdin.
 */
export async function configDecrypt(context: Context): Promise<number> {
  const { io } = context;
  const text = await encryptedText(context);
  if (!(await confirm(context, "cli_confirm_decrypt", {}))) {
    note(context, "cli_declined");
    return EXIT.failed;
  }
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
