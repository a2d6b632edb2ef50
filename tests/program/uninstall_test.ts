import { deepEqual, equal, match } from "node:assert/strict";
import { dirname, join } from "node:path";
import { ON_WINDOWS } from "../foundation/boundary/helpers.ts";
import { place, TERMINAL } from "./_place.ts";
import { storeAt } from "../library/ingest/_place.ts";
import { slashed } from "../_posix.ts";

/**
 * A home folder with two indexed folders, one of them with its index elsewhere, a configuration, a key, and an entry for
 * Cursor.
 */
async function machine() {
  const home = await place({
    "notes/tea.md": "Green tea.\n",
    "papers/a.md": "Paper.\n",
    ".cursor/mcp.json": '{ "mcpServers": { "other": { "command": "x" } } }',
  }, { home: "." });
  const { run: program } = home;
  equal((await program(["index", "notes"])).code, 0);
  equal((await program(["index", "papers", "--index-dir", "indexes"])).code, 0);
  await home.write("settings/config.yaml", "language: en\n");
  equal((await program(["config", "encrypt"], { readLine: () => Promise.resolve("sk-0123456789") })).code, 0);
  equal((await program(["setup", "cursor", "--write", "--yes", "--dir", "notes"])).code, 0);
  return {
    ...home,
    program,
    /** All files below the home folder, without backups of clients' files. */
    files: async () =>
      (await filesIn(home.dir)).map((path) => slashed(path.slice(home.dir.length + 1)))
        .filter((path) => !path.includes("-backup-")).sort(),
  };
}

async function filesIn(dir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(dir)) {
    const path = join(dir, name);
    if (isDirectory) found.push(...await filesIn(path));
    else found.push(path);
  }
  return found;
}

const DOCUMENTS = [".cursor/mcp.json", "notes/tea.md", "papers/a.md"];

Deno.test("uninstall without a terminal lists what lies where, and removes nothing", async () => {
  await using home = await machine();
  const before = await home.files();
  const { code, stdout, stderr } = await home.program(["uninstall"]);
  equal(code, 0);
  const shown = stdout.split("\n").slice(0, -2).map((line) => line.replace(/ \([^)]+\)$/, "").trim());
  const index = stdout.match(/\S+indexes\S+/)![0];
  deepEqual(
    shown,
    [
      "Written by this program on this machine:",
      `index            ${home.at("notes/.muxue_rag")}`,
      `index            ${index}`,
      `list of folders  ${home.at("state/folders")}`,
      `logs             ${home.at("state/logs")}`,
      `key of the indexes  ${home.at("state/index.key")}`,
      `configuration    ${home.at("settings/config.yaml")}`,
      `key of secrets   ${home.at("settings/secret.key")}`,
      `client's entry   ${home.at(".cursor/mcp.json")}: muxue_rag`,
    ].map((line) => line.replace(/^(.*?) {2,}/, (_, label) => label.padEnd(18) + "  ")),
  );
  match(
    stdout,
    /\nYour documents, backups of indexes and of clients' files, configurations in projects and the program itself \(.+\) stay\n$/,
  );
  equal(stderr, "Nothing was removed. To remove all that is listed, add --yes\n");
  deepEqual(await home.files(), before);
  const { data } = JSON.parse((await home.program(["uninstall", "--json"])).stdout);
  deepEqual([data.removed, data.traces.length, data.traces[0].kind], [false, 8, "index"]);
  deepEqual(await home.files(), before);
});

Deno.test("uninstall --yes removes everything but documents and the entries of others", async () => {
  await using home = await machine();
  const { code, stdout } = await home.program(["uninstall", "--yes", "--json"]);
  equal(code, 0, stdout);
  deepEqual(JSON.parse(stdout).data.failed, []);
  deepEqual(await home.files(), DOCUMENTS);
  equal(await home.read(".cursor/mcp.json"), '{ "mcpServers": { "other": { "command": "x" } } }');
  for (const folder of ["state", "settings", "notes/.muxue_rag"]) {
    equal(await home.exists(folder), false, folder);
  }
  match((await home.program(["uninstall"])).stdout, /^This program has written nothing on this machine\n/);
});

Deno.test("uninstall names the program, and the file that the installation script has written", async () => {
  await using home = await machine();
  const installed = ON_WINDOWS ? "AppData/Local/Programs/muxue_rag/muxue_rag.cmd" : ".local/bin/muxue_rag";
  const env = { ...home.env, LOCALAPPDATA: home.at("AppData/Local") };
  const programs = async () =>
    JSON.parse((await home.program(["uninstall", "--json"], { env })).stdout).data.programs;
  const [sources] = await programs();
  await Deno.mkdir(dirname(home.at(installed)), { recursive: true });
  await Deno.writeTextFile(home.at(installed), "");
  deepEqual(await programs(), [sources, home.at(installed)]);
});

Deno.test("uninstall asks at a terminal, as setup --remove does", async () => {
  await using home = await machine();
  const before = await home.files();
  const terminal = TERMINAL;
  const declined = await home.program(["uninstall"], { terminal, readLine: () => Promise.resolve("n") });
  equal(declined.code, 1);
  match(declined.stderr, /^Remove all that is listed\? \[y\/N\] /);
  deepEqual(await home.files(), before);
  const accepted = await home.program(["setup", "--remove"], {
    terminal,
    readLine: () => Promise.resolve("y"),
  });
  equal(accepted.code, 0, accepted.stderr);
  match(accepted.stdout, /\nRemoved\n$/);
  deepEqual(await home.files(), DOCUMENTS);
});

Deno.test("setup CLIENT --remove takes out the client's entry and nothing else", async () => {
  await using home = await machine();
  const before = await home.files();
  equal((await home.program(["setup", "cursor", "--remove", "--yes"])).code, 0);
  equal(await home.read(".cursor/mcp.json"), '{ "mcpServers": { "other": { "command": "x" } } }');
  deepEqual(await home.files(), before);
  equal((await home.program(["setup", "cursor", "--remove", "--write"])).code, 2);
  equal((await home.program(["setup", "--remove", "--project", "notes"])).code, 2);

  const set = ["setup", "cursor", "--write", "--yes", "--project", "notes", "--name", "mine"];
  equal((await home.program(set)).code, 0);
  const project = home.at("notes/.cursor/mcp.json");
  const remove = (...more: string[]) =>
    home.program(["setup", "cursor", "--remove", "--yes", "--project", "notes", ...more]);
  match((await remove("--name", "other")).stdout, /^The files of Cursor have no entry of this program\n$/);
  // the sources are not named muxue_rag, but the entry starts them
  equal((await remove()).code, 0);
  equal(JSON.parse(await Deno.readTextFile(project)).mcpServers.mine, undefined);
});

Deno.test("setup --remove takes out the address of a server that setup wrote", async () => {
  await using home = await machine();
  const url = "http://127.0.0.1:7368/mcp";
  const set = ["setup", "cursor", "--write", "--yes", "--project", "notes", "--url", url];
  equal((await home.program(set)).code, 0);
  const project = home.at("notes/.cursor/mcp.json");
  equal(JSON.parse(await Deno.readTextFile(project)).mcpServers.muxue_rag.url, url);
  equal((await home.program(["setup", "cursor", "--remove", "--yes", "--project", "notes"])).code, 0);
  deepEqual(JSON.parse(await Deno.readTextFile(project)).mcpServers, {});
});

Deno.test("setup --remove takes out an entry that npx starts, under any name", async () => {
  await using home = await machine();
  const npx = (spec: string) => ({ command: "npx", args: ["-y", spec, "serve", "--dir", "/notes"] });
  const servers = { mine: npx("muxue-rag@1.2.3"), theirs: npx("other@1.2.3") };
  await Deno.writeTextFile(home.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: servers }));
  equal((await home.program(["setup", "cursor", "--remove", "--yes"])).code, 0);
  deepEqual(Object.keys(JSON.parse(await home.read(".cursor/mcp.json")).mcpServers), ["theirs"]);
});

Deno.test("uninstall leaves files of the user in its folders, and other files beside them", async () => {
  await using home = await machine();
  await Deno.writeTextFile(home.at("settings/notes-to-self.txt"), "mine");
  await Deno.writeTextFile(home.at("state/logs/other.txt"), "mine");
  equal((await home.program(["uninstall", "--yes"])).code, 0);
  deepEqual(await home.files(), [...DOCUMENTS, "settings/notes-to-self.txt", "state/logs/other.txt"].sort());
});

Deno.test("uninstall keeps the list and the key for an index that is in use, exit code 1", async () => {
  await using home = await machine();
  {
    await using _lock = await storeAt(home.at("notes")).lock();
    const { code, stderr, stdout } = await home.program(["uninstall", "--yes"]);
    equal(code, 1);
    match(slashed(stderr), /✗ \S+\/notes\/\.muxue_rag: .+\n/);
    match(stdout, /\nRemoved, except for 3 items\n$/);
  }
  equal(await home.exists("state/index.key"), true);
  equal((await home.program(["uninstall", "--yes"])).code, 0);
  deepEqual(await home.files(), DOCUMENTS);
});

Deno.test("uninstall works with a configuration that cannot be used", async () => {
  await using home = await machine();
  await Deno.writeTextFile(home.at("settings/config.yaml"), "search: [\n");
  equal((await home.program(["uninstall", "--yes"])).code, 0);
  deepEqual(await home.files(), DOCUMENTS);
});

Deno.test("uninstall lists and removes the models, and leaves other files in their folder", async () => {
  await using home = await machine();
  const models = home.at("shared models");
  for (
    const file of ["zh/model.onnx", "zh/model.json", "en.part/model.onnx.partial", "lock", "mine/model.onnx"]
  ) {
    await Deno.mkdir(dirname(join(models, file)), { recursive: true });
    await Deno.writeTextFile(join(models, file), "1234");
  }
  const program = (argv: readonly string[]) =>
    home.program(argv, { env: { ...home.env, MUXUE_RAG_MODELS_DIR: models } });
  match((await program(["uninstall"])).stdout, /\n {2}models {12}.*shared models \(12 B\)\n/);
  equal((await program(["uninstall", "--yes"])).code, 0);
  deepEqual((await home.files()).filter((path) => path.includes("models")), [
    "shared models/mine/model.onnx",
  ]);
});
