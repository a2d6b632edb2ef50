/**
 * The official schemas of the files for package managers and registries. They are not part of this repository: they are fetched, or read
 * from a folder, and compared with the checksums below.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { addFormats, Ajv } from "@modelcontextprotocol/client/validators/ajv";
import { Impossible } from "./report.ts";

/** A schema of a project on GitHub, at a commit. */
interface Source {
  readonly url: string;
  readonly sha256: string;
}

const raw = (path: string, sha256: string): Source => ({
  url: `https://raw.githubusercontent.com/${path}`,
  sha256,
});
const winget = (kind: string, sha256: string) =>
  raw(
    "microsoft/winget-cli/fa3d9e511d1bd9bed2f1b72e9f0fa25323e7f3eb/schemas/JSON/manifests/v1.10.0/" +
      `manifest.${kind}.1.10.0.json`,
    sha256,
  );
const cyclonedx = (name: string, sha256: string) =>
  raw(`CycloneDX/specification/e02a34ae42a48239f54e04f75280b9000b29f1fb/schema/${name}.schema.json`, sha256);

/** The schemas by their file names in a folder of schemas. */
const SOURCES = {
  "winget-version.json": winget(
    "version",
    "330a3ece4ed602afb0c4f35290d14dec1e188e7b3c2fb330893ac3daac82b547",
  ),
  "winget-installer.json": winget(
    "installer",
    "cca7bea1fbdaa18a3d5231de7f9f896b1dd41283c33a03a0565771861d393b31",
  ),
  "winget-defaultLocale.json": winget(
    "defaultLocale",
    "77e406d25b35f908f70fb893335155e9e8a83aa59a6f3e9f959692e995e51e3c",
  ),
  "winget-locale.json": winget("locale", "2e75fe85191cbadd6ea013a4d3f052fc9fc26f5181b228e0dd42c4394c6d47d7"),
  "scoop.json": raw(
    "ScoopInstaller/Scoop/b588a06e41d920d2123ec70aee682bae14935939/schema.json",
    "6c15a47b09dba92bcdee8b0dadbe2776339c699e3bf4db0eff0ef0a000f2496c",
  ),
  "server.json": raw(
    "modelcontextprotocol/static/a9ba437d9fbbe92076a24b20d56449ac7c7786ac/schemas/2025-12-11/server.schema.json",
    "3fba09590c99f61735d234822279f4223fab9e300c0a81e81c91ab62a4114de0",
  ),
  "bom-1.6.schema.json": cyclonedx(
    "bom-1.6",
    "18f57f7482593bad9f21b4feed09084640cbeff419d62ad5090c5ceccca5b37d",
  ),
  "spdx.schema.json": cyclonedx("spdx", "ea6e844ee6fba1e93473d94834d0ee0996970533497935f932f73d488ffdf4a3"),
  "jsf-0.82.schema.json": cyclonedx(
    "jsf-0.82",
    "8bae002c25e723db7ee1f26afde680ae1a2b1a8f6b4b4b0fd65dc3becb090aae",
  ),
} as const satisfies Readonly<Record<string, Source>>;

export type SchemaName = keyof typeof SOURCES;

/** Schemas that another one refers to. */
const NEEDED: Partial<Record<SchemaName, readonly SchemaName[]>> = {
  "bom-1.6.schema.json": ["spdx.schema.json", "jsf-0.82.schema.json"],
};

/**
 * Returns a function that checks a value by a schema, and throws an error with all problems. `folder`: that of the schemas; without one
 * they are fetched. Throws {@linkcode Impossible} if a schema cannot be had.
 */
export async function schemaOf(
  name: SchemaName,
  folder: string | undefined,
): Promise<(value: unknown) => void> {
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false });
  addFormats(ajv);
  for (const needed of NEEDED[name] ?? []) ajv.addSchema(JSON.parse(await textOf(needed, folder)));
  const validate = ajv.compile(JSON.parse(await textOf(name, folder)));
  return (value) => {
    if (!validate(value)) throw new Error(ajv.errorsText(validate.errors));
  };
}

async function textOf(name: SchemaName, folder: string | undefined): Promise<string> {
  const { url, sha256 } = SOURCES[name];
  const bytes = folder === undefined
    ? await fetched(url)
    : await Deno.readFile(join(folder, name)).catch(() => {
      throw new Impossible(`no ${name} in ${folder}`);
    });
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`${name}: expected SHA-256 ${sha256}, found ${found}`);
  return new TextDecoder().decode(bytes);
}

async function fetched(url: string): Promise<Uint8Array> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.bytes();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { host } = new URL(url);
    throw new Impossible(
      `the schema cannot be fetched from ${host} (${reason.slice(0, 60)}); name a folder with --schemas`,
    );
  }
}
