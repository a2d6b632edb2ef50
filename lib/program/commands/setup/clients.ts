/**
 * The MCP clients that `setup` knows: their files on each system, the entries that they take,
 * and how they take up a change. Read in their documentation and sources in November 2026.
 */
import { fullPathIn, homeFolder } from "#foundation/configuration/mod.ts";
import type { CLIENT_IDS } from "../../options.ts";
import {
  appDataFolder,
  type ClientFile,
  inDotFolder,
  inFolder,
  inHome,
  joiner,
  type Machine,
  packagesFolder,
} from "./client_files.ts";
import type { Format, HttpEntry, ServerEntry } from "./server_entry.ts";
import { UsageError } from "#foundation/errors.ts";

/** An MCP client that `setup` knows. */
export interface Client {
  readonly id: typeof CLIENT_IDS[number];
  /** The name of the product. */
  readonly name: string;
  readonly format: Format;
  /** The key of the object or table that holds the servers. */
  readonly servers: string;
  /** The transport, where the client's format requires it. */
  readonly type?: "stdio";
  /**
   * The user's files, the likeliest first. The first file with a sign of the client is the one in use. Empty when the
   * environment names no home folder.
   */
  readonly files: (machine: Machine) => readonly ClientFile[];
  /**
   * How the user adds an entry where no documentation names a file for it. `database`: the client has no such file at all, and the
   * path in `files` is its folder; `file`: only an existing file is edited. `link`: an address that makes the client add the entry.
   */
  readonly paste?: {
    readonly instead: "database" | "file";
    readonly link?: (name: string, entry: ServerEntry) => string;
  };
  /**
   * The way to make the client read its file again. `restart`: it is opened anew; `quit`: it stays in the tray when its window is closed; `session`: a program of the
   * terminal; `extension`: the window of the editor; `nothing`: it watches the file; `trust`: it asks before the first start.
   */
  readonly reads: "restart" | "quit" | "session" | "extension" | "nothing" | "trust";
  /** The name of the server, where the client advises against an underscore. */
  readonly serverName?: "muxue-rag";
  /** The file of a project, relative to the project's folder. */
  readonly project?: readonly string[];
  /** The client's own command that adds a server, up to the server's command; `env` holds `--env NAME=VALUE` pairs. */
  readonly ownCommand?: (name: string, env: readonly string[]) => readonly string[];
  /**
   * The entry for the address of a server; `undefined` if `tokenEnv` is given and the file cannot name a variable for the
   * token. Absent for a client whose file only takes commands.
   */
  readonly http?: (url: string, tokenEnv: string | undefined) => HttpEntry | undefined;
}

/** The clients, in the order of the list. Each entry cites its sources. */
export const CLIENTS: readonly Client[] = [
  {
    // https://modelcontextprotocol.io/docs/develop/connect-local-servers: file and format, on macOS and Windows, and that it has to be
    // quit. Linux has no page; builds for it use Electron's folder.
    id: "claude-desktop",
    name: "Claude Desktop",
    reads: "quit",
    format: "json",
    servers: "mcpServers",
    files: (machine) => [
      ...packagedClaude(machine),
      ...inFolder(machine, appDataFolder(machine), ["Claude"], "claude_desktop_config.json"),
    ],
  },
  {
    // https://code.claude.com/docs/en/mcp (scopes, `claude mcp add`, .mcp.json) and https://code.claude.com/docs/en/env-vars
    // (CLAUDE_CONFIG_DIR).
    id: "claude-code",
    name: "Claude Code",
    reads: "session",
    format: "json",
    servers: "mcpServers",
    type: "stdio",
    files: (machine) => {
      const join = joiner(machine);
      const own = fullPathIn(machine.env, "CLAUDE_CONFIG_DIR", machine.os);
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
    // https://cursor.com/docs/context/mcp: global and project file, format.
    id: "cursor",
    name: "Cursor",
    reads: "restart",
    format: "jsonc",
    servers: "mcpServers",
    files: (machine) => inDotFolder(machine, ".cursor", "mcp.json"),
    // The same page, "Config interpolation".
    http: (url, token) => withHeader({ url }, token && `\${env:${token}}`),
    project: [".cursor", "mcp.json"],
  },
  {
    // https://code.visualstudio.com/docs/agents/reference/mcp-configuration (mcp.json in the user profile and .vscode, `servers`,
    // `type`, `${env:NAME}`), /docs/agents/run/manage-mcp-servers (trust) and /docs/configure/settings (where the user profile is).
    id: "vscode",
    name: "VS Code",
    reads: "trust",
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
    // https://docs.windsurf.com/windsurf/cascade/mcp. It is called Devin Desktop by now, with the same file:
    // https://docs.devin.ai/desktop/cascade/mcp.
    id: "windsurf",
    name: "Windsurf",
    reads: "restart",
    format: "jsonc",
    servers: "mcpServers",
    // The same page, "Config interpolation".
    http: (serverUrl, token) => withHeader({ serverUrl }, token && `\${env:${token}}`),
    files: (machine) =>
      inFolder(machine, homeFolder(machine.env, machine.os), [".codeium", "windsurf"], "mcp_config.json"),
  },
  {
    // https://docs.cline.bot/getting-started/config (~/.cline, shared by the extension and the command line) and
    // https://docs.cline.bot/mcp/mcp-overview (format); the variables are in `sdk/packages/shared/src/storage/paths.ts` of
    // github.com/cline/cline. Older releases of the extension keep the file in VS Code's storage for it.
    id: "cline",
    name: "Cline",
    reads: "extension",
    format: "json",
    servers: "mcpServers",
    http: (url, token) => token === undefined ? { type: "streamableHttp", url } : undefined,
    files: (machine) => {
      const join = joiner(machine);
      const file = "cline_mcp_settings.json";
      const own = fullPathIn(machine.env, "CLINE_MCP_SETTINGS_PATH", machine.os);
      if (own !== undefined) return [{ path: own, signs: [join(own, "..")] }];
      const dotFolder = fullPathIn(machine.env, "CLINE_DIR", machine.os);
      const ownData = fullPathIn(machine.env, "CLINE_DATA_DIR", machine.os) ??
        (dotFolder === undefined ? undefined : join(dotFolder, "data"));
      if (ownData !== undefined) return inFolder(machine, ownData, ["settings"], file);
      const home = homeFolder(machine.env, machine.os);
      const shared = inFolder(machine, home, [".cline", "data", "settings"], file);
      const data = appDataFolder(machine);
      if (data === undefined) return shared;
      const storage = join(data, "Code", "User", "globalStorage", "saoudrizwan.claude-dev");
      return [...shared, { path: join(storage, "settings", file), signs: [storage] }];
    },
  },
  {
    // https://zed.dev/docs/ai/mcp (`context_servers`) and https://zed.dev/docs/configuring-zed (where settings.json is, and that it
    // takes comments). Zed for macOS uses ~/.config, not the system's folder.
    id: "zed",
    name: "Zed",
    reads: "nothing",
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
    // https://developers.openai.com/codex/mcp (tables, `codex mcp add`, the file of a trusted project) and
    // https://developers.openai.com/codex/config-advanced (CODEX_HOME).
    id: "codex",
    name: "Codex CLI",
    reads: "session",
    format: "toml",
    servers: "mcp_servers",
    files: (machine) => inDotFolder(machine, ".codex", "config.toml", "CODEX_HOME"),
    http: (url, token) => ({ url, ...(token !== undefined && { bearer_token_env_var: token }) }),
    project: [".codex", "config.toml"],
    ownCommand: (name, env) => ["codex", "mcp", "add", name, ...env, "--"],
  },
  {
    // https://github.com/google-gemini/gemini-cli: docs/tools/mcp-server.md (format, and that a name must not have underscores),
    // docs/reference/configuration.md (file, `${NAME}`), packages/core/src/utils/paths.ts (GEMINI_CLI_HOME instead of the home
    // folder). Other programs of Google also make ~/.gemini.
    id: "gemini-cli",
    name: "Gemini CLI",
    reads: "session",
    serverName: "muxue-rag",
    format: "jsonc",
    servers: "mcpServers",
    files: (machine) => {
      const join = joiner(machine);
      const home = fullPathIn(machine.env, "GEMINI_CLI_HOME", machine.os) ??
        homeFolder(machine.env, machine.os);
      if (home === undefined) return [];
      const at = (name: string) => join(home, ".gemini", name);
      const path = at("settings.json");
      return [{ path, signs: [path, at("installation_id"), at("oauth_creds.json")] }];
    },
    http: (httpUrl, token) => withHeader({ httpUrl }, token && `\${${token}}`),
    project: [".gemini", "settings.json"],
  },
  {
    // https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp (file, format, `httpUrl`) and /users/configuration/settings
    // (`${NAME}`, comments). QWEN_HOME: `getGlobalQwenDir()` of github.com/QwenLM/qwen-code.
    id: "qwen-code",
    name: "Qwen Code",
    reads: "session",
    format: "jsonc",
    servers: "mcpServers",
    files: (machine) => inDotFolder(machine, ".qwen", "settings.json", "QWEN_HOME"),
    http: (httpUrl, token) => withHeader({ httpUrl }, token && `\${${token}}`),
    project: [".qwen", "settings.json"],
  },
  {
    // https://moonshotai.github.io/kimi-code/en/customization/mcp (file, KIMI_CODE_HOME, `bearerTokenEnvVar`). Its predecessor:
    // https://moonshotai.github.io/kimi-cli/en/customization/mcp.html, and src/kimi_cli/share.py of github.com/MoonshotAI/kimi-cli.
    id: "kimi",
    name: "Kimi Code",
    reads: "session",
    format: "json",
    servers: "mcpServers",
    files: (machine) => [
      ...inDotFolder(machine, ".kimi-code", "mcp.json", "KIMI_CODE_HOME"),
      ...inDotFolder(machine, ".kimi", "mcp.json", "KIMI_SHARE_DIR"),
    ],
    http: (url, token) => ({ url, ...(token !== undefined && { bearerTokenEnvVar: token }) }),
    project: [".kimi-code", "mcp.json"],
  },
  {
    // https://docs.continue.dev/customize/deep-dives/mcp: JSON files of other clients in .continue/mcpServers, of a project there, of the
    // user by core/context/mcp/json/loadJsonMcpConfigs.ts of github.com/continuedev/continue; CONTINUE_GLOBAL_DIR: core/util/paths.ts.
    // A file of this kind leaves the user's config.yaml alone.
    id: "continue",
    name: "Continue",
    reads: "extension",
    format: "jsonc",
    servers: "mcpServers",
    files: (machine) =>
      inDotFolder(machine, ".continue", "config.yaml", "CONTINUE_GLOBAL_DIR").map(({ signs }) => ({
        path: joiner(machine)(...signs, "mcpServers", "mcp.json"),
        signs,
      })),
    http: (url, token) => token === undefined ? { type: "http", url } : undefined,
    project: [".continue", "mcpServers", "mcp.json"],
  },
  {
    // https://lmstudio.ai/docs/app/mcp ("Cursor's mcp.json notation"; ~/.lmstudio on every system). Older installations keep their
    // folder in ~/.cache (github.com/lmstudio-ai/lmstudio-bug-tracker, issue 1371).
    id: "lm-studio",
    name: "LM Studio",
    reads: "restart",
    format: "json",
    servers: "mcpServers",
    files: (machine) => {
      const home = homeFolder(machine.env, machine.os);
      return [[".lmstudio"], [".cache", "lm-studio"]].flatMap((folders) =>
        inFolder(machine, home, folders, "mcp.json")
      );
    },
    http: (url, token) => token === undefined ? { url } : undefined,
  },
  {
    // https://docs.cherry-ai.com (Settings, MCP Servers, Add, Import from JSON; ~/.cherrystudio); the link is in
    // src/main/services/urlschema/mcp-install.ts of github.com/CherryHQ/cherry-studio. The servers are in a database of its window.
    id: "cherry-studio",
    name: "Cherry Studio",
    reads: "nothing",
    format: "json",
    servers: "mcpServers",
    paste: {
      instead: "database",
      link: (name, entry) => {
        const bytes = new TextEncoder().encode(JSON.stringify({ mcpServers: { [name]: entry } }));
        return `cherrystudio://mcp/install?servers=${encodeURIComponent(bytes.toBase64())}`;
      },
    },
    files: (machine) => {
      const folder = appDataFolder(machine);
      const join = joiner(machine);
      if (folder === undefined) return [];
      const path = join(folder, "CherryStudio");
      return inHome(machine, (home) => ({ path, signs: [path, join(home, ".cherrystudio")] }));
    },
    http: (url, token) => token === undefined ? { type: "streamableHttp", url } : undefined,
  },
  {
    // https://docs.trae.ai/ide/model-context-protocol and https://docs.trae.cn/ide/model-context-protocol: the file of a project; the
    // user's is opened by "Raw Configuration (JSON)", and its place is not documented. It was found at this one
    // (github.com/pathintegral-institute/mcpm.sh, issue 92), so it is edited only where it exists.
    id: "trae",
    name: "Trae",
    reads: "restart",
    format: "json",
    servers: "mcpServers",
    paste: { instead: "file" },
    files: (machine) =>
      ["Trae", "Trae CN"].flatMap((product) =>
        inFolder(machine, appDataFolder(machine), [product, "User"], "mcp.json")
      ),
    http: (url, token) => token === undefined ? { url } : undefined,
    project: [".trae", "mcp.json"],
  },
];

/** The client with this id; `undefined` without one. */
export function clientNamed(id: string): Client | undefined {
  return CLIENTS.find((client) => client.id === id);
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

/** An entry whose requests carry a token. `reference`: how the client's files refer to the variable that holds it. */
function withHeader(entry: HttpEntry, reference: string | undefined): HttpEntry {
  if (reference === undefined) return entry;
  return { ...entry, headers: { Authorization: `Bearer ${reference}` } };
}

/**
 * The entry by which `client` connects to a server over HTTP. `tokenEnv`: the environment variable of the client that holds the
 * token; the entry names it, and the file holds no token. Throws `UsageError` for an address that is none, and for a client
 * whose file cannot say that.
 */
export function httpEntry(client: Client, url: string, tokenEnv: string | undefined): HttpEntry {
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if (!/^https?:$/.test(protocol) || username || password) throw new UsageError("cli_setup_bad_url", { url });
  if (tokenEnv !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(tokenEnv)) {
    throw new UsageError("cli_setup_bad_variable", { name: tokenEnv });
  }
  if (client.http === undefined) {
    throw new UsageError("cli_setup_no_http", { client: client.name, clients: namesOf(({ http }) => http) });
  }
  const entry = client.http(url, tokenEnv);
  if (entry === undefined) {
    const clients = namesOf(({ http }) => http?.(url, tokenEnv));
    throw new UsageError("cli_setup_no_token_env", { client: client.name, clients });
  }
  return entry;
}

/** The ids of the clients for which `can` returns something. */
function namesOf(can: (client: Client) => unknown): string {
  return CLIENTS.filter((client) => can(client) !== undefined).map(({ id }) => id).join(", ");
}
