// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a release from the executables that `deno task compile` has made: archives, MCP bundles, npm packages, install
 * scripts, and the files for Homebrew, Scoop, winget, Docker and the MCP registry.
 *
 * `deno task bundle [--repository OWNER/NAME] [--from DIR] [--out DIR]`
 *
 * The default of `--from` is `dist/bin`, that of `--out` is `dist/release`. The contents of the output folder are removed
 * first. `SOURCE_DATE_EPOCH` sets the time of the files.
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import project from "../deno.json" with { type: "json" };
import type { ArchiveFile } from "./bundle/archive_file.ts";
import { NO_REPOSITORY, productValues } from "./bundle/product.ts";
import { makeRelease } from "./bundle/release.ts";
import { TEMPLATES } from "./bundle/texts.ts";
import type { Executable } from "./bundle/types.ts";
import { buildTime } from "./compile/build_info.ts";
import { thirdPartyLicenses } from "./compile/licenses.ts";
import { executableName, modelsName, TARGETS } from "./compile/targets.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    repository: { type: "string" },
    from: { type: "string", default: join(ROOT, "dist/bin") },
    out: { type: "string", default: join(ROOT, "dist/release") },
  },
});
const from = resolve(options.from);
const out = resolve(options.out);

const executables: Executable[] = [], executablesWithModels: Executable[] = [];
for (const { os, arch } of TARGETS) {
  const path = join(from, executableName(project.version, { os, arch }));
  const content = await readIfThere(path);
  if (content !== undefined) executables.push({ os, arch, content });
  const withModels = await readIfThere(modelsName(path));
  if (withModels !== undefined) executablesWithModels.push({ os, arch, content: withModels });
}
if (executables.length === 0) {
  console.error(
    `No executable of version ${project.version} in ${from}. Run deno task compile first, without --out`,
  );
  Deno.exit(1);
}

const values = productValues(project.version, options.repository);
await Deno.remove(out, { recursive: true }).catch((error) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
});
const leftOut = await makeRelease({
  values,
  time: buildTime(),
  executables,
  executablesWithModels,
  licenses: await licenseFiles(),
  templates: Object.fromEntries(
    await Promise.all(TEMPLATES.map(async (path) => [path, await Deno.readTextFile(join(ROOT, path))])),
  ),
}, async ({ path, content }) => {
  const file = join(out, path);
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeFile(file, content);
  console.log(
    `${file}  ${content.length < 1e5 ? `${content.length} B` : `${(content.length / 1e6).toFixed(1)} MB`}`,
  );
});
for (const { path, missing } of leftOut) console.log(`Left out ${path}: it needs ${missing}`);
if (values["repository"] === NO_REPOSITORY) {
  console.log(
    `Do not publish this release: its addresses name ${NO_REPOSITORY}. Run again with --repository OWNER/NAME.`,
  );
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
