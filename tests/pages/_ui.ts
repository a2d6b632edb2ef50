/** The calls of the pages over a real socket: the program as a user starts it, without a browser. */
import { freshPages } from "../../scripts/pages/build.ts";
import {
  EXECUTABLE,
  type Files,
  makeIndexed,
  makeSandbox,
  program,
  type Sandbox,
  spawnIn,
} from "../e2e/_program.ts";

/** How the pages are started. */
export interface UiOptions {
  /** Further arguments of `ui`. */
  readonly args?: readonly string[];
  /** Values of the configuration, as YAML. */
  readonly config?: (sandbox: Sandbox) => string;
  /** The folder is not indexed. */
  readonly isNew?: boolean;
}

/** A running `ui`. Disposal ends it. */
export interface Ui extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly origin: string;
  /** `POST /api/PATH`: the answer, which fails where the status is not 200. */
  // deno-lint-ignore no-explicit-any -- each test knows its answer
  readonly call: (path: string, body?: object, language?: "zh" | "en") => Promise<any>;
  /** The same with the status, and no check. */
  readonly ask: (
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly error?: string }>;
  /** The lines of a stream, until it ends or `until` is true of one. */
  // deno-lint-ignore no-explicit-any -- each test knows its lines
  readonly lines: (path: string, body: object, until?: (line: any) => boolean) => Promise<any[]>;
}

/** Starts `ui` over a folder with these files, and exchanges the code of its address. */
export async function startUi(
  files: Files,
  { args = [], config, isNew = false }: UiOptions = {},
): Promise<Ui> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await (isNew ? makeSandbox : makeIndexed)(files));
  const given: string[] = [];
  if (config !== undefined) {
    const path = `${sandbox.cwd}/pages.yaml`;
    await Deno.writeTextFile(path, config(sandbox));
    given.push("--config", path);
  }
  if (EXECUTABLE === undefined) await freshPages();
  const folders = config === undefined ? ["--dir", sandbox.folder] : [];
  const child = spawnIn(sandbox, program(["ui", ...folders, "--no-open", ...given, ...args]), "null");
  const errors = new Response(child.stderr).text();
  stack.defer(async () => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It has ended.
    }
    await child.status;
    await errors;
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  stack.defer(() => reader.cancel());
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ui has ended: ${await errors}`);
    text += value;
  }
  const address = new URL(text.trim());
  const { origin } = address;
  let token = "";
  const send = (path: string, body: object, language = "en") =>
    fetch(`${origin}/api/${path}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "Origin": origin,
        "Sec-Fetch-Site": "same-origin",
        "Accept-Language": language,
        "Authorization": `Bearer ${token}`,
      },
      body: JSON.stringify(body),
    });
  const call = async (path: string, body: object = {}, language?: "zh" | "en") => {
    const answer = await send(path, body, language);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  token = (await call("session/open", { code: address.hash.replace("#code=", "") })).token;
  const rest = stack.move();
  return {
    sandbox,
    origin,
    call,
    ask: async (path, body = {}) => {
      const answer = await send(path, body);
      const { error } = await answer.json();
      return { status: answer.status, ...(error && { error: error.key }) };
    },
    lines: async (path, body, until = () => false) => {
      const answer = await send(path, body);
      const found: unknown[] = [];
      let rest = "";
      for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + part).split("\n");
        rest = lines.pop()!;
        for (const line of lines) found.push(JSON.parse(line));
        if (found.some(until)) break;
      }
      return found;
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
