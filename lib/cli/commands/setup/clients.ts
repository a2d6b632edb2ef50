import { homeFolder } from "../../../config/mod.ts";
import type { Client, ClientFile, ClientId, HttpEntry, Machine } from "./types.ts";
import { appDataFolder, folderIn, joiner, packagesFolder } from "./user_folders.ts";

/** The clients, in the order of the list. Each entry cites its sources. */
export const CLIENTS: readonly Client[] = [
  {
    // modelcontextprotocol.io, "Connect to local MCP servers": file and format, on macOS and Windows. Linux has no
    // page; builds for it use Electron's folder.
    id: "claude-desktop",
    name: "Claude Desktop",
    format: "json",
    servers: "mcpServers",
    files: (machine) => [
      ...packagedClaude(machine),
      ...inFolder(machine, appDataFolder(machine), ["Claude"], "claude_desktop_config.json"),
    ],
  },
  {
    // code.claude.com/docs, "Connect Claude Code to tools via MCP" (scopes, `claude mcp add`, .mcp.json) and
    // "Environment variables" (CLAUDE_CONFIG_DIR).
    id: "claude-code",
    name: "Claude Code",
    format: "json",
    servers: "mcpServers",
    type: "stdio",
    files: (machine) => {
      const join = joiner(machine);
      const own = folderIn(machine, "CLAUDE_CONFIG_DIR");
      if (own !== undefined) return [{ path: join(own, ".claude.json"), signs: [own] }];
      return inHome(machine, (home) => {
        const path = join(home, ".claude.json");
        return { path, signs: [path, join(home, ".claude")] };
      });
    },
    http: (url, token) => withHeader({ type: "http", url }, token && `\${${token}}`),
    project: [".mcp.json"],
    ownCommand: (name, env) => ["claude", "mcp", "add", name, "--scope", "user", ...env, "--"],
  },
  {
    // cursor.com/docs, "Model Context Protocol (MCP)": global and project file, format.
    id: "cursor",
    name: "Cursor",
    format: "jsonc",
    servers: "mcpServers",
    files: (machine) => inFolder(machine, homeFolder(machine.env, machine.os), [".cursor"], "mcp.json"),
    // The same page, "Config interpolation".
    http: (url, token) => withHeader({ url }, token && `\${env:${token}}`),
    project: [".cursor", "mcp.json"],
  },
  {
    // code.visualstudio.com/docs, "MCP configuration reference" (mcp.json in the user profile and .vscode, `servers`,
    // `type`) and "User and workspace settings" (where the user profile is).
    id: "vscode",
    name: "VS Code",
    format: "jsonc",
    servers: "servers",
    type: "stdio",
    files: (machine) =>
      ["Code", "Code - Insiders"].flatMap((product) =>
        inFolder(machine, appDataFolder(machine), [product, "User"], "mcp.json")
      ),
    http: (url, token) => withHeader({ type: "http", url }, token && `\${env:${token}}`),
    project: [".vscode", "mcp.json"],
  },
  {
    // docs.windsurf.com, "Cascade: Model Context Protocol (MCP)".
    id: "windsurf",
    name: "Windsurf",
    format: "jsonc",
    servers: "mcpServers",
    // The same page, "Config interpolation".
    http: (serverUrl, token) => withHeader({ serverUrl }, token && `\${env:${token}}`),
    files: (machine) =>
      inFolder(machine, homeFolder(machine.env, machine.os), [".codeium", "windsurf"], "mcp_config.json"),
  },
  {
    // docs.cline.bot, "CLI configuration" (~/.cline, shared by the extension and the command line,
    // CLINE_MCP_SETTINGS_PATH) and "Configuring MCP servers" (format). Older releases of the extension keep the file in
    // VS Code's storage for it.
    id: "cline",
    name: "Cline",
    format: "json",
    servers: "mcpServers",
    http: (url, token) => token === undefined ? { type: "streamableHttp", url } : undefined,
    files: (machine) => {
      const join = joiner(machine);
      const file = "cline_mcp_settings.json";
      const own = folderIn(machine, "CLINE_MCP_SETTINGS_PATH");
      if (own !== undefined) return [{ path: own, signs: [join(own, "..")] }];
      const shared = inHome(machine, (home) => {
        const folder = join(home, ".cline", "data", "settings");
        return { path: join(folder, file), signs: [folder] };
      });
      const data = appDataFolder(machine);
      if (data === undefined) return shared;
      const storage = join(data, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
      return [...shared, { path: join(storage, "settings", file), signs: [storage] }];
    },
  },
  {
    // zed.dev/docs, "Model Context Protocol" (`context_servers`) and "Configuring Zed" (where settings.json is, and that
    // it takes comments). Zed for macOS uses ~/.config, not the system's folder.
    id: "zed",
    name: "Zed",
    format: "jsonc",
    servers: "context_servers",
    http: (url, token) => token === undefined ? { url } : undefined,
    files: (machine) =>
      machine.os === "windows"
        ? inFolder(machine, appDataFolder(machine), ["Zed"], "settings.json")
        : machine.os === "darwin"
        ? inFolder(machine, homeFolder(machine.env, machine.os), [".config", "zed"], "settings.json")
        : inFolder(machine, appDataFolder(machine), ["zed"], "settings.json"),
  },
  {
    // developers.openai.com/codex, "Model Context Protocol" (tables, `codex mcp add`, the file of a trusted project) and
    // "Advanced configuration" (CODEX_HOME).
    id: "codex",
    name: "Codex CLI",
    format: "toml",
    servers: "mcp_servers",
    files: (machine) => {
      const own = folderIn(machine, "CODEX_HOME");
      return own === undefined
        ? inFolder(machine, homeFolder(machine.env, machine.os), [".codex"], "config.toml")
        : inFolder(machine, own, [], "config.toml");
    },
    http: (url, token) => ({ url, ...(token !== undefined && { bearer_token_env_var: token }) }),
    project: [".codex", "config.toml"],
    ownCommand: (name, env) => ["codex", "mcp", "add", name, ...env, "--"],
  },
];

/** The client with this id; `undefined` without one. */
export function clientNamed(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id as ClientId);
}

/**
 * Claude Desktop for Windows is a package. The folder that it reads as `%APPDATA%\Claude` lies inside the package's folder
 * (github.com/anthropics/claude-code, issue 26073). The package's name ends with an id of its publisher.
 */
function packagedClaude(machine: Machine): ClientFile[] {
  const join = joiner(machine);
  const packages = packagesFolder(machine);
  if (packages === undefined) return [];
  return machine.packages.filter((name) => name.startsWith("Claude_")).map((name) => {
    const folder = join(packages, name, "LocalCache", "Roaming", "Claude");
    return { path: join(folder, "claude_desktop_config.json"), signs: [folder] };
  });
}

/** A file in a folder that only the client makes. */
function inFolder(machine: Machine, base: string | undefined, folders: string[], file: string): ClientFile[] {
  if (base === undefined) return [];
  const join = joiner(machine);
  const folder = join(base, ...folders);
  return [{ path: join(folder, file), signs: [folder] }];
}

function inHome(machine: Machine, file: (home: string) => ClientFile): ClientFile[] {
  const home = homeFolder(machine.env, machine.os);
  return home === undefined ? [] : [file(home)];
}

/** An entry whose requests carry a token. `reference`: how the client's files refer to the variable that holds it. */
function withHeader(entry: HttpEntry, reference: string | undefined): HttpEntry {
  if (reference === undefined) return entry;
  return { ...entry, headers: { Authorization: `Bearer ${reference}` } };
}
