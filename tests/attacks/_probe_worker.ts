/// <reference lib="deno.worker" />
/** A worker that tries the operations of an attacker who has taken over the locked worker. */
import { hostname } from "node:os";
import { pathToFileURL } from "node:url";

/** The places where it tries. */
export interface Places {
  readonly folder: string;
  readonly outside: string;
  readonly beside: string;
  /** URL of the embedding server, without a path. */
  readonly server: string;
}

/** Result of each attempt: `done`, `denied` by the runtime, or the text of another error. */
export type Attempts = Record<string, string>;

self.onmessage = async ({ data }: MessageEvent<Places>) => self.postMessage(await attempts(data));
self.postMessage("ready");

async function attempts({ folder, outside, beside, server }: Places): Promise<Attempts> {
  const tried: Record<string, () => unknown> = {
    "read a file outside": () => Deno.readTextFile(`${outside}/secret.txt`),
    "read /etc/passwd": () => Deno.readTextFile("/etc/passwd"),
    "read /proc/self/environ": () => Deno.readTextFile("/proc/self/environ"),
    "read the configuration folder": () => Deno.readTextFile(`${beside}/config/secret.key`),
    "look at a file outside": () => Deno.lstat(`${outside}/secret.txt`),
    "list a folder outside": () => Array.fromAsync(Deno.readDir(outside)),
    "read a file in the folder": () => Deno.readTextFile(`${folder}/tea.md`),
    // The runtime does not check where links lead; the program does.
    "read a file outside by a link": () => Deno.readTextFile(`${folder}/link.txt`),
    "write a file outside": () => Deno.writeTextFile(`${outside}/new`, ""),
    "write a file in the folder": () => Deno.writeTextFile(`${folder}/new`, ""),
    "write into the data folder": () => Deno.writeTextFile(`${folder}/.muxue_rag/new`, ""),
    "write into the list of folders": () => Deno.writeTextFile(`${beside}/state/folders/new`, ""),
    "write into the logs": () => Deno.writeTextFile(`${beside}/state/logs/new`, ""),
    "read what the command line names": () => Deno.readTextFile(`${beside}/named/data`),
    "write what the command line names": () => Deno.writeTextFile(`${beside}/named/data`, ""),
    "write beside what the command line names": () => Deno.writeTextFile(`${beside}/named/new`, ""),
    "read a token of a person": () => Deno.readTextFile(`${beside}/state/tokens/1.json`),
    "write among the tokens": () => Deno.writeTextFile(`${beside}/state/tokens/2.json`, ""),
    "write among the uses of tokens": () => Deno.writeTextFile(`${beside}/state/tokens_used/1.json`, ""),
    "read a model": () => Deno.readTextFile(`${beside}/models/model.onnx`),
    "write among the models": () => Deno.writeTextFile(`${beside}/models/new`, ""),
    "write among the temporary files": () => Deno.writeTextFile(`${beside}/temporary/new`, ""),
    "remove a file in the folder": () => Deno.remove(`${folder}/more.md`),
    "rename a file of the folder": () => Deno.rename(`${folder}/more.md`, `${folder}/less.md`),
    "make a link out of the folder": () => Deno.symlink(outside, `${folder}/link`),
    "make a temporary file": () => Deno.makeTempFile(),
    "read the environment": () => Deno.env.get("HOME"),
    "change the environment": () => Deno.env.set("NODE_OPTIONS", "x"),
    "run a program": () => new Deno.Command("/bin/sh", { args: ["-c", "true"] }).output(),
    "call a library": () => Deno.dlopen("libc.so.6", {}),
    "ask for the name of the machine": () => hostname(),
    "ask for the home folder": () => Deno.systemMemoryInfo(),
    "change the working folder": () => Deno.chdir(outside),
    "send a request": () => fetch("http://127.0.0.1:8008/"),
    "send a request to the server": async () => await (await fetch(server)).body?.cancel(),
    "fetch a file outside": async () => await (await fetch(pathToFileURL(`${outside}/secret.txt`))).text(),
    "open a connection": () => Deno.connect({ hostname: "127.0.0.1", port: 8008 }),
    "look a name up": () => Deno.resolveDns("localhost", "A"),
    "listen on the address of the command line": () =>
      Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
    "listen": () => Deno.listen({ port: 0 }).close(),
    "load code from a server": () => import(named(`${server}/x.ts`)),
    "load code from a file outside": () => import(named(pathToFileURL(`${outside}/secret.ts`).href)),
    "load code from a text": () => import(named("data:text/javascript,export default 1")),
    "ask for more": () => more(),
    "start a worker with more": () =>
      new Worker("data:text/javascript,", { type: "module", deno: { permissions: { read: true } } }),
    "start a worker that reads outside": () => reader(`${outside}/secret.txt`),
  };
  const ended: Attempts = {};
  for (const [name, attempt] of Object.entries(tried)) {
    try {
      await attempt();
      ended[name] = "done";
    } catch (error) {
      ended[name] = isDenial(error) ? "denied" : String(error);
    }
  }
  return ended;
}

/** A computed specifier, so that the module is not loaded with this one. */
function named(specifier: string): string {
  return specifier;
}

async function more(): Promise<void> {
  const { state } = await Deno.permissions.request({ name: "read" });
  if (state !== "granted") throw new Deno.errors.NotCapable(state);
}

/** Reads a file in a nested worker, which inherits the permissions of this one. */
async function reader(path: string): Promise<void> {
  const code = `Deno.readTextFile(${
    JSON.stringify(path)
  }).then(() => postMessage("done"), (e) => postMessage(e.name))`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  const said = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
  });
  worker.terminate();
  if (said !== "done") throw new Deno.errors.NotCapable(String(said));
}

function isDenial(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied ||
    // An executable has only its own modules and does not check the permission.
    error instanceof Error &&
      /Requires \S+ access|Can't escalate|^Module not found: http:/.test(error.message);
}
