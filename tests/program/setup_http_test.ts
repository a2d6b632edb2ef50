import { deepEqual, equal, match } from "node:assert/strict";
import { CLIENTS, httpEntry } from "#program/commands/setup/clients.ts";
import { withEntry } from "#program/commands/setup/edit_entry.ts";
import type { HttpEntry } from "#program/commands/setup/server_entry.ts";
import { UserError } from "#foundation/errors.ts";

const URL = "http://127.0.0.1:7368/mcp";

/** The entry of each client, or the key of its error. */
function entries(tokenEnv: string | undefined): Record<string, HttpEntry | string> {
  return Object.fromEntries(CLIENTS.map((client) => {
    try {
      return [client.id, httpEntry(client, URL, tokenEnv)];
    } catch (error) {
      return [client.id, error instanceof UserError ? error.key : (error as { key: string }).key];
    }
  }));
}

Deno.test("every client's entry of a server over HTTP", () => {
  deepEqual(entries(undefined), {
    "claude-desktop": "cli_setup_no_http",
    "claude-code": { type: "http", url: URL },
    "cursor": { url: URL },
    "vscode": { type: "http", url: URL },
    "windsurf": { serverUrl: URL },
    "cline": { type: "streamableHttp", url: URL },
    "zed": { url: URL },
    "codex": { url: URL },
  });
});

Deno.test("every client's entry names the variable with the token, and holds no token", () => {
  const bearer = (reference: string) => ({ Authorization: `Bearer ${reference}` });
  deepEqual(entries("MY_TOKEN"), {
    "claude-desktop": "cli_setup_no_http",
    "claude-code": { type: "http", url: URL, headers: bearer("${MY_TOKEN}") },
    "cursor": { url: URL, headers: bearer("${env:MY_TOKEN}") },
    "vscode": { type: "http", url: URL, headers: bearer("${env:MY_TOKEN}") },
    "windsurf": { serverUrl: URL, headers: bearer("${env:MY_TOKEN}") },
    "cline": "cli_setup_no_token_env",
    "zed": "cli_setup_no_token_env",
    "codex": { url: URL, bearer_token_env_var: "MY_TOKEN" },
  });
});

Deno.test("an address and a command replace each other, and the rest of the file stays", () => {
  const json = { path: "x", format: "jsonc", servers: "mcpServers", name: "rag" } as const;
  const text =
    '{\n  // mine\n  "mcpServers": {\n    "rag": { "command": "x", "args": [], "env": { "A": "1" } }\n  }\n}\n';
  const entry = { url: URL };
  const edited = withEntry(text, { ...json, entry });
  deepEqual([edited.state, edited.text.includes("// mine"), edited.text.includes("command")], [
    "other",
    true,
    false,
  ]);
  equal(withEntry(edited.text, { ...json, entry }).state, "same");
  const back = withEntry(edited.text, { ...json, entry: { command: "x", args: ["serve"] } });
  deepEqual([back.state, back.text.includes(URL)], ["other", false]);

  const toml = { path: "x", format: "toml", servers: "mcp_servers", name: "rag" } as const;
  const before = '# mine\n[mcp_servers.rag]\ncommand = "x"\nargs = []\n\n[other]\na = 1\n';
  const codex = { url: URL, "bearer_token_env_var": "T" };
  const after = withEntry(before, { ...toml, entry: codex }).text;
  equal(
    after,
    `# mine\n[mcp_servers.rag]\nurl = "${URL}"\nbearer_token_env_var = "T"\n\n[other]\na = 1\n`,
  );
  match(withEntry("a = 1\n", { ...toml, entry: codex }).text, /^a = 1\n\n\[mcp_servers\.rag\]\nurl = /);
});
