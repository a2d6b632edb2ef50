import { join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { buildTime } from "../compile/build_info.ts";
import { thirdPartyLicenses } from "../compile/licenses.ts";
import { run } from "../compile/run.ts";
import { executableName, modelsName, targetOf, TARGETS } from "../compile/targets.ts";
import type { ArchiveFile } from "./archive_file.ts";
import { productValues } from "./product.ts";
import { sbom, sbomPackages } from "./sbom.ts";
import { TEMPLATES } from "./texts.ts";
import type { Executable, Release } from "./types.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Returns the input of a release: the executables in the folder `from`, and the templates and licences of the project. */
export async function readRelease(from: string, repository?: string): Promise<Release> {
  const executables: Executable[] = [], executablesWithModels: Executable[] = [];
  for (const { os, arch } of TARGETS) {
    const path = join(from, executableName(project.version, { os, arch }));
    const content = await readIfThere(path);
    if (content !== undefined) executables.push({ os, arch, content });
    const withModels = await readIfThere(modelsName(path));
    if (withModels !== undefined) executablesWithModels.push({ os, arch, content: withModels });
  }
  const time = buildTime();
  return {
    values: productValues(project.version, repository),
    time,
    executables,
    executablesWithModels,
    licenses: await licenseFiles(),
    sbom: sbom({
      version: project.version,
      time,
      license: project.license,
      runtime: await runtimeIn(from),
      ...await sbomPackages(ROOT),
    }),
    templates: Object.fromEntries(
      await Promise.all(TEMPLATES.map(async (path) => [path, await Deno.readTextFile(join(ROOT, path))])),
    ),
  };
}

/** The versions of the runtime in the executable of this system; those of the runtime that bundles if there is none. */
async function runtimeIn(from: string): Promise<{ deno: string; v8: string }> {
  try {
    const { deno, v8 } = JSON.parse(
      await run(join(from, executableName(project.version, targetOf())), ["--version", "--json"]),
    );
    return { deno, v8 };
  } catch {
    return { deno: Deno.version.deno, v8: Deno.version.v8 };
  }
}

async function licenseFiles(): Promise<ArchiveFile[]> {
  const file = async (path: string) => ({ path, content: await Deno.readFile(join(ROOT, path)) });
  const others = new TextEncoder().encode(await thirdPartyLicenses(ROOT));
  return [await file("LICENSE"), await file("NOTICE"), { path: "THIRD_PARTY_LICENSES", content: others }];
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
