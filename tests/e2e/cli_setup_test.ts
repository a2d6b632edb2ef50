import { deepEqual, match } from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseToml } from "smol-toml";
import { EXECUTABLE, makeIndexed, output } from "./_program.ts";
import { TOOLS } from "./_tools.ts";

// deno-lint-ignore no-explicit-any
type Entries = any;

const CLIENTS: Record<string, { path: string[]; entriesIn: (text: string) => Entries }> = {
  cursor: { path: [".cursor", "mcp.json"], entriesIn: (text) => JSON.parse(text).mcpServers },
  codex: {
    path: [".codex", "config.toml"],
    entriesIn: (text) => (parseToml(text) as Entries)["mcp_servers"],
  },
};

for (const [client, { path, entriesIn }] of Object.entries(CLIENTS)) {
  Deno.test(`the entry that setup writes for ${client} starts the server in any folder and environment`, async () => {
    await using sandbox = await makeIndexed({
      "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n",
      "more.md": "# Green tea\n\nMore of it.\n",
    });
    const { cwd, folder, env } = sandbox;
    const config = join(cwd, "config.yaml");
    await Deno.writeTextFile(config, "search:\n  top_k: 1\n");
    const file = join(cwd, "home", ...path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    for (const name of ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLINE_MCP_SETTINGS_PATH"]) {
      delete env[name];
    }
    // Deno searches its downloads below the home folder, unless DENO_DIR is set.
    const { denoDir } = JSON.parse((await output(Deno.execPath(), ["info", "--json"])).stdout);
    const HOME = join(cwd, "home");
    if (EXECUTABLE === undefined) await linkCaches(HOME, denoDir);
    const run = sandbox.runIn({
      env: { DENO_DIR: denoDir, HOME, USERPROFILE: HOME, MUXUE_RAG_LANGUAGE: "en" },
    });

    const refused = await run`setup ${client} --dir ${folder} --write`;
    deepEqual([refused.code, refused.stdout], [2, ""]);
    match(refused.stderr, /\nError: There is no terminal to ask for confirmation, so nothing was changed/);
    const written = await run`setup ${client} --dir ${folder} --write --yes`;
    deepEqual([written.code, written.stdout], [0, `Written: ${file}\n`], written.stderr);
    match(written.stderr, new RegExp(`\\nChecked: the server starts and offers ${TOOLS.length} tools `));

    const { command, args, env: named }: Entries = entriesIn(await Deno.readTextFile(file)).muxue_rag;
    deepEqual(args.slice(args.indexOf("serve")), ["serve", "--dir", folder, "--config", config]);
    const { MUXUE_RAG_STATE_DIR, MUXUE_RAG_CONFIG_DIR, MUXUE_RAG_MODELS_DIR } = env;
    const expected = { MUXUE_RAG_STATE_DIR, MUXUE_RAG_CONFIG_DIR, MUXUE_RAG_MODELS_DIR };
    deepEqual({ ...named }, { ...expected, MUXUE_RAG_LANGUAGE: "en" });

    const mcp = new Client({ name: "e2e", version: "0" });
    const elsewhere = await Deno.makeTempDir({ prefix: "muxue_rag_elsewhere_" });
    try {
      // The client passes on only the variables that are named here and a few others.
      const bare: Record<string, string> = { ...named, DENO_DIR: denoDir };
      const transport = { command, args, env: bare, cwd: elsewhere, stderr: "ignore" } as const;
      await mcp.connect(new StdioClientTransport(transport));
      const { tools } = await mcp.listTools();
      deepEqual(tools.map(({ name }) => name), TOOLS);
      const found = await mcp.callTool({ name: "search_rag", arguments: { keyword: "green tea" } });
      match(JSON.stringify(found.content), /Search succeeded: 1 passage in 1 file/);
    } finally {
      await mcp.close();
      await Deno.remove(elsewhere);
    }
  });
}

/** Gives a home folder the downloads of Deno and npm, which a client's server looks for there. */
async function linkCaches(home: string, denoDir: string): Promise<void> {
  const cache = Deno.build.os === "darwin" ? join("Library", "Caches") : ".cache";
  await Deno.mkdir(join(home, cache), { recursive: true });
  await Deno.symlink(denoDir, join(home, cache, "deno"));
  await Deno.symlink(join(homedir(), ".npm"), join(home, ".npm"));
}
