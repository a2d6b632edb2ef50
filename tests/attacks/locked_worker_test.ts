import { deepEqual, equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type LockedCommand, permissionsOf } from "../../lib/sandbox/mod.ts";
import { EmbeddingServer } from "../embedding/_embedding_server.ts";
import { fromSources } from "../e2e/_program.ts";
import { type Arena, makeArena } from "./_arena.ts";
import { ON_WINDOWS } from "../sandbox/helpers.ts";
import type { Attempts, Places } from "./_probe_worker.ts";

const PROBE = new URL("_probe_worker.ts", import.meta.url);

/** Tries everything that a locked worker might be made to do, in one with the permissions of the command. */
async function probe(
  command: LockedCommand,
  arena: Arena,
  server: string,
  servers: readonly string[] = [],
): Promise<Attempts> {
  const { folder, outside, beside } = arena;
  const permissions = permissionsOf(command, {
    roots: [folder],
    registry: beside("state/folders"),
    logDir: beside("state/logs"),
    servers,
    named: [],
    tempDir: beside("temporary"),
    program: [fileURLToPath(new URL("../../lib/", import.meta.url))],
  });
  const worker = new Worker(PROBE, { type: "module", deno: { permissions } });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) =>
        data === "ready"
          ? worker.postMessage({ folder, outside, beside: beside("."), server } satisfies Places)
          : resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message));
      };
    });
  } finally {
    worker.terminate();
  }
}

/** What every command may do, with the built-in table: all else must be denied. */
const ALWAYS = [
  "read a file in the folder",
  "load code from a text",
  ...(ON_WINDOWS ? [] : ["read a file outside by a link"]),
];

/** What commands may do beside that. */
const ALLOWED: Partial<Record<LockedCommand, readonly string[]>> = {
  status: [],
  serve: ["write into the logs"],
  doctor: ["write into the logs"],
  search: ["write into the logs", "write into the data folder", "write into the list of folders"],
  index: ["write into the logs", "write into the data folder", "write into the list of folders"],
};

for (const [command, allowed] of Object.entries(ALLOWED)) {
  Deno.test(`the worker of ${command} is locked: what it may not, it cannot`, async () => {
    await using arena = await makeArena(fromSources, {
      "tea.md": "green tea\n",
      ".muxue_rag/x": "",
      "more.md": "",
    });
    for (const path of ["state/folders", "state/logs", "config", "temporary"]) {
      await Deno.mkdir(arena.beside(path), { recursive: true });
    }
    await Deno.writeTextFile(arena.beside("config/secret.key"), "key");
    if (!ON_WINDOWS) await Deno.symlink(`${arena.outside}/secret.txt`, arena.at("link.txt"));
    await using server = await EmbeddingServer.start();
    const attempts = Object.entries(await probe(command as LockedCommand, arena, server.url));
    const done = Object.fromEntries([...ALWAYS, ...allowed].map((name) => [name, "done"]));
    deepEqual(Object.fromEntries(attempts.filter(([, end]) => end !== "denied")), done);
    equal(attempts.length, 35);
    equal((await Array.fromAsync(Deno.readDir(arena.outside))).map(({ name }) => name).join(), "secret.txt");
  });
}

Deno.test("a worker that may speak to the embedding server may speak to nothing else", async () => {
  await using arena = await makeArena(fromSources, {});
  await using server = await EmbeddingServer.start();
  const { "send a request to the server": asked, ...others } = await probe("serve", arena, server.url, [
    new URL(server.url).host,
  ]);
  const net = ["send a request", "open a connection", "look a name up", "listen", "load code from a server"];
  deepEqual([asked, ...net.map((name) => others[name])], ["done", ...net.map(() => "denied")]);
});

Deno.test("the launcher has no right left when the worker has got its order", async () => {
  await using arena = await makeArena(fromSources, {});
  const { cmd, args } = fromSources(["status", "--dir", arena.folder]);
  const main = args.findIndex((arg) => arg.endsWith("main.ts"));
  const output = await new Deno.Command(cmd, {
    args: args.with(main, fileURLToPath(new URL("_probe_launcher.ts", import.meta.url))),
    env: arena.env,
    cwd: arena.cwd,
    clearEnv: true,
  }).output();
  const [, rights] = new TextDecoder().decode(output.stdout).split("rights: ");
  equal(rights, '{"granted":[],"reading":"NotCapable"}', new TextDecoder().decode(output.stderr));
});
