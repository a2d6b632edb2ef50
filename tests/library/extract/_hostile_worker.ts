/// <reference lib="deno.worker" />
/** Loaders that misbehave as a parser may do with hostile bytes, and some that work. */
import { type Document, DocumentError, type Loader } from "#documents/mod.ts";
import { serveLoaders } from "#library/extract/serve_loaders.ts";

const loader = (load: (bytes: Uint8Array) => Document | Promise<Document>): Loader => ({
  load: (bytes) => Promise.try(() => load(bytes)),
});

const LOADERS: Readonly<Record<string, Loader>> = {
  text: loader((bytes) => ({ text: new TextDecoder().decode(bytes), sections: [] })),
  surrogate: loader(() => ({ text: "a\ud800b", sections: [] })),
  encrypted: loader(() => {
    throw new DocumentError("encrypted", "a password is needed");
  }),
  broken: loader(() => JSON.parse("{")),
  deep: loader(() => {
    const recurse = (): number => recurse() + 1;
    return { text: String(recurse()), sections: [] };
  }),
  loop: loader(() => {
    for (;;);
  }),
  careless: loader(() => {
    void Promise.reject(new Error("nobody waits for this"));
    return { text: "read", sections: [] };
  }),
  memory: loader(() => {
    const kept = [];
    for (;;) kept.push(new Uint8Array(10_000_000).fill(1));
  }),
  curious: loader(async () => {
    const tries = {
      read: () => Deno.readTextFileSync("/etc/passwd"),
      list: () => [...Deno.readDirSync("/")],
      write: () => Deno.writeTextFileSync("/tmp/muxue_rag_extract", ""),
      env: () => Deno.env.get("HOME"),
      run: () => new Deno.Command("/bin/true").outputSync(),
      sys: () => Deno.hostname(),
      net: () => fetch("http://127.0.0.1:8080/"),
      worker: () => new Worker(import.meta.url, { type: "module", deno: { permissions: { read: true } } }),
    };
    const answers = await Promise.all(
      Object.entries(tries).map(async ([name, attempt]) => {
        try {
          await attempt();
          return `${name}: allowed`;
        } catch (error) {
          return `${name}: ${(error as Error).name}`;
        }
      }),
    );
    return { text: answers.join("\n"), sections: [] };
  }),
};

serveLoaders({
  onTask: (callback) => self.onmessage = ({ data }) => callback(data),
  post: (message, transfer) => self.postMessage(message, transfer),
}, (format) => Promise.resolve(LOADERS[format]));
