import { type Config, registryDir } from "../config/mod.ts";
import { PROGRAM_FILES } from "../program_root.ts";
import type { RunPlaces } from "../sandbox/mod.ts";
import type { Io } from "./io.ts";
import type { Request } from "./request.ts";

/** The places that the permissions of a request's worker may name. */
export function placesOf(request: Request, { tempDir }: Pick<Io, "tempDir">): RunPlaces {
  const { config, compared, roots, indexDirs, stateDir, modelsDir, downloads, named } = request;
  return {
    roots,
    indexDirs,
    registry: registryDir(stateDir),
    logDir: config.log.dir,
    servers: [
      ...new Set([config, ...Object.values(compared)].flatMap(({ embedding }) => serverOf(embedding) ?? [])),
    ],
    models: modelsDir,
    downloads: downloads?.hosts ?? [],
    named,
    tempDir,
    program: [PROGRAM_FILES],
  };
}

/** `host:port` of the embedding server; `undefined` without one. */
function serverOf({ provider, base_url: baseUrl }: Config["embedding"]): string | undefined {
  if (provider === "builtin" || provider === "local" || provider === "none" || baseUrl === null) {
    return undefined;
  }
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
