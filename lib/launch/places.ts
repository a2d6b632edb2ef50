import { resolve } from "node:path";
import type { Io, Preparation } from "../cli/mod.ts";
import { type Config, registryDir } from "../config/mod.ts";
import { PROGRAM_FILES } from "../program_root.ts";
import type { RunPlaces } from "../sandbox/mod.ts";

/** The places of a run. */
export function placesOf(preparation: Preparation, { cwd, tempDir }: Pick<Io, "cwd" | "tempDir">): RunPlaces {
  const { configuration: { config }, compared, roots, stateDir } = preparation;
  const configs = [config, ...Object.values(compared).map(({ config }) => config)];
  return {
    roots,
    registry: registryDir(stateDir),
    logDir: config.log.dir,
    servers: [...new Set(configs.flatMap(({ embedding }) => serverOf(embedding) ?? []))],
    named: namedBy(preparation, cwd),
    tempDir,
    program: [PROGRAM_FILES],
  };
}

/** Full paths of what the command line names beside folders. */
function namedBy({ task: { command, operands }, backup }: Preparation, cwd: string): string[] {
  switch (command) {
    case "backup":
      return backup === undefined ? [] : [backup.path, backup.temporary, backup.folder ?? []].flat();
    case "eval":
    case "extract":
    case "restore":
      return operands.map((path) => resolve(cwd, path));
    default:
      return [];
  }
}

/** `host:port` of the server that makes vectors. */
function serverOf({ provider, base_url: baseUrl }: Config["embedding"]): string | undefined {
  if (provider === "builtin" || provider === "none" || baseUrl === null) return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
