import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { processOfEntry, shakeHands } from "#program/commands/setup/handshake.ts";
import type { ConnectionEvents, OpenConnection, ServerProcess } from "#foundation/boundary/mod.ts";
import { answeringServer } from "./_fake_io.ts";
import { place, TERMINAL } from "./_place.ts";
import { windowsTest } from "../_posix.ts";

/** A home folder with the marks of these clients, and a folder of notes. */
async function homeWith(files: Readonly<Record<string, string>>) {
  const here = await place({ "notes/tea.md": "Tea.\n", ...files }, { home: "." });
  return {
    ...here,
    setup: (argv: string[], io: Parameters<typeof here.run>[1] = {}) =>
      here.run(["setup", ...argv, "--dir", "notes"], io),
    /** The texts of these files, by path. */
    texts: async (...paths: string[]) => await Promise.all(paths.map((path) => here.read(path))),
  };
}

const OTHER = '{"command": "other"}';
/** Files of clients with comments, a byte order mark, CRLF, tabs and a trailing comma. */
const FILES = {
  ".cursor/mcp.json": `\ufeff{\r\n\t"mcpServers": {\r\n\t\t"other": ${OTHER}, // mine\r\n\t},\r\n}\r\n`,
  ".codex/config.toml": `# mine\nmodel = "m"\n\n[mcp_servers.other]\ncommand = "other" # theirs\n`,
  ".gemini/settings.json": `{ "theme": "Dracula", "mcpServers": { "other": ${OTHER} } }`,
  ".continue/config.yaml": "name: mine # untouched\nmodels: []\n",
  ".kimi/mcp.json": "",
};
const IS_LINUX = { ignore: Deno.build.os !== "linux" };

Deno.test(
  "setup --write sets up every client that is installed, and a second run changes nothing",
  IS_LINUX,
  async () => {
    await using me = await homeWith({ ...FILES, ".config/zed/settings.json": '// Zed\n{ "ui": 1, }\n' });
    const started: ServerProcess[] = [];
    const openServer = (server: ServerProcess) => {
      started.push(server);
      return answeringServer();
    };
    const run = async () => {
      const { code, stdout, stderr } = await me.setup(["--write", "--yes", "--json"], { openServer });
      equal(code, 0, stderr);
      return JSON.parse(stdout).data.clients as {
        client: string;
        changed: boolean;
        written: boolean;
        restart: string;
      }[];
    };
    const first = await run();
    deepEqual(first.map(({ client, changed, written }) => [client, changed, written]), [
      ["cursor", true, true],
      ["zed", true, true],
      ["codex", true, true],
      ["gemini-cli", true, true],
      ["kimi", true, true],
      ["continue", true, true],
    ]);
    equal(first[0]!.restart, "Restart Cursor for the change to take effect");
    equal(started.length, 1, "all of them start the same");
    const [cursor, zed, codex, gemini, kimi, yaml] = await me.texts(
      ".cursor/mcp.json",
      ".config/zed/settings.json",
      ".codex/config.toml",
      ".gemini/settings.json",
      ".kimi/mcp.json",
      ".continue/config.yaml",
    );
    ok(
      cursor!.startsWith(
        `\ufeff{\r\n\t"mcpServers": {\r\n\t\t"other": ${OTHER}, // mine\r\n\t\t"muxue_rag": {\r\n`,
      ),
    );
    ok(cursor!.endsWith("\t\t},\r\n\t},\r\n}\r\n") && !/[^\r]\n/.test(cursor!));
    ok(zed!.startsWith('// Zed\n{ "ui": 1, "context_servers":'), zed);
    ok(codex!.startsWith(`${FILES[".codex/config.toml"]}\n[mcp_servers.muxue_rag]\n`));
    match(gemini!, /"other": \{"command": "other"\}, "muxue-rag": \{/);
    deepEqual(Object.keys(JSON.parse(kimi!).mcpServers), ["muxue_rag"]);
    equal(yaml, FILES[".continue/config.yaml"]);
    const names = await me.list(".cursor");

    const second = await run();
    deepEqual(second.filter(({ changed, written }) => changed || written), []);
    deepEqual([await me.list(".cursor"), await me.texts(".cursor/mcp.json", ".codex/config.toml")], [
      names,
      [cursor, codex],
    ]);

    equal((await me.run(["setup", "--remove", "--yes"])).code, 0);
    equal(await me.read(".cursor/mcp.json"), FILES[".cursor/mcp.json"]);
  },
);

Deno.test("setup at a terminal lists the clients and asks for each that is installed", async () => {
  await using me = await homeWith({ ".cursor/mcp.json": "{}\n", ".codex/config.toml": "# mine\n" });
  const answers = ["n", "y"];
  const readLine = () => Promise.resolve(answers.shift());
  const { code, stdout, stderr } = await me.setup([], { terminal: TERMINAL, readLine });
  equal(code, 0, stderr);
  match(stdout, /^Clients that can be set up[^]*cursor[^]*installed[^]*\nWritten: .*config\.toml\n$/);
  match(
    stderr,
    /Cursor[^]*\+ {2}"mcpServers"[^]*\[y\/N\] Cancelled[^]*Codex CLI[^]*\[y\/N\] Checked: [^]*new session of Codex/,
  );
  deepEqual([await me.read(".cursor/mcp.json"), answers], ["{}\n", []]);
  match(await me.read(".codex/config.toml"), /^# mine\n\n\[mcp_servers\.muxue_rag\]\n/);
});

Deno.test("setup --dry-run shows the changes, starts no server and writes nothing", async () => {
  await using me = await homeWith({ ".cursor/mcp.json": "{}\n", ".codex/config.toml": "# mine\n" });
  const openServer = () => {
    throw new Error("started");
  };
  const all = await me.setup(["--dry-run"], { openServer });
  deepEqual([all.code, (all.stdout.match(/Not written, because of --dry-run/g) ?? []).length], [0, 2]);
  match(all.stderr, /\n\+\[mcp_servers\.muxue_rag\]\n/);
  const one = await me.setup(["cursor", "--dry-run", "--json"], { openServer });
  match(JSON.parse(one.stdout).data.diff, /^--- .*mcp\.json\n\+\+\+ [^]*\n\+ {4}"muxue_rag": \{\n/);
  deepEqual([await me.list(".cursor"), await me.list(".codex")], [["mcp.json"], ["config.toml"]]);
  deepEqual(await me.texts(".cursor/mcp.json", ".codex/config.toml"), ["{}\n", "# mine\n"]);
});

/** A server that writes this to stderr and ends. */
function endingServer(text: string): OpenConnection {
  return ({ onErrorData, onEnd }: ConnectionEvents) => {
    queueMicrotask(() => {
      onErrorData?.(new TextEncoder().encode(text));
      onEnd("its process ended with code 3", 3);
    });
    return { send: () => {}, close: () => {}, end: () => {} };
  };
}

Deno.test("a client's file is put back if the server does not answer, and the other clients are not touched", async () => {
  await using me = await homeWith({ ".cursor/mcp.json": "{} // mine\n", ".codex/config.toml": "" });
  await Deno.remove(me.at(".codex", "config.toml"));
  const openServer = () => endingServer("error: no such folder\n");
  for (const [client, name] of [["cursor", "mcp.json"], ["codex", "config.toml"]] as const) {
    const { code, stdout, stderr } = await me.setup([client, "--write", "--yes", "--quiet"], { openServer });
    deepEqual([code, stdout], [1, ""]);
    match(
      stderr,
      /^Error: The server ended before it answered \(3\): error: no such folder \(command: .* serve .*\)\n$/,
    );
    deepEqual(await me.list(`.${client}`), client === "cursor" ? [name] : []);
  }
  equal(await me.read(".cursor/mcp.json"), "{} // mine\n");
  const all = await me.setup(["--write", "--yes"], { openServer });
  equal(all.code, 1);
  match(all.stderr, /mcp\.json is as it was before\n✗ Cursor: The server ended/);
  equal(all.stderr.includes("Codex"), false, "it would start the same server");
});

windowsTest(
  "setup finds the file of a client that a killed run has left under a temporary name",
  async () => {
    await using me = await homeWith({
      ".cursor/mcp.json.old.0123abcd.tmp": `{"mcpServers": {"other": ${OTHER}}}\n`,
    });
    equal((await me.setup(["cursor", "--write", "--yes"])).code, 0);
    deepEqual(Object.keys(JSON.parse(await me.read(".cursor/mcp.json")).mcpServers), ["other", "muxue_rag"]);
  },
);

Deno.test("folders that setup made for a file go with it, unless the client has put something there", async () => {
  await using me = await homeWith({});
  const fail = (meanwhile: () => void) => () => {
    meanwhile();
    return endingServer("error\n");
  };
  const setup = (meanwhile: () => void) =>
    me.setup(["windsurf", "--write", "--force", "--yes"], { openServer: fail(meanwhile) });
  const before = await me.list(".");
  equal((await setup(() => {})).code, 1);
  deepEqual((await me.list(".")).filter((name) => !before.includes(name)), ["state"]);
  equal((await setup(() => Deno.writeTextFileSync(me.at(".codeium", "other"), ""))).code, 1);
  deepEqual([await me.list(".codeium")], [["other"]]);
});

Deno.test(
  "setup --write --url skips the clients that take no address or no token, and does the others",
  IS_LINUX,
  async () => {
    const files = {
      ".config/Claude/claude_desktop_config.json": "{}\n",
      ".config/zed/settings.json": "{}\n",
    };
    await using me = await homeWith({ ...files, ".cursor/mcp.json": "{}\n" });
    const setup = (...more: string[]) =>
      me.run(["setup", ...more, "--url", "http://127.0.0.1:7368/mcp", "--token-env", "MY_TOKEN"]);
    const { code, stdout, stderr } = await setup("--write", "--yes", "--json");
    equal(code, 0, stderr);
    deepEqual(
      JSON.parse(stdout).data.clients.map((
        { client, written, skipped }: Record<string, unknown>,
      ) => [client, skipped ?? written]),
      [
        ["claude-desktop", "Claude Desktop is skipped: its file takes a command, and no address"],
        ["cursor", true],
        ["zed", "Zed is skipped: its file cannot name the variable with the token"],
      ],
    );
    deepEqual(await me.texts(...Object.keys(files)), ["{}\n", "{}\n"]);
    equal((await setup("claude-desktop", "--write", "--yes")).code, 2, "it was asked for");
    await Deno.remove(me.at(".cursor"), { recursive: true });
    const none = await setup("--write", "--yes");
    equal(none.code, 1, "nothing was done");
    equal(
      none.stderr,
      "\nClaude Desktop\nClaude Desktop is skipped: its file takes a command, and no address\n" +
        "\nZed\nZed is skipped: its file cannot name the variable with the token\n",
    );
    const wrong = await me.run(["setup", "--write", "--yes", "--url", "ftp://x"]);
    deepEqual([wrong.code, wrong.stderr.match(/is not an HTTP address/g)?.length], [2, 1]);
  },
);

Deno.test("a file that the client changes while the server is checked stays, and the backup is named", async () => {
  await using me = await homeWith({ ".cursor/mcp.json": "{}\n" });
  const openServer = () => {
    Deno.writeTextFileSync(me.at(".cursor", "mcp.json"), "{ }\n");
    return endingServer("error\n");
  };
  const { code, stderr } = await me.setup(["cursor", "--write", "--yes"], { openServer });
  equal(code, 1);
  match(
    stderr,
    /could not be put back; the backup from before: .*mcp\.json\.muxue_rag-backup-[^]*The server ended/,
  );
  equal(await me.read(".cursor/mcp.json"), "{ }\n");
});

Deno.test("a request of the server with the number of the client's is no answer, and one that stays open is not waited for", async () => {
  const ping = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  const open: OpenConnection = (events) => {
    const { send } = answeringServer()(events);
    return { send: (bytes) => (events.onData(ping), send(bytes)), close: () => {}, end: () => {} };
  };
  const signal = new AbortController().signal;
  equal((await shakeHands(open, "rag serve", { version: "1", signal })).tools, 2);
});

Deno.test(
  "setup leaves a file alone that is read-only, and goes on to the next client",
  IS_LINUX,
  async () => {
    await using me = await homeWith({ ".cursor/mcp.json": "{}\n", ".codex/config.toml": "" });
    await Deno.chmod(me.at(".cursor", "mcp.json"), 0o444);
    const readLine = () => Promise.resolve("y");
    const asked = await me.setup(["cursor", "--write"], { terminal: TERMINAL, readLine });
    deepEqual([asked.code, asked.stderr.includes("[y/N]")], [1, false], "it asks no question in vain");
    const { code, stdout, stderr } = await me.setup(["--write", "--yes"]);
    equal(code, 1);
    match(stderr, /✗ Cursor: .*mcp\.json is read-only, so nothing was changed/);
    match(stdout, /^Written: .*config\.toml\n$/);
    deepEqual([await me.list(".cursor"), await me.read(".cursor/mcp.json")], [["mcp.json"], "{}\n"]);
  },
);

Deno.test("setup on a full disk leaves the file as it is, and says why", async () => {
  await using me = await homeWith({ ".cursor/mcp.json": "{}\n" });
  const { open } = Deno;
  // There is still space for the backup.
  Deno.open = (path, options) =>
    `${path}`.includes("-backup-")
      ? open(path, options)
      : Promise.reject(new Error("No space left on device (os error 28)"));
  try {
    const { code, stderr } = await me.setup(["cursor", "--write", "--yes", "--quiet"]);
    const path = me.at(".cursor", "mcp.json");
    deepEqual([code, stderr], [
      1,
      `Error: The disk is full, so ${path} was not changed. Free some space and try again\n`,
    ]);
  } finally {
    Deno.open = open;
  }
  deepEqual([await me.list(".cursor"), await me.read(".cursor/mcp.json")], [["mcp.json"], "{}\n"]);
});

Deno.test("a client without a file gets the entry to paste and its own link", IS_LINUX, async () => {
  await using me = await homeWith({ ".cherrystudio/bin/x": "", ".config/Trae/User/settings.json": "{}" });
  const { code, stdout, stderr } = await me.setup(["cherry-studio", "--write"]);
  equal(code, 0, stderr);
  match(
    stderr,
    /Checked: [^]*\nCherry Studio keeps its servers in a database of its own\. Open Settings → MCP Servers/,
  );
  const link = new URL(stderr.match(/cherrystudio:\S+/)![0]);
  const bytes = Uint8Array.fromBase64(link.searchParams.get("servers")!);
  deepEqual(JSON.parse(new TextDecoder().decode(bytes)), JSON.parse(stdout));

  const before = await me.setup(["trae"]);
  match(before.stderr, /^In Trae, open Settings → MCP → Raw Configuration \(JSON\), and add this:\n/);
  deepEqual(Object.keys(JSON.parse(before.stdout).mcpServers), ["muxue_rag"]);
  match((await me.run(["setup"])).stdout, /trae {12}installed {2}\(to paste in the client\)/);
  await me.write(".config/Trae/User/mcp.json", '{"mcpServers":{}}');
  equal((await me.setup(["trae", "--write", "--yes"])).code, 0);
  match(await me.read(".config/Trae/User/mcp.json"), /"muxue_rag"/);
});

Deno.test("the server is started with the variables that every client hands over, and those of the entry", () => {
  const entry = { command: "rag", args: ["serve"], env: { A: "1", PATH: "/own" } };
  const linux = { HOME: "/home/me", PATH: "/bin", LANG: "C", SECRET: "s", USER: undefined };
  deepEqual(processOfEntry(entry, linux, "linux"), {
    command: "rag",
    args: ["serve"],
    env: { HOME: "/home/me", PATH: "/own", A: "1" },
    cwd: "/home/me",
  });
  const windows = { USERPROFILE: "C:\\Users\\me", Path: "C:\\Windows", SystemRoot: "C:\\Windows", OS: "NT" };
  deepEqual(processOfEntry({ command: "rag" }, windows, "windows"), {
    command: "rag",
    args: [],
    env: { USERPROFILE: "C:\\Users\\me", Path: "C:\\Windows", SystemRoot: "C:\\Windows" },
    cwd: "C:\\Users\\me",
  });
  equal(processOfEntry({ url: "http://x" }, linux, "linux"), undefined);
});

/** A server that answers each message with these lines. */
function linesServer(...lines: string[]): OpenConnection {
  return ({ onData, onEnd }) => ({
    send: () => onData(new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))),
    close: () => onEnd("its process ended with code 0", 0),
    end: () => {},
  });
}

Deno.test("a server that cannot be started, says something else or refuses is told apart", async () => {
  const run = (open: OpenConnection) =>
    shakeHands(open, "rag serve", { version: "1", signal: new AbortController().signal });
  const missing: OpenConnection = ({ onEnd }) => {
    queueMicrotask(() => onEnd("No such file or directory"));
    return { send: () => {}, close: () => {}, end: () => {} };
  };
  await rejects(run(missing), {
    key: "cli_setup_no_start",
    params: { command: "rag serve", reason: "No such file or directory" },
  });
  await rejects(run(linesServer("Starting…")), {
    key: "cli_setup_bad_answer",
    params: { command: "rag serve", text: "Starting…" },
  });
  await rejects(run(linesServer('{"jsonrpc":"2.0","id":1,"error":{"code":-1}}')), {
    key: "cli_setup_bad_answer",
  });
  equal((await run(answeringServer())).tools, 2);
});
