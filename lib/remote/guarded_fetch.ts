import { answerFailure } from "./answer_failure.ts";
import { networkFailure } from "./network_failure.ts";
import { type RemoteServer, ServerFailure } from "./server.ts";

/** About the size of 2,048 vectors of 4,096 numbers with seven digits each. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/**
 * Most lists and objects in an answer. 2,048 texts need two each and a few more; parsed, each takes 50 times its length in
 * memory.
 */
const MAX_PARTS = 100_000;
/** Bytes of an error that are read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** The signature of `fetch` that the AI SDK uses. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` for one server. The body of its response is complete and in memory. It throws a {@linkcode
 * ServerFailure} for every answer that is not a success, and the reason of the signal after an abort. Redirects are not
 * followed, because they would send the key to another server.
 */
export function guardedFetch(server: RemoteServer): Fetch {
  let answered = false;
  return async (input, init = {}) => {
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(), server.timeoutSeconds * 1000);
    const signal = init.signal ? AbortSignal.any([init.signal, timer.signal]) : timer.signal;
    try {
      const response = await fetch(input, { ...init, signal, redirect: "manual" });
      answered = true;
      return await checked(server, response);
    } catch (error) {
      init.signal?.throwIfAborted();
      if (error instanceof ServerFailure) throw error;
      if (timer.signal.aborted) {
        throw server.fail("timeout", { url: server.address, seconds: server.timeoutSeconds });
      }
      throw networkFailure(server, error, answered);
    } finally {
      clearTimeout(timeout);
    }
  };
}

async function checked(server: RemoteServer, response: Response): Promise<Response> {
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw server.fail("redirected", { url: server.address, to: originOf(response, server.address) });
  }
  if (!response.ok) {
    const body = new TextDecoder().decode((await readUpTo(response, MAX_ERROR_BYTES)).bytes);
    throw answerFailure(server, response.status, body, response.headers);
  }
  const { bytes, whole } = await readUpTo(response, MAX_ANSWER_BYTES);
  if (!whole) {
    throw server.fail("too_large", { url: server.address, limit: MAX_ANSWER_BYTES / 1024 / 1024 });
  }
  if (hasMoreParts(bytes, MAX_PARTS)) {
    throw server.fail("bad_answer", { url: server.address, words: `> ${MAX_PARTS} [ {` });
  }
  return new Response(bytes, { status: response.status, headers: response.headers });
}

/** Whether there are more than `limit` opening brackets, brackets in strings included. */
function hasMoreParts(bytes: Uint8Array, limit: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    const code = bracket.charCodeAt(0);
    for (let at = bytes.indexOf(code); at >= 0; at = bytes.indexOf(code, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

/** Returns the origin that a redirect leads to. Path and query could contain secrets. */
function originOf(response: Response, from: string): string {
  const location = response.headers.get("location") ?? "";
  return URL.canParse(location, from) ? new URL(location, from).origin : "?";
}

async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; whole: boolean }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > limit) break;
  }
  const bytes = await new Blob(parts).bytes();
  return { bytes: bytes.subarray(0, limit), whole: length <= limit };
}
