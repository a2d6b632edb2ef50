/** The code that all calls of the pages share: reading a body, the language of an answer, streams of lines, errors. */
import { relative, sep } from "node:path";
import type { Context } from "hono";
import type * as z from "zod";
import { reasonOf, traceOf, UserError } from "#foundation/errors.ts";
import type { Log } from "#foundation/log.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import type { ServedCollection } from "#library/search/mod.ts";
import type { ErrorAnswer } from "./wire/common.ts";

/** The language in which the browser wants its answer: the first of the two that its header names, otherwise English. */
export function languageOf({ req }: Context): Language {
  return languageIn(req.header("Accept-Language"));
}

/** The language of a header `Accept-Language`, as in {@linkcode languageOf}. */
export function languageIn(header = ""): Language {
  const named = /\b(?:zh|en)\b/i.exec(header);
  return named?.[0].toLowerCase() === "zh" ? "zh" : "en";
}

/** The folder of a file, the innermost of those around it, and the path of the file in it. */
export function placeIn(
  collections: readonly ServedCollection[],
  path: string,
): { readonly shownPath: string; readonly collection: string } {
  const [own] = collections.filter(({ root }) => path.startsWith(root.endsWith(sep) ? root : root + sep))
    .toSorted((a, b) => b.root.length - a.root.length);
  if (own === undefined) return { shownPath: path, collection: "" };
  return { shownPath: relative(own.root, path).replaceAll(sep, "/"), collection: own.name };
}

/** The body of a call. Throws `UserError` `pages_bad_call` for one of another form. */
export async function bodyOf<T>({ req }: Context, form: z.ZodType<T>): Promise<T> {
  let value: unknown;
  try {
    value = await req.json();
  } catch {
    throw new UserError("pages_bad_call", { reason: "JSON" });
  }
  const { success, data, error } = form.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw new UserError("pages_bad_call", { reason: `${issue?.path.join(".")}: ${issue?.message}` });
}

/** Sends one line of a stream. Resolves when the client has room for more. */
export type SendLine<Line> = (line: Line) => Promise<void>;

/**
 * An answer of lines of JSON, sent while `work` runs. An error becomes the last line, as an {@linkcode ErrorAnswer}. The signal
 * that `work` gets aborts when the client goes away.
 */
export function linesOf<Line>(
  c: Context,
  log: Log,
  work: (send: SendLine<Line>, signal: AbortSignal) => Promise<void>,
): Response {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const gone = new AbortController();
  writer.closed.catch((error) => gone.abort(error));
  const signal = AbortSignal.any([c.req.raw.signal, gone.signal]);
  const send = (line: unknown) => writer.write(encoder.encode(`${JSON.stringify(line)}\n`));
  void work(send, signal)
    .catch(async (error) => {
      if (!signal.aborted) {
        await send(errorOf(error, languageOf(c), log).answer);
      }
    })
    .then(() => writer.close())
    .catch(() => {});
  return new Response(readable, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } });
}

/** Returns the message of an error for the user, and its status. An error that the user cannot act on goes to the log. */
export function errorOf(
  error: unknown,
  language: Language,
  log: Log,
): { readonly status: 400 | 500; readonly answer: ErrorAnswer } {
  if (error instanceof UserError) {
    const { key, params } = error;
    return { status: 400, answer: { error: { key, message: message(language, key, params) } } };
  }
  log.error("pages_failed", { error: traceOf(error) });
  const text = message(language, "pages_failed", { reason: reasonOf(error) });
  return { status: 500, answer: { error: { key: "pages_failed", message: text } } };
}
