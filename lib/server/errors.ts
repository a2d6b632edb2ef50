/**
 * How an error reaches a client: as the error of a request in the protocol's form,
 * or as the message of a tool's answer. Unexpected errors are logged; the client learns only that there was one.
 */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { errorLine, errorMessage, shortened } from "#library/answer/mod.ts";
import { reasonOf, traceOf, UserError } from "#foundation/errors.ts";
import { type Language, message, printable } from "#foundation/messages/mod.ts";
import { isSystemError } from "#foundation/boundary/mod.ts";
import type { ToolContext } from "./tool.ts";

/** Errors about a document that does not exist for the client. They do not tell whether the file is there. */
const NOT_FOUND: ReadonlySet<string> = new Set([
  "resource_not_found",
  "image_not_found",
  "image_changed",
  "file_not_found",
  "no_permission",
  "directory_not_found",
  "not_a_directory",
]);

/** Errors that another request does not have. */
const WRONG_PARAMETERS: ReadonlySet<string> = new Set([
  "bad_line_range",
  "cursor_unknown",
  "prompt_unknown",
  "prompt_bad_arguments",
  "list_cursor_unknown",
  "resource_too_many_subscriptions",
  "resource_subscriptions_too_long",
]);

/** The error of a request as the protocol writes it, in the user's language. An unexpected one is logged, not told. */
export async function protocolError(
  error: unknown,
  method: string,
  { language, log }: Pick<ToolContext, "language" | "log">,
  uri?: string,
): Promise<ProtocolError> {
  if (error instanceof ProtocolError) return error;
  if (error instanceof UserError) {
    log.warning("request_refused", { method, key: error.key, ...error.params });
    const text = printable(await errorLine(error, language));
    if (uri !== undefined && NOT_FOUND.has(error.key)) return new ResourceNotFoundError(shortened(uri), text);
    const { InvalidParams, InternalError } = ProtocolErrorCode;
    return new ProtocolError(WRONG_PARAMETERS.has(error.key) ? InvalidParams : InternalError, text);
  }
  log.error("request_failed", { method, error: traceOf(error) });
  return new ProtocolError(ProtocolErrorCode.InternalError, unexpectedText(error, language));
}

/** Logs the error and returns the message for the client. */
export function failureMessage(
  tool: string,
  error: unknown,
  { language, log }: Pick<ToolContext, "language" | "log">,
): string {
  if (error instanceof UserError) {
    log.warning(`${tool}_refused`, { key: error.key, ...error.params });
    return errorMessage(error, language);
  }
  log.error(`${tool}_failed`, { error: traceOf(error) });
  return unexpectedText(error, language);
}

function unexpectedText(error: unknown, language: Language): string {
  if (isSystemError(error)) return message(language, "cli_system_error", { detail: reasonOf(error) });
  return message(language, "internal_error");
}
