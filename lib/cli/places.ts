import { join } from "node:path";
import { type Config, registryDir } from "../config/mod.ts";
import { OCR_FOLDER } from "../own_names.ts";
import { PROGRAM_FILES } from "../program_root.ts";
import type { RunPlaces } from "../sandbox/mod.ts";
import type { Io } from "./io.ts";
import { listenAddress } from "./http_plan.ts";
import type { Request } from "./request.ts";

/** The places that the permissions of a request's worker may name. */
export function placesOf(request: Request, { tempDir }: Pick<Io, "tempDir">): RunPlaces {
  const { config, compared, roots, indexDirs, stateDir, modelsDir, downloads, named, http } = request;
  const configurations = [config, ...Object.values(compared)];
  return {
    roots,
    indexDirs,
    registry: registryDir(stateDir),
    logDir: config.log.dir,
    servers: distinct(configurations.map(({ embedding }) => hostOf(embedding))),
    rerankers: distinct(
      configurations.map(({ search, rerank }) => search.rerank ? hostOf(rerank) : undefined),
    ),
    models: modelsDir,
    ...(config.files.ocr === "off" || modelsDir === null ? {} : { recognition: join(modelsDir, OCR_FOLDER) }),
    downloads: downloads?.hosts ?? [],
    ...(http !== undefined && { listen: listenAddress(http) }),
    named,
    tempDir,
    program: [PROGRAM_FILES],
  };
}

/** `host:port` of the server that a section of a configuration uses; `undefined` without one. */
export function hostOf(
  { provider, base_url: baseUrl }: Pick<Config["embedding"] | Config["rerank"], "provider" | "base_url">,
): string | undefined {
  if (!WITH_SERVER.includes(provider) || baseUrl === null) return undefined;
  const { hostname, port, protocol } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Values of `embedding.provider` and `rerank.provider` that name a server. */
const WITH_SERVER: readonly string[] = ["openai-compatible", "azure", "llm", "remote"];

function distinct(hosts: readonly (string | undefined)[]): string[] {
  return [...new Set(hosts)].filter((host) => host !== undefined);
}
