/** Calls of the program: one JSON body, one JSON answer or lines of JSON. The token is in no address and no cookie. */
import { signal } from "@preact/signals";
import type { ErrorAnswer, OpenAnswer, SessionInfo } from "#wire/common.ts";
import { language } from "#web/texts.ts";

/** A call that failed, with a text for the user in the language of the pages. */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly key: string;
  readonly status: number;

  constructor({ error: { key, message } }: ErrorAnswer, status: number) {
    super(message);
    this.key = key;
    this.status = status;
  }
}

/** The facts that the program told at the beginning; `undefined` before, and where the browser has no token. */
export const session = signal<SessionInfo | undefined>(undefined);

/**
 * Kept for this tab alone, so that reloading works: by the browser for this origin, port included, until the tab is closed. Another program
 * that listens on the port later finds a token that has ended with this one.
 */
const STORED = "token";
/** Milliseconds for other tabs of these pages to answer. */
const OTHERS_MS = 200;

let token: string | undefined;

/** Opens the session: by the code in the address, or with the token that this tab or another one has. Throws `CallError`. */
export async function openSession(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    // It is used up now, and must not stay in the history.
    history.replaceState(null, "", location.pathname + location.search);
    token = (await call<OpenAnswer>("session/open", { code })).token;
  } else token = sessionStorage.getItem(STORED) ?? await tokenOfOthers();
  await start();
}

/** Opens the session with a token of the server that the user typed. It is exchanged, and not kept. Throws `CallError`. */
export async function openWith(typed: string): Promise<void> {
  token = typed;
  try {
    token = (await call<OpenAnswer>("session/open", {})).token;
  } catch (error) {
    token = undefined;
    throw error;
  }
  await start();
}

async function start(): Promise<void> {
  session.value = await call<SessionInfo>("session/info", {});
  sessionStorage.setItem(STORED, token!);
  giveToOthers();
}

/** `POST /api/PATH`. Throws `CallError`; also where the program has ended. */
export async function call<Answer>(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const answer = await send(path, body, signal);
  return await answer.json();
}

/** `POST /api/PATH`, whose answer is bytes. Throws `CallError`. */
export async function callBytes(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await send(path, body, signal);
  return new Uint8Array(await answer.arrayBuffer());
}

/** `POST /api/PATH`, whose answer is lines of JSON. Resolves at the end. Throws `CallError`, also one that came as a line. */
export async function stream<Line>(
  path: string,
  body: object,
  onLine: (line: Line) => void,
  signal?: AbortSignal,
): Promise<void> {
  const answer = await send(path, body, signal);
  let rest = "";
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines.filter((line) => line !== "")) {
      const parsed = JSON.parse(line);
      if (isError(parsed)) throw new CallError(parsed, answer.status);
      onLine(parsed);
    }
    if (done) return;
  }
}

async function send(
  path: string,
  body: object,
  signal?: AbortSignal,
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Accept-Language": language.peek(),
        ...(token !== undefined && { "Authorization": `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const message = language.peek() === "zh"
      ? "程序没有响应，可能已经结束。请重新运行 muxue_rag ui"
      : "The program does not answer; it may have ended. Run muxue_rag ui again";
    throw new CallError({ error: { key: "no_answer", message } }, 0);
  }
  if (answer.ok) return answer;
  const failed: unknown = await answer.json().catch(() => undefined);
  if (isError(failed)) throw new CallError(failed, answer.status);
  throw new CallError({
    error: { key: "status", message: `HTTP ${answer.status}` },
  }, answer.status);
}

function isError(value: unknown): value is ErrorAnswer {
  return typeof value === "object" && value !== null && "error" in value;
}

/** A tab that the user opens anew has no token. The others of the same origin give it, and nobody else can hear them. */
function tokenOfOthers(): Promise<string | undefined> {
  const channel = new BroadcastChannel(STORED);
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(undefined), OTHERS_MS);
    const end = (found: string | undefined) => {
      clearTimeout(timer);
      channel.close();
      resolve(found);
    };
    channel.onmessage = ({ data }) => {
      if (typeof data?.token === "string") end(data.token);
    };
    channel.postMessage("wanted");
  });
}

function giveToOthers(): void {
  const channel = new BroadcastChannel(STORED);
  channel.onmessage = ({ data }) => {
    if (data === "wanted") channel.postMessage({ token });
  };
}
