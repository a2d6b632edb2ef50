/**
 * The MCP clients that `setup` knows: their files on each system, whether they are installed,
 * and their entries for a server over HTTP.
 */
import { posix, win32 } from "node:path";
import { type Environment, fullPathIn, homeFolder } from "#foundation/configuration/mod.ts";
import type { OperatingSystem } from "#foundation/runtime.ts";
import type { CLIENT_IDS } from "../../options.ts";
import type { Format, HttpEntry } from "./server_entry.ts";
import { UsageError } from "#foundation/errors.ts";
import { exists, listNamed } from "#foundation/boundary/mod.ts";

/** A file in which a client looks for its servers. */
interface ClientFile {
  readonly path: string;
  /** Files and folders that only the client makes: if one exists, the client is installed. */
  readonly signs: readonly string[];
}

/** Facts that decide where a client keeps its files. */
export interface Machine {
  readonly os: OperatingSystem;
  readonly env: Environment;
  /** Names in `%LOCALAPPDATA%\Packages`, where Windows keeps the files of packaged programs. */
  readonly packages: readonly string[];
}

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
      const own = fullPathIn(machine.env, "CLINE_MCP_SETTINGS_PATH", machine.os);
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
      const own = fullPathIn(machine.env, "CODEX_HOME", machine.os);
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

/** The function that joins paths on the machine's system. */
function joiner({ os }: Pick<Machine, "os">): (...parts: string[]) => string {
  return os === "windows" ? win32.join : posix.join;
}

/**
 * The folder of the files of desktop programs: `%APPDATA%`, `~/Library/Application Support`, `$XDG_CONFIG_HOME`
 * (`~/.config`). Electron's programs know it as `appData` (`app.getPath`).
 */
function appDataFolder(machine: Machine): string | undefined {
  const join = joiner(machine);
  const home = homeFolder(machine.env, machine.os);
  const below = (...parts: string[]) => home === undefined ? undefined : join(home, ...parts);
  if (machine.os === "windows") {
    return fullPathIn(machine.env, "APPDATA", machine.os) ?? below("AppData", "Roaming");
  }
  if (machine.os === "darwin") return below("Library", "Application Support");
  return fullPathIn(machine.env, "XDG_CONFIG_HOME", machine.os) ?? below(".config");
}

/** The folder in which Windows keeps the files of packaged programs, one folder for each; `undefined` elsewhere. */
function packagesFolder(machine: Machine): string | undefined {
  if (machine.os !== "windows") return undefined;
  const home = homeFolder(machine.env, machine.os);
  const local = fullPathIn(machine.env, "LOCALAPPDATA", machine.os) ??
    (home === undefined ? undefined : win32.join(home, "AppData", "Local"));
  return local === undefined ? undefined : win32.join(local, "Packages");
}

/** A client's file on this machine. */
export interface FoundFile {
  readonly path: string;
  readonly exists: boolean;
  /** Whether the client seems to be installed. */
  readonly installed: boolean;
  /** Existing files of other installations of the client. */
  readonly others: readonly string[];
}

/** The machine that the program runs on. */
export async function thisMachine(env: Machine["env"]): Promise<Machine> {
  const machine: Machine = { os: Deno.build.os, env, packages: [] };
  const folder = packagesFolder(machine);
  if (folder === undefined) return machine;
  // A folder that cannot be listed holds no packages.
  return { ...machine, packages: await listNamed(folder).catch(() => []) };
}

/** The user's file of a client: the first with a sign of the client. Throws `UsageError` `cli_setup_no_home`. */
export async function userFile({ files, name }: Client, machine: Machine): Promise<FoundFile> {
  const all = files(machine);
  const installed: ClientFile[] = [];
  for (const file of all) {
    for (const sign of file.signs) {
      if (!(await exists(sign))) continue;
      installed.push(file);
      break;
    }
  }
  const file = installed[0] ?? all[0];
  if (file === undefined) throw new UsageError("cli_setup_no_home", { client: name });
  const others: string[] = [];
  for (const { path } of installed.slice(1)) if (await exists(path)) others.push(path);
  return { path: file.path, exists: await exists(file.path), installed: installed.length > 0, others };
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
