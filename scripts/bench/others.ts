import { join } from "node:path";
import { Program } from "./program.ts";
import { median } from "./samples.ts";

/** A server of others that can be started. */
export interface OtherServer {
  readonly name: string;
  readonly command: string;
  readonly args: string[];
  /** Variables of its environment. */
  readonly own: Record<string, string>;
  /** The tool that reads a file. */
  readonly read?: string;
}

const STARTS = 9;
/** Two of the servers need it. */
const NODE = "node@22";

/** Returns those servers whose packages are installed in `packages`. `served`: folder that they serve; `top`: their home. */
export async function otherServers(packages: string, served: string, top: string): Promise<OtherServer[]> {
  const npm = { "npm_config_cache": join(top, "npm") };
  const { success, stdout } = await new Deno.Command(Deno.build.os === "windows" ? "npx.cmd" : "npx", {
    args: ["-y", "--package", NODE, "--", "node", "-p", "process.execPath"],
    env: npm,
  }).output();
  if (!success) return [];
  const command = new TextDecoder().decode(stdout).trim();
  const all = [
    {
      name: "filesystem",
      file: "@modelcontextprotocol/server-filesystem/dist/index.js",
      args: [served],
      own: {},
      read: "read_text_file",
    },
    {
      name: "mcp-local-rag",
      file: "mcp-local-rag/dist/index.js",
      args: [],
      own: { BASE_DIR: served, HOME: top },
    },
    { name: "qmd", file: "@tobilu/qmd/dist/cli/qmd.js", args: ["mcp"], own: { HOME: top } },
  ];
  const servers: OtherServer[] = [];
  for (const { file, args, ...rest } of all) {
    const path = join(packages, "node_modules", file);
    if (!await Deno.stat(path).then(() => true, () => false)) continue;
    servers.push({ ...rest, command, args: [path, ...args], own: { ...npm, ...rest.own } });
  }
  return servers;
}

/** Returns the milliseconds from the start of each server to its first answer, and its memory then. */
export async function measureOtherStarts(
  packages: string,
  top: string,
): Promise<Map<string, Record<string, number>>> {
  await Deno.mkdir(top, { recursive: true });
  const figures = new Map<string, Record<string, number>>();
  for (const { name, command, args, own } of await otherServers(packages, top, top)) {
    const times: number[] = [], memories: number[] = [];
    for (let i = -1; i < STARTS; i++) {
      const start = () =>
        new Deno.Command(command, {
          args,
          env: own,
          cwd: top,
          stdin: "piped",
          stdout: "piped",
          stderr: "null",
        }).spawn();
      await using server = await Program.connected(start);
      if (i < 0) continue;
      times.push(server.initializeMs);
      memories.push(server.megabytes);
    }
    figures.set(name, { "initialize ms": median(times), "idle MB": median(memories) });
  }
  return figures;
}
