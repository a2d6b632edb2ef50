import { tmpdir } from "node:os";
import type { Context } from "#program/context.ts";
import { type OpenConnection, ownProcess, temporaryPath } from "#foundation/boundary/mod.ts";
import type { Io } from "#program/io.ts";
import type { Request } from "#program/request.ts";
import { ConfigSchema } from "#foundation/configuration/schema.ts";
import { KEY } from "../engine/index/_blob_forge.ts";

/** A context that keeps its streams in memory, for commands that run in this process. */
export function fakeContext(
  { io = {}, ...rest }: Partial<Omit<Context, "io">> & { io?: Partial<Io> } = {},
): { context: Context; stdout: () => string; stderr: () => string } {
  let [stdout, stderr] = ["", ""];
  const context: Context = {
    io: {
      cwd: Deno.cwd(),
      env: { LANG: "zh_CN.UTF-8" },
      terminal: { stdin: false, stdout: false, stderr: false },
      tempDir: temporaryPath(tmpdir()),
      out: (text) => {
        stdout += text;
        return Promise.resolve();
      },
      outBytes: () => {},
      err: (text) => stderr += text,
      readLine: () => Promise.resolve(undefined),
      readText: () => Promise.resolve(""),
      input: () => new ReadableStream({ start: (controller) => controller.close() }),
      onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
      openExtractor: ownProcess("__extract", Deno.env.toObject()),
      openServer: () => answeringServer(),
      exit: (code) => {
        throw new Error(`exit ${code}`);
      },
      ...io,
    },
    flags: { dir: [] },
    operands: [],
    language: "zh",
    version: "0.0.0",
    signal: new AbortController().signal,
    ...rest,
  };
  return { context, stdout: () => stdout, stderr: () => stderr };
}

/** A request of `index` with the default configuration, for no folder. */
export function fakeRequest(request: Partial<Request> = {}): Request {
  return {
    command: "index",
    operands: [],
    flags: { dir: [] },
    language: "en",
    version: "1.2.3",
    config: { ...ConfigSchema.parse({}), language: "en" },
    source: null,
    compared: {},
    stateDir: "/state",
    modelsDir: null,
    hasModels: false,
    downloads: undefined,
    proxy: undefined,
    roots: [],
    choice: { by: "name", below: {}, within: {} },
    ownPlaces: [],
    named: [],
    consented: {},
    indexDirs: {},
    indexKey: KEY,
    permissions: undefined,
    ...request,
  };
}

/** A server that answers each request with two tools, as {@linkcode Io.openServer} starts it. */
export function answeringServer(): OpenConnection {
  return ({ onData, onEnd }) => ({
    send: (bytes) => {
      const { id } = JSON.parse(new TextDecoder().decode(bytes));
      if (id === undefined) return;
      const answer = { jsonrpc: "2.0", id, result: { tools: [{ name: "a" }, { name: "b" }] } };
      onData(new TextEncoder().encode(`${JSON.stringify(answer)}\n`));
    },
    close: () => onEnd("its process ended with code 0", 0),
    end: () => {},
  });
}
