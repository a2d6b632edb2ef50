import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { parse as parseToml } from "smol-toml";
import { makeSandbox, output, type Sandbox } from "./_program.ts";
import { TOOLS } from "./_tools.ts";

/** Runs `setup` with a separate home folder. */
async function setup(sandbox: Sandbox, home: string, ...args: string[]) {
  for (const name of ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLINE_MCP_SETTINGS_PATH"]) {
    delete sandbox.env[name];
  }
  // Deno searches its downloads below the home folder, unless DENO_DIR is set.
  const env = { DENO_DIR: await denoDir(), HOME: home, USERPROFILE: home, MUXUE_RAG_LANGUAGE: "en" };
  return await sandbox.runIn({ env }, "setup", ...args);
}

async function denoDir(): Promise<string> {
  return JSON.parse((await output(Deno.execPath(), ["info", "--json"])).stdout).denoDir;
}

const FILES: readonly [client: string, format: "json" | "toml", key: string, ...file: string[]][] = [
  ["cursor", "json", "mcpServers", ".cursor", "mcp.json"],
  ["codex", "toml", "mcp_servers", ".codex", "config.toml"],
];

for (const [client, format, key, ...file] of FILES) {
  Deno.test(`the entry that setup writes for ${client} starts the server in any folder and environment`, async () => {
    await using sandbox = await makeSandbox({
      "tea.md": "# Tea\n\nGreen tea wants 80 degrees.\n",
      "more.md": "# Green tea\n\nMore of it.\n",
    });
    const config = join(sandbox.cwd, "config.yaml");
    await Deno.writeTextFile(config, "search:\n  top_k: 1\n");
    equal((await sandbox.run("--dir", sandbox.folder)).code, 0);
    const home = join(sandbox.cwd, "home");
    const path = join(home, ...file);
    await Deno.mkdir(join(path, ".."), { recursive: true });

    const refused = await setup(sandbox, home, client, "--dir", sandbox.folder, "--write");
    deepEqual([refused.code, refused.stdout], [2, ""]);
    match(refused.stderr, /\nError: There is no terminal to ask for confirmation, so nothing was changed/);

    const written = await setup(sandbox, home, client, "--dir", sandbox.folder, "--write", "--yes");
    deepEqual([written.code, written.stdout], [0, `Written: ${path}\n`], written.stderr);
    const text = await Deno.readTextFile(path);
    const content = format === "json" ? JSON.parse(text) : parseToml(text);
    const { command, args, env } = content[key].muxue_rag;
    deepEqual(args.slice(args.indexOf("serve")), ["serve", "--dir", sandbox.folder, "--config", config]);
    const { MUXUE_RAG_STATE_DIR, MUXUE_RAG_CONFIG_DIR, MUXUE_RAG_MODELS_DIR } = sandbox.env;
    deepEqual(env, {
      ...{ MUXUE_RAG_STATE_DIR, MUXUE_RAG_CONFIG_DIR, MUXUE_RAG_MODELS_DIR },
      MUXUE_RAG_LANGUAGE: "en",
    });

    const mcp = new Client({ name: "e2e", version: "0" });
    const cwd = await Deno.makeTempDir({ prefix: "muxue_rag_elsewhere_" });
    try {
      // The client passes on only the variables that are named here and a few others.
      const bare: Record<string, string> = { ...content[key].muxue_rag.env, DENO_DIR: await denoDir() };
      await mcp.connect(new StdioClientTransport({ command, args, env: bare, cwd, stderr: "ignore" }));
      const { tools } = await mcp.listTools();
      deepEqual(tools.map(({ name }) => name), TOOLS);
      const found = await mcp.callTool({ name: "search_rag", arguments: { keyword: "green tea" } });
      match(JSON.stringify(found.content), /Search succeeded: 1 passage in 1 file/);
    } finally {
      await mcp.close();
      await Deno.remove(cwd);
    }
  });
}
