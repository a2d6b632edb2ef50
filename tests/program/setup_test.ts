import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { CLIENTS } from "#program/commands/setup/clients.ts";
import type { Machine } from "#program/commands/setup/client_files.ts";
import { npxOptions, serverCommand } from "#program/commands/setup/server_entry.ts";
import { tarGz } from "../../scripts/bundle/tar.ts";
import { place, TERMINAL } from "./_place.ts";
import { posixTest } from "../_posix.ts";

const WINDOWS: Machine = { os: "windows", env: { USERPROFILE: "C:\\Users\\me" }, packages: [] };
const MACOS: Machine = { os: "darwin", env: { HOME: "/Users/me" }, packages: [] };
const LINUX: Machine = { os: "linux", env: { HOME: "/home/me" }, packages: [] };

/** The paths of every client's file, the likeliest first. */
function paths(machine: Machine): Record<string, string[]> {
  return Object.fromEntries(CLIENTS.map(({ id, files }) => [id, files(machine).map(({ path }) => path)]));
}

const SUGGESTION =
  "Optional: muxue_rag model install downloads two small models (48 MB, they run offline); with embedding.provider: local they search by the meaning of sentences\n";

Deno.test("every client's file on Linux, macOS and Windows", () => {
  const [mac, windows] = ["/Users/me/Library/Application Support", "C:\\Users\\me\\AppData\\Roaming"];
  const machines = [
    { machine: LINUX, home: "/home/me", data: "/home/me/.config", zed: "/home/me/.config/zed" },
    { machine: MACOS, home: "/Users/me", data: mac, zed: "/Users/me/.config/zed" },
    { machine: WINDOWS, home: "C:\\Users\\me", data: windows, zed: `${windows}\\Zed` },
  ];
  for (const { machine, home, data, zed } of machines) {
    const at = (...parts: string[]) => parts.join(machine.os === "windows" ? "\\" : "/");
    const cline = "cline_mcp_settings.json";
    deepEqual(paths(machine), {
      "claude-desktop": [at(data, "Claude", "claude_desktop_config.json")],
      "claude-code": [at(home, ".claude.json")],
      "cursor": [at(home, ".cursor", "mcp.json")],
      "vscode": [at(data, "Code", "User", "mcp.json"), at(data, "Code - Insiders", "User", "mcp.json")],
      "windsurf": [at(home, ".codeium", "windsurf", "mcp_config.json")],
      "cline": [
        at(home, ".cline", "data", "settings", cline),
        at(data, "Code", "User", "globalStorage", "saoudrizwan.claude-dev", "settings", cline),
      ],
      "zed": [at(zed, "settings.json")],
      "codex": [at(home, ".codex", "config.toml")],
      "gemini-cli": [at(home, ".gemini", "settings.json")],
      "qwen-code": [at(home, ".qwen", "settings.json")],
      "kimi": [at(home, ".kimi-code", "mcp.json"), at(home, ".kimi", "mcp.json")],
      "continue": [at(home, ".continue", "mcpServers", "mcp.json")],
      "lm-studio": [at(home, ".lmstudio", "mcp.json"), at(home, ".cache", "lm-studio", "mcp.json")],
      "cherry-studio": [at(data, "CherryStudio")],
      "trae": [at(data, "Trae", "User", "mcp.json"), at(data, "Trae CN", "User", "mcp.json")],
    });
  }
});

Deno.test("the environment may move the clients' files", () => {
  const moved = paths({
    ...LINUX,
    env: {
      HOME: "/home/me",
      XDG_CONFIG_HOME: "/config",
      CLAUDE_CONFIG_DIR: "/claude",
      CODEX_HOME: "/codex",
      CLINE_MCP_SETTINGS_PATH: "/cline/my.json",
      GEMINI_CLI_HOME: "/gemini",
      KIMI_CODE_HOME: "/kimi",
      QWEN_HOME: "/qwen",
      CONTINUE_GLOBAL_DIR: "/continue",
    },
  });
  const { cursor: _, windsurf: __, ...others } = moved;
  deepEqual(others, {
    "claude-desktop": ["/config/Claude/claude_desktop_config.json"],
    "claude-code": ["/claude/.claude.json"],
    "vscode": ["/config/Code/User/mcp.json", "/config/Code - Insiders/User/mcp.json"],
    "cline": ["/cline/my.json"],
    "zed": ["/config/zed/settings.json"],
    "codex": ["/codex/config.toml"],
    "gemini-cli": ["/gemini/.gemini/settings.json"],
    "qwen-code": ["/qwen/settings.json"],
    "kimi": ["/kimi/mcp.json", "/home/me/.kimi/mcp.json"],
    "continue": ["/continue/mcpServers/mcp.json"],
    "lm-studio": ["/home/me/.lmstudio/mcp.json", "/home/me/.cache/lm-studio/mcp.json"],
    "cherry-studio": ["/config/CherryStudio"],
    "trae": ["/config/Trae/User/mcp.json", "/config/Trae CN/User/mcp.json"],
  });
  const cline = (env: Record<string, string>) =>
    paths({ ...LINUX, env: { HOME: "/home/me", ...env } })["cline"];
  deepEqual(
    [cline({ CLINE_DIR: "/c" }), cline({ CLINE_DIR: "/c", CLINE_DATA_DIR: "/d" })],
    [["/c/data/settings/cline_mcp_settings.json"], ["/d/settings/cline_mcp_settings.json"]],
  );
  deepEqual(paths({ ...LINUX, env: { HOME: "/home/me", XDG_CONFIG_HOME: "relative" } }), paths(LINUX));
  const { "claude-desktop": desktop } = paths({
    os: "windows",
    env: { USERPROFILE: "C:\\Users\\me", APPDATA: "D:\\Data", LOCALAPPDATA: "D:\\Local" },
    packages: ["Microsoft.Paint_8wekyb3d8bbwe", "Claude_pzs8sxrjxfjjc"],
  });
  deepEqual(desktop, [
    "D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json",
    "D:\\Data\\Claude\\claude_desktop_config.json",
  ]);
  for (const { files } of CLIENTS) deepEqual(files({ ...LINUX, env: {} }), []);
});

Deno.test("the server is started by the executable, by Deno, or by npx where one of these is in its cache", () => {
  const source = { standalone: false, denoVersion: "2.9.6", project: "/src/deno.json", os: "linux" } as const;
  const task = ["task", "--quiet", "--config", "/src/deno.json", "start", "serve"];
  const npx = ["npx", "--prefix", "/home/me", "-y", "deno@2.9.6", ...task];
  const cache = "C:\\npm-cache\\_npx\\5f\\node_modules";
  const cached = { ...source, os: "windows", execPath: `${cache}\\deno\\deno.exe` } as const;
  const global = "/usr/lib/node_modules/muxue-rag-linux-x64/bin/muxue_rag";
  const [exe, script] = ["C:\\tools\\muxue_rag.exe", "C:\\tools\\muxue_rag.cmd"];
  const cases: [Parameters<typeof serverCommand>[0], string | undefined, string, readonly string[]][] = [
    [{ ...cached, standalone: true, execPath: exe }, undefined, exe, ["serve"]],
    [
      { ...cached, standalone: true, execPath: `${cache}\\muxue-rag-win32-x64\\bin\\muxue_rag.exe` },
      ...[undefined, "cmd", ["/c", "npx", "--prefix", "/home/me", "-y", "muxue-rag@1.2.3", "serve"]] as const,
    ],
    [
      {
        ...source,
        standalone: true,
        execPath: "/r/_npx/5f/node_modules/muxue-rag-linux-arm64/bin/muxue_rag",
      },
      ...[undefined, "npx", ["--prefix", "/home/me", "-y", "muxue-rag@1.2.3", "serve"]] as const,
    ],
    [{ ...source, standalone: true, execPath: global }, undefined, global, ["serve"]],
    [{ ...source, execPath: "/usr/local/bin/deno" }, undefined, "/usr/local/bin/deno", task],
    [{ ...source, execPath: "/home/me/.npm/_npx/5f/node_modules/deno/deno" }, undefined, "npx", npx.slice(1)],
    [cached, undefined, "cmd", ["/c", ...npx]],
    [cached, exe, exe, ["serve"]],
    [cached, script, "cmd", ["/c", script, "serve"]],
  ];
  for (const [started, installed, command, args] of cases) {
    const facts = { installed, version: "1.2.3", npx: ["--prefix", "/home/me"] };
    deepEqual(serverCommand(started, ["serve"], facts), { command, args });
  }
});

posixTest(
  "npx obeys the user's and the global settings, and no settings or packages of the folder that a client works in",
  async () => {
    const spec = { name: "tool", version: "1.2.3", bin: "tool.js" };
    const toolOf = (owner: string) => [
      { path: "package.json", content: JSON.stringify(spec) },
      { path: "tool.js", content: `#!/usr/bin/env node\nconsole.log("${owner}", process.argv[2]);\n` },
    ];
    const packed = tarGz(
      toolOf("registry's").map(({ path, content }) => ({
        path: `package/${path}`,
        content: new TextEncoder().encode(content),
      })),
      new Date(0),
    );
    await using registry = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, ({ url }) => {
      if (url.endsWith(".tgz")) return new Response(new Uint8Array(packed));
      if (!url.endsWith("/tool")) return new Response(null, { status: 404 });
      const dist = { tarball: new URL("/tool.tgz", url).href };
      return Response.json({
        name: "tool",
        "dist-tags": { latest: "1.2.3" },
        versions: { "1.2.3": { ...spec, dist } },
      });
    });
    await using me = await place({
      "npm/npmrc": `registry=http://127.0.0.1:${registry.addr.port}/\n`,
      "repository/.npmrc": "registry=http://127.0.0.1:1/\nfetch-retries=0\n",
    });
    for (const { path, content } of toolOf("repository's")) {
      await me.write(`repository/node_modules/tool/${path}`, content);
    }
    await me.mkdir("home");
    await me.mkdir("repository/node_modules/.bin");
    await Deno.symlink("../tool/tool.js", me.at("repository/node_modules/.bin/tool"));
    await Deno.chmod(me.at("repository/node_modules/tool/tool.js"), 0o755);

    const execPath = "/r/_npx/5f/node_modules/tool-linux-x64/bin/muxue_rag";
    const started = { standalone: true, execPath, os: "linux", denoVersion: "", project: "" } as const;
    const home = me.at("home");
    const npx = npxOptions({ HOME: home, npm_config_globalconfig: me.at("npm/npmrc") }, "linux");
    const { command, args } = serverCommand(started, ["serve"], { version: "1.2.3", npx });
    const { stdout, stderr } = await new Deno.Command(command, {
      args: [...args],
      cwd: me.at("repository"),
      clearEnv: true,
      env: { HOME: home, PATH: Deno.env.get("PATH") ?? "" },
    }).output();
    equal(new TextDecoder().decode(stdout), "registry's serve\n", new TextDecoder().decode(stderr));
    deepEqual(npxOptions({ HOME: home }, "linux"), [], "npm's global settings would be lost");
  },
);

Deno.test("setup writes the installed program, on PATH or where the installation script puts it", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using me = await home();
  const commandWith = async (PATH: string) => {
    const { stdout } = await me.run(["setup", "cursor", "--dir", "notes"], { env: { ...me.env, PATH } });
    const { command, args } = JSON.parse(stdout).mcpServers.muxue_rag;
    return { command, args };
  };
  await me.write("node_modules/.bin/muxue_rag", "");
  await Deno.mkdir(me.at("empty", "muxue_rag"), { recursive: true });
  const path = [me.at("node_modules", ".bin"), "relative", me.at("empty"), me.at("tools")].join(":");
  deepEqual((await commandWith(path)).args.includes("start"), true, "nothing is installed");
  await me.write(".local/bin/muxue_rag", "#!/bin/sh\n");
  const args = ["serve", "--dir", me.at("notes")];
  deepEqual(await commandWith(path), { command: me.at(".local", "bin", "muxue_rag"), args });
  await me.write("tools/muxue_rag", "#!/bin/sh\n");
  deepEqual(await commandWith(path), { command: me.at("tools", "muxue_rag"), args });
});

/** A home folder with a folder of notes. The program runs in it. */
async function home() {
  const here = await place({}, { home: "." });
  await here.mkdir("notes");
  return here;
}

Deno.test("setup lists the clients, their files, and which seem to be installed", async () => {
  await using me = await home();
  await Deno.mkdir(me.at(".cursor"));
  await me.write(".claude.json", "{}");
  const { code, stdout, stderr } = await me.run(["setup", "--json"]);
  deepEqual([code, stderr], [0, ""]);
  const { clients } = JSON.parse(stdout).data;
  deepEqual(clients.map(({ client }: { client: string }) => client), CLIENTS.map(({ id }) => id));
  deepEqual(clients[1], {
    client: "claude-code",
    title: "Claude Code",
    path: me.at(".claude.json"),
    exists: true,
    installed: true,
    project: ".mcp.json",
    pasted: false,
  });
  deepEqual([clients[2].exists, clients[2].installed, clients[7].installed], [false, true, false]);
  const text = (await me.run(["setup"])).stdout;
  match(text, /\n {2}claude-code {5}installed {2}.*\.claude\.json {2}\(in a project: \.mcp\.json\)\n/);
  match(text, /\n {2}codex {11}not found {2}.*config\.toml/);
});

Deno.test("setup prints only the entry on stdout, and instructions on stderr", async () => {
  await using me = await home();
  await Deno.mkdir(me.at(".cursor"));
  const { code, stdout, stderr } = await me.run(["setup", "cursor", "--dir", "notes", "--dir", "."], {});
  equal(code, 2, "a whole home folder needs --allow-sensitive");
  equal(stdout, "");
  match(stderr, /^Error: /);

  const argv = ["setup", "cursor", "--dir", "notes", "--language", "en", "--config", "my.yaml"];
  equal((await me.run(argv)).code, 2, "the configuration does not exist");
  await me.write("my.yaml", "");
  const printed = await me.run(argv);
  equal(printed.code, 0, printed.stderr);
  const { command, args } = JSON.parse(printed.stdout).mcpServers.muxue_rag;
  equal(typeof command, "string");
  const config = ["--config", me.at("my.yaml"), "--language", "en"];
  deepEqual(args.slice(args.indexOf("serve")), ["serve", "--dir", me.at("notes"), ...config]);
  equal(
    printed.stderr,
    `Cursor: create the file ${me.at(".cursor", "mcp.json")} with this content:\n` +
      "With --write, this program edits the file: it shows the change, asks for confirmation, and keeps a backup\n" +
      SUGGESTION,
  );
  deepEqual(await me.list(".cursor"), [], "nothing is written");

  const unwatched = await me.run(["setup", "cursor", "--dir", "notes", "--no-watch", "--language", "en"]);
  deepEqual(JSON.parse(unwatched.stdout).mcpServers.muxue_rag.args.includes("--no-watch"), true);
  const hint = `has no index yet, and the server will not build it. Run muxue_rag --dir ${me.at("notes")}`;
  equal(unwatched.stderr.includes(hint), true, unwatched.stderr);

  const all = await me.run(["setup", "vscode", "--name", "my-notes"]);
  const entry = JSON.parse(all.stdout).servers["my-notes"];
  deepEqual([entry.type, entry.args.at(-1)], ["stdio", "serve"]);
  match(all.stderr, /^No folder was indexed on this machine yet[^\n]*\nNote: VS Code does not seem/);
  match((await me.run(["setup", "codex"])).stdout, /^\[mcp_servers\.muxue_rag\]\ncommand = "/);
});

Deno.test("every client's entry names the configuration in effect", async () => {
  await using me = await home();
  await me.write("config.yaml", "language: en\n");
  const env = {
    MUXUE_RAG_STATE_DIR: me.at("state"),
    MUXUE_RAG_CONFIG_DIR: me.at("settings"),
    MUXUE_RAG_LANGUAGE: "en",
  };
  for (const { id, format, servers, serverName = "muxue_rag" } of CLIENTS) {
    const { code, stdout, stderr } = await me.run(["setup", id, "--dir", "notes", "--update"]);
    equal(code, 0, stderr);
    const content = format === "toml" ? structuredClone(parseToml(stdout)) : JSON.parse(stdout);
    const { args, env: carried } = content[servers][serverName];
    deepEqual(
      [args.slice(args.indexOf("serve")), carried],
      [["serve", "--dir", me.at("notes"), "--update", "--config", me.at("config.yaml")], env],
      id,
    );
    equal(stderr.includes("has no index yet"), false, "the server will see to it");
    ok(stderr.includes("config.yaml, which was found in the working folder"), stderr);
  }
  const variables = Object.entries(env).map(([name, value]) => `--env ${name}=${value}`).join(" ");
  const claude = await me.run(["setup", "claude-code"]);
  ok(claude.stderr.includes(`claude mcp add muxue_rag --scope user ${variables} -- `), claude.stderr);
  const codex = await me.run(["setup", "codex"]);
  ok(codex.stderr.includes(`codex mcp add muxue_rag ${variables} -- `), codex.stderr);
});

Deno.test("setup writes no secret and explains how the server gets it", async () => {
  await using me = await home();
  await me.write(
    "config.yaml",
    "language: en\nembedding:\n  provider: openai-compatible\n  base_url: env:ADDRESS\n  model: m\n  api_key: env:MY_KEY\n",
  );
  const env = {
    HOME: me.dir,
    USERPROFILE: me.dir,
    MY_KEY: "sk-123456",
    ADDRESS: "http://me:hidden@localhost:1",
    MUXUE_RAG_EMBEDDING_API_KEY: "sk-654321",
    MUXUE_RAG_PASSPHRASE: "correct horse",
  };
  const { code, stdout, stderr } = await me.run(["setup", "cursor", "--config", "config.yaml"], { env });
  equal(code, 0, stderr);
  const path = me.at("config.yaml");
  const encrypt = (key: string) => `muxue_rag config encrypt ${key} --config ${path}`;
  for (
    const line of [
      `Note: embedding.base_url comes from ADDRESS and contains a secret, so it is not written into the client's file. ` +
      "Move the secret to api_key, or set ADDRESS in Cursor yourself",
      `Note: embedding.api_key in ${path} is env:MY_KEY, but Cursor starts the server without that variable, so the ` +
      `server will end with an error. Put the key itself there and encrypt it: ${
        encrypt("embedding.api_key")
      }`,
      `Note: embedding.api_key comes from MUXUE_RAG_EMBEDDING_API_KEY. A secret is not written into the client's ` +
      `file. Write it into ${path} and encrypt it: ${encrypt("embedding.api_key")}`,
    ]
  ) ok(stderr.includes(`${line}\n`), `${line}\n\n${stderr}`);
  equal(/sk-|hidden|correct/.test(stdout + stderr), false);
  equal(JSON.parse(stdout).mcpServers.muxue_rag.env, undefined);

  const encrypted = await me.run(["config", "encrypt", "--quiet"], {
    env,
    readLine: () => Promise.resolve("sk-123456"),
  });
  await me.write("config.yaml", `language: en\nembedding:\n  api_key: ${encrypted.stdout}`);
  const locked = await me.run(["setup", "cursor"], { env });
  ok(
    locked.stderr.includes(
      `Note: embedding.api_key in ${path} is encrypted with the passphrase in MUXUE_RAG_PASSPHRASE, which is not written ` +
        "into the client's file. Without it, the server will end with an error. Encrypt with the key file instead: unset " +
        `MUXUE_RAG_PASSPHRASE, put the key itself there, then run ${encrypt("embedding.api_key")}\n`,
    ),
    locked.stderr,
  );
});

Deno.test("setup --write shows the difference, asks, edits, and keeps a backup", async () => {
  if (Deno.build.os === "windows") return;
  await using me = await home();
  const before = '{\n  "mcpServers": {\n    "a": {"command": "a"}\n  }\n}\n';
  await me.write(".cursor/mcp.json", before);
  await Deno.chmod(me.at(".cursor", "mcp.json"), 0o600);
  const argv = ["setup", "cursor", "--dir", "notes", "--write"];

  const silent = await me.run(argv);
  equal(silent.code, 2);
  match(silent.stderr, /\nError: There is no terminal to ask for confirmation, so nothing was changed\./);
  const no = await me.run(argv, { terminal: TERMINAL, readLine: () => Promise.resolve("n") });
  equal(no.code, 1);
  match(no.stderr, /\? \[y\/N\] Cancelled. Nothing was changed\n$/);
  const [red, green, plain] = ["\u001b[31m", "\u001b[32m", "\u001b[39m"];
  const changed = `${red}-    "a": {"command": "a"}${plain}\n${green}+    "a": {"command": "a"},${plain}\n`;
  ok(no.stderr.includes(changed), no.stderr);
  deepEqual([await me.list(".cursor"), await me.read(".cursor/mcp.json")], [["mcp.json"], before]);

  const yes = await me.run(argv, { terminal: TERMINAL, readLine: () => Promise.resolve("y") });
  deepEqual([yes.code, yes.stdout], [0, `Written: ${me.at(".cursor", "mcp.json")}\n`]);
  match(
    yes.stderr,
    /\[y\/N\] Checked: the server starts and offers 2 tools \(\d+\.\d s\)\nBackup of the old file: .*\nRestart Cursor for the change to take effect\nOptional: muxue_rag model install .*\n$/,
  );
  const [file, backup, ...others] = await me.list(".cursor");
  deepEqual([file, others], ["mcp.json", []]);
  match(backup ?? "", /^mcp\.json\.muxue_rag-backup-\d{8}-\d{6}$/);
  equal(await me.read(`.cursor/${backup ?? ""}`), before);
  for (const name of [file, backup]) {
    equal(((await Deno.stat(me.at(".cursor", name ?? ""))).mode ?? 0) & 0o777, 0o600, name);
  }
  const after = await me.read(".cursor/mcp.json");
  deepEqual(Object.keys(JSON.parse(after).mcpServers), ["a", "muxue_rag"]);

  deepEqual(await me.run([...argv, "--quiet"]), {
    code: 0,
    stdout: `${me.at(".cursor", "mcp.json")} already has this entry. Nothing to change\n`,
    stderr: "",
  });
  deepEqual([(await me.list(".cursor")).length, await me.read(".cursor/mcp.json")], [2, after]);
});

Deno.test("setup --write --json reports the changes", async () => {
  await using me = await home();
  await Deno.mkdir(me.at(".codex"));
  const path = me.at(".codex", "config.toml");
  const argv = ["setup", "codex", "--json", "--quiet"];
  const data = async (...more: string[]) => {
    const { code, stdout, stderr } = await me.run([...argv, ...more]);
    deepEqual([code, stderr], [0, ""]);
    const { entry, text, handshake, ...rest } = JSON.parse(stdout).data;
    match(text, /^\[mcp_servers\.muxue_rag\]\n/);
    equal(entry.args.at(-1), "serve");
    if (handshake) equal(handshake.tools, 2);
    return rest;
  };
  const known = { client: "codex", path, installed: true, name: "muxue_rag", backup: null };
  deepEqual(await data(), { ...known, exists: false, changed: true, written: false });
  const restart = "Start a new session of Codex CLI";
  deepEqual(await data("--write", "--yes"), {
    ...known,
    exists: false,
    changed: true,
    written: true,
    restart,
  });
  deepEqual(await data("--write", "--yes"), { ...known, exists: true, changed: false, written: false });
  await me.write(".codex/config.toml", "a = \n");
  deepEqual(await data(), { ...known, exists: true, changed: null, written: false });
});

Deno.test("setup --write makes a file for a client that is not installed only with --force", async () => {
  await using me = await home();
  const argv = ["setup", "zed", "--write", "--yes", "--quiet"];
  const path = join(".config", "zed", "settings.json");
  const refused = await me.run(argv);
  equal(refused.code, 1);
  match(
    refused.stderr,
    /^Error: Zed does not seem to be installed on this machine, so .* was not created\. To create it anyway, add --force/,
  );
  equal((await me.run([...argv, "--force"])).code, 0);
  if (Deno.build.os !== "linux") return;
  deepEqual(Object.keys(JSON.parse(await me.read(path))), ["context_servers"]);
});

Deno.test("setup --project edits the file of a project", async () => {
  await using me = await home();
  await Deno.mkdir(me.at("project"));
  const files: [client: string, ...file: string[]][] = [
    ["claude-code", ".mcp.json"],
    ["cursor", ".cursor", "mcp.json"],
    ["vscode", ".vscode", "mcp.json"],
    ["codex", ".codex", "config.toml"],
    ["gemini-cli", ".gemini", "settings.json"],
    ["qwen-code", ".qwen", "settings.json"],
    ["kimi", ".kimi-code", "mcp.json"],
    ["continue", ".continue", "mcpServers", "mcp.json"],
    ["trae", ".trae", "mcp.json"],
  ];
  for (const [client, ...file] of files) {
    const done = await me.run(["setup", client, "--project", "project", "--write", "--yes", "--quiet"]);
    deepEqual(done, { code: 0, stdout: `Written: ${me.at("project", ...file)}\n`, stderr: "" });
    match(await me.read(["project", ...file].join("/")), /muxue[_-]rag/);
  }
  match(
    (await me.run(["setup", "zed", "--project", "project"])).stderr,
    /^Error: Zed has no configuration file for a project; --project can be used with claude-code, cursor, vscode, codex, gemini-cli, qwen-code, kimi, continue, trae\n/,
  );
  match(
    (await me.run(["setup", "cursor", "--project", "none"])).stderr,
    /^Error: The directory does not exist: .*none/,
  );
});

Deno.test("setup --write edits the target of a link", async () => {
  if (Deno.build.os === "windows") return;
  await using me = await home();
  await me.write("dotfiles/mcp.json", "{}\n");
  await Deno.mkdir(me.at(".cursor"));
  await Deno.symlink("../dotfiles/mcp.json", me.at(".cursor", "mcp.json"));
  const argv = ["setup", "cursor", "--write", "--yes"];
  const { code, stderr } = await me.run(argv);
  equal(code, 0);
  match(stderr, /mcp\.json is a link; this edits the file it points to, .*dotfiles.mcp\.json\n/);
  equal((await Deno.lstat(me.at(".cursor", "mcp.json"))).isSymlink, true);
  match(await me.read("dotfiles/mcp.json"), /muxue_rag/);
  equal((await me.list("dotfiles")).length, 2);

  await Deno.remove(me.at("dotfiles"), { recursive: true });
  const broken = await me.run(argv);
  equal(broken.code, 1);
  match(broken.stderr, /\nError: .* is a link to a file that does not exist\n$/);
});

Deno.test("setup does not change a file that it cannot read, and explains why", async () => {
  await using me = await home();
  const path = me.at(".cursor", "mcp.json");
  const argv = ["setup", "cursor", "--write", "--yes", "--quiet"];
  const refusal = async () => {
    const { code, stdout, stderr } = await me.run(argv);
    deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  await me.write(".cursor/mcp.json", '{ "mcpServers": {\n');
  equal(
    await refusal(),
    `Error: ${path}:2:1 is not valid JSON (close brace expected), so nothing was changed. Correct it first\n`,
  );
  const printed = await me.run(["setup", "cursor", "--quiet"]);
  deepEqual([printed.code, printed.stdout.startsWith("{")], [0, true], "to paste it is there nevertheless");
  await me.write(".cursor/mcp.json", '{ "mcpServers": [] }');
  match(await refusal(), /mcpServers in .* is written in an unusual way/);
  await Deno.writeFile(path, Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0));
  match(await refusal(), /is not UTF-8, so nothing was changed/);
  await Deno.remove(path);
  await Deno.mkdir(path);
  match(await refusal(), /^Error: .* is not a regular file/);
  deepEqual(await me.list(".cursor"), ["mcp.json"]);
});

Deno.test("setup --write writes nothing if the file changes during the question", async () => {
  await using me = await home();
  await me.write(".cursor/mcp.json", "{}");
  const readLine = async () => {
    await me.write(".cursor/mcp.json", '{"a": 1}');
    return "y";
  };
  const { code, stderr } = await me.run(["setup", "cursor", "--write"], { terminal: TERMINAL, readLine });
  equal(code, 1);
  match(stderr, /mcp\.json was just changed by another program, so nothing was written/);
  deepEqual([await me.list(".cursor"), await me.read(".cursor/mcp.json")], [["mcp.json"], '{"a": 1}']);
});

Deno.test("setup explains a wrong command line, exit code 2", async () => {
  await using me = await home();
  const all = CLIENTS.map(({ id }) => id).join(", ");
  const usage =
    "No client given. Usage: muxue_rag setup CLIENT --dir DIR, or with --write for all that are installed; " +
    `the clients are: ${all}`;
  const cases: [string[], string][] = [
    [["windsrf"], "Unknown client windsrf. Did you mean windsurf?"],
    [["claude"], "Unknown client claude. Did you mean claude-desktop, claude-code?"],
    [["emacs"], `Unknown client emacs. The clients are: ${all}`],
    [["--dir", "notes"], usage],
    [["--write", "--force"], usage],
    [["--dry-run", "--project", "."], usage],
    [["zed", "--dry-run", "--write"], "Options --dry-run and --write cannot be used together"],
    [["zed", "--yes"], "Option --yes can only be used together with --write"],
    [["zed", "--force"], "Option --force can only be used together with --write"],
    [
      ["zed", "--name", "my notes"],
      "my notes is not a valid server name. Use 1 to 64 letters, digits, underscores and hyphens",
    ],
    [
      ["zed", "--dir", "none"],
      `The directory does not exist: ${
        me.at("none")
      }. To list the indexed folders, run: muxue_rag status --all`,
    ],
    [
      ["zed", "--url", "ftp://x"],
      "ftp://x is not an HTTP address. Write it like http://127.0.0.1:7368/mcp, without a user name and password",
    ],
    [
      ["cursor", "--url", "http://x/mcp", "--token-env", "abc-def"],
      "abc-def is not the name of an environment variable. --token-env takes the variable's name, not the token",
    ],
    [["zed", "--url", "http://x/mcp", "--update"], "Options --url and --update cannot be used together"],
  ];
  for (const [argv, text] of cases) {
    deepEqual(await me.run(["setup", ...argv]), { code: 2, stdout: "", stderr: `Error: ${text}\n` });
  }
  const homeless = await me.run(["setup", "zed"], {
    env: { MUXUE_RAG_STATE_DIR: me.at("state"), MUXUE_RAG_LANGUAGE: "en" },
  });
  equal(homeless.code, 2);
  match(
    homeless.stderr,
    /^Error: The user's home folder is unknown, so the configuration file of Zed cannot be found/,
  );
});
