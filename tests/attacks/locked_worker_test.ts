import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoCompile } from "../../scripts/compile/deno_compile.ts";
import { run } from "../../scripts/compile/run.ts";
import { startFlags } from "../../scripts/compile/start_flags.ts";
import { permissionsFor } from "#foundation/boundary/mod.ts";
import { permissionRow, permissionRows } from "../program/_permission_rows.ts";
import { fromSources, makeSandbox, NO_EXECUTABLE, output, writeFiles } from "../e2e/_program.ts";
import { ON_WINDOWS, ON_WINE } from "../_posix.ts";
import { makeArena } from "./_arena.ts";
import { attemptsWith, type Probe } from "./_probe.ts";
import type { Attempts } from "./_probe_worker.ts";

/** Runs a worker with these permissions that tries everything an attacker would. */
type Try = (probe: Probe) => Promise<Attempts>;

/** The names of all attempts. The test fails if one is missing. */
const ATTEMPTS = 46;

/** Attempts that every command may make. All others must be denied. */
const ALWAYS = [
  "read a file in the folder",
  // The program has no computed import.
  "load code from a text",
  ...(ON_WINDOWS ? [] : ["read a file outside by a link"]),
];

const LOGS = ["write into the logs"];
const NET = ["send a request to the server"];
const LISTEN = "listen on the address of the command line";
const INDEX = ["write into the data folder", "write into the list of folders", ...LOGS];
const MODELS = ["read a model", "write among the models"];
const TOKENS = ["read a token of a person"];
const USES = [...TOKENS, "write among the uses of tokens"];
const NAMED = ["read what the command line names"];

/** Further attempts that commands may make if the configuration names a server. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "index": [...INDEX, ...NET],
  "reembed": [...INDEX, ...NET],
  "search": [...INDEX, ...NET],
  "search --no-update": [...LOGS, ...NET],
  "ask": [...INDEX, ...NET],
  "ask --no-update": [...LOGS, ...NET],
  "check-answer": [...LOGS, ...NET, ...NAMED],
  "why-not": [...LOGS, ...NET],
  "serve": [...INDEX, ...NET],
  "serve --no-watch": [...LOGS, ...NET],
  "serve --http": [...INDEX, ...NET, LISTEN, ...USES],
  "serve --http --no-watch": [...LOGS, ...NET, LISTEN, ...USES],
  "ui": [...INDEX, ...NET, LISTEN],
  "ui --no-watch": [...LOGS, ...NET, LISTEN],
  "preview": [],
  "status": [],
  "verify": [],
  "doctor": [...LOGS, ...NET],
  "clean": INDEX,
  "backup": [...LOGS, ...NAMED, "write what the command line names"],
  "restore": [...INDEX, ...NAMED],
  "export": [...LOGS, ...NAMED, "write what the command line names"],
  "import": [...INDEX, ...NAMED, "write among the temporary files"],
  "eval": [...INDEX, ...NET, ...NAMED, "write among the temporary files"],
  "eval draft": [...INDEX, ...NET],
  "eval history": [],
  "trace list": [],
  "trace show": [],
  "token add": [...TOKENS, "write among the tokens"],
  "token list": TOKENS,
  "token revoke": [...TOKENS, "write among the tokens"],
  "extract": NAMED,
  "update": NET,
  "model install": [...MODELS, ...NET],
  "model install --from": [...MODELS, ...NAMED],
  "model list": ["read a model"],
  "model remove": MODELS,
};

/** Tries everything with the permissions of a command. Returns the attempts that were not denied. */
async function undenied(row: string, tried: Try, withServer = true): Promise<Attempts> {
  await using arena = await makeArena({ "tea.md": "green tea\n", ".muxue_rag/x": "", "more.md": "" });
  const { folder, outside, beside } = arena;
  for (const path of ["state/folders", "state/logs", "state/tokens", "state/tokens_used", "temporary"]) {
    await Deno.mkdir(beside(path), { recursive: true });
  }
  await writeFiles(arena.cwd, {
    "config/secret.key": "key",
    "named/data": "data",
    "models/model.onnx": "weights",
    "state/tokens/1.json": "{}",
    "outside/secret.ts": "export default 1;\n",
  });
  if (!ON_WINDOWS) await Deno.symlink(`${outside}/secret.txt`, arena.at("link.txt"));
  const asked: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
    asked.push(new URL(url).pathname);
    return new Response("export default 1;", { headers: { "content-type": "text/javascript" } });
  });
  const place = `127.0.0.1:${server.addr.port}`;
  const { needs, listens } = permissionRow(row);
  const permissions = permissionsFor(needs, {
    ...(listens && { listen: "127.0.0.1:0" }),
    roots: [folder],
    registry: beside("state/folders"),
    logDir: beside("state/logs"),
    servers: withServer ? [place] : [],
    models: beside("models"),
    downloads: [place],
    releasePage: place,
    rerankers: [],
    named: [beside("named/data")],
    tokens: { list: beside("state/tokens"), used: beside("state/tokens_used") },
    tempDir: beside("temporary"),
    program: [fileURLToPath(new URL("../../lib/", import.meta.url))],
  });
  const places = { folder, outside, beside: beside("."), server: `http://${place}` };
  const attempts = Object.entries(await tried({ permissions, places }));
  equal(attempts.length, ATTEMPTS);
  const left = (await Array.fromAsync(Deno.readDir(outside))).map(({ name }) => name);
  deepEqual(left.sort(), ["secret.ts", "secret.txt"]);
  const ended = Object.fromEntries(
    attempts.filter(([name, end]) => end !== "denied" && !failsAsOnWindows(name, end)),
  );
  deepEqual(asked, NET.every((name) => name in ended) ? ["/"] : []);
  return ended;
}

/** On Windows there is no link, and the runtime looks for name servers, which Wine does not list, before it asks for the permission. */
function failsAsOnWindows(name: string, end: string): boolean {
  return ON_WINDOWS && name === "read a file outside by a link" && end.startsWith("NotFound") ||
    ON_WINE && name === "look a name up" && end.startsWith("Error: failed to read from registry");
}

function done(names: readonly string[]): Attempts {
  return Object.fromEntries(names.map((name) => [name, "done"]));
}

Deno.test("every locked command is tested", () => {
  deepEqual(Object.keys(ALLOWED).sort(), permissionRows().map(({ name }) => name).sort());
});

for (const [row, allowed] of Object.entries(ALLOWED)) {
  Deno.test(`the worker of ${row} is denied everything that it may not do`, async () => {
    deepEqual(await undenied(row, attemptsWith), done([...ALWAYS, ...allowed]));
  });
}

Deno.test("a worker cannot send a request if the configuration names no server", async () => {
  deepEqual(await undenied("serve", attemptsWith, false), done([...ALWAYS, ...INDEX]));
});

Deno.test({
  name: Deno.env.get("DENORT_BIN")
    ? "the workers of executables are locked likewise, but for code in files, which the program never loads"
    : NO_EXECUTABLE,
  ignore: !Deno.env.get("DENORT_BIN"),
  fn: async (t) => {
    const folder = await Deno.makeTempDir();
    try {
      const executable = await compileProbe(folder);
      const compiled: Try = async (probe) => JSON.parse(await run(executable, [JSON.stringify(probe)]));
      for (const [row, allowed] of Object.entries(ALLOWED)) {
        await t.step(row, async () => {
          const expected = done([...ALWAYS, "load code from a file outside", ...allowed]);
          deepEqual(await undenied(row, compiled), expected);
        });
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

/** Compiles the probe with the permissions of the program. Returns the path of the executable. */
async function compileProbe(folder: string): Promise<string> {
  const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const path = join(folder, ON_WINDOWS ? "probe.exe" : "probe");
  await denoCompile(path, [
    ...["--unstable-worker-options", ...startFlags()],
    ...["--include", here("_probe_worker.ts"), here("_probe.ts")],
  ], folder);
  return path;
}

Deno.test("the launcher has given up its permissions when the worker begins", async () => {
  await using sandbox = await makeSandbox({});
  const { cmd, args } = fromSources(["status", "--dir", sandbox.folder]);
  const main = args.findIndex((arg) => arg.endsWith("main.ts"));
  const probe = fileURLToPath(new URL("_probe_launcher.ts", import.meta.url));
  const { env, cwd } = sandbox;
  const { stdout, stderr } = await output(cmd, args.with(main, probe), { env, cwd, clearEnv: true });
  const [, rights] = stdout.split("rights: ");
  equal(rights, '{"granted":[],"reading":"NotCapable"}', stderr);
});
