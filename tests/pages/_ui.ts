/** The calls of the pages over a real socket, as the browser makes them. `_socket.ts` is for tests that say every header themselves. */
import { type Files, makeIndexed, makeSandbox, type Sandbox } from "../e2e/_program.ts";
import { startUi as startOver } from "./_socket.ts";

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
  const folders = config === undefined ? ["--dir", sandbox.folder] : [];
  const ui = stack.use(await startOver(sandbox, ["ui", ...folders, "--no-open", ...given, ...args]));
  const { origin } = ui;
  const token = await ui.token();
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
