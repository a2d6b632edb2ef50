/**
 * Checks the files of a release: that versions, checksums and programs agree everywhere, that the manifests follow the official schemas,
 * and that the licences of all parts are there. Nothing is changed.
 */
import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { parse } from "yaml";
import PARTS from "../../packaging/parts.json" with { type: "json" };
import { NODE_PLATFORM, programFile } from "../bundle/systems.ts";
import { texts } from "../bundle/texts.ts";
import type { Executable, Release } from "../bundle/types.ts";
import { TARGETS } from "../compile/targets.ts";
import { type Entry, readAr, readTarGz, readZip } from "./read_archives.ts";
import { type Report, same } from "./report.ts";
import { type SchemaName, schemaOf } from "./schemas.ts";

/** A release that was made, and the input that it was made from. */
export interface MadeRelease {
  readonly folder: string;
  readonly release: Release;
  /** Folder of the official schemas; without one they are fetched. */
  readonly schemas?: string | undefined;
  /** Why there is no executable for a system, by its short name. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Adds a row for everything that was checked. */
export async function checkRelease(made: MadeRelease, report: Report): Promise<void> {
  const { release } = made;
  for (const { os, arch } of TARGETS) {
    const system = `${os}-${arch}`;
    if (release.executables.some((executable) => executable.os === os && executable.arch === arch)) {
      await checkSystem(made, { os, arch }, report);
    } else {
      report.add(system, "executable", "missing", made.reasons?.[system] ?? "no executable was made");
    }
  }
  if (!release.executables.some(({ os }) => os === "macos")) {
    report.add("macos.mcpb", "universal executable", "missing", "no executable for macOS");
  }
  await report.try("SHA256SUMS", "checksums of all downloads", () => checkSums(made));
  await report.try("npm main package", "versions", () => checkMainPackage(made));
  await checkTexts(made, report);
  await report.try(
    "links.md",
    "links decoded",
    async () => checkLinks(await textIn(made, "links.md"), release),
  );
  await checkSbom(made, report);
  await report.try("licences", "of every part", () => checkLicenses(release));
}

const version = ({ release }: MadeRelease) => release.values["version"]!;

async function bytesOf({ folder }: MadeRelease, path: string): Promise<Uint8Array> {
  return await Deno.readFile(join(folder, path));
}

async function textIn(made: MadeRelease, path: string): Promise<string> {
  return new TextDecoder().decode(await bytesOf(made, path));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Checks the archives and packages of a system: each holds the program, the same everywhere, and the licences. */
async function checkSystem(made: MadeRelease, { os, arch }: Pick<Executable, "os" | "arch">, report: Report) {
  const { release } = made;
  const { content } = release.executables.find((each) => each.os === os && each.arch === arch)!;
  const program = sha256(content), file = programFile(os), number = version(made), system = `${os}-${arch}`;
  const holds = (entries: readonly Entry[], place: string, licenses: (path: string) => string) => {
    const found = entries.find(({ path }) => path === `${place}*`);
    if (found === undefined) throw new Error(`no executable ${place}`);
    same(sha256(Buffer.from(found.text, "latin1")), program, `SHA-256 of ${place}`);
    for (const { path, content } of release.licenses) {
      const entry = entries.find((entry) => entry.path === licenses(path));
      if (entry === undefined) throw new Error(`no ${licenses(path)}`);
      same(entry.text === Buffer.from(content).toString("latin1"), true, `${path} is that of the release`);
    }
    return `${(content.length / 1e6).toFixed(1)} MB, SHA-256 ${program.slice(0, 12)}…, with licences`;
  };
  const archive = `muxue_rag-${number}-${system}${os === "windows" ? ".zip" : ".tar.gz"}`;
  await report.try(archive, "program and licences", async () => {
    const bytes = await bytesOf(made, archive);
    return holds(os === "windows" ? readZip(bytes) : readTarGz(bytes), file, (path) => path);
  });
  if (os !== "macos") {
    const bundle = `muxue_rag-${number}-${system}.mcpb`;
    await report.try(bundle, "program, licences, version", async () => {
      const entries = readZip(await bytesOf(made, bundle));
      const manifest = entries.find(({ path }) => path === "manifest.json");
      same(JSON.parse(manifest?.text ?? "{}").version, number, "version");
      return holds(entries, `server/${file}`, (path) => path);
    });
  }
  const npm = npmPath(made, { os, arch });
  await report.try(npm, "program, licences, version, system", async () => {
    const entries = readTarGz(await bytesOf(made, npm));
    const manifest = JSON.parse(entries.find(({ path }) => path === "package/package.json")?.text ?? "{}");
    same([manifest.version, manifest.cpu], [number, [arch]], "version and cpu");
    return holds(entries, `package/bin/${file}`, (path) => `package/${path}`);
  });
  if (os === "linux") await checkDebian(made, { arch, program }, report);
}

function npmPath({ release }: MadeRelease, { os, arch }: Pick<Executable, "os" | "arch">): string {
  const { npm_package: name, version } = release.values;
  return `npm/${name}-${NODE_PLATFORM[os]}-${arch}-${version}.tgz`;
}

async function checkDebian(
  made: MadeRelease,
  { arch, program }: { readonly arch: Executable["arch"]; readonly program: string },
  report: Report,
): Promise<void> {
  const { debian_package: name } = made.release.values;
  const path = `${name}_${version(made)}_${arch === "x64" ? "amd64" : "arm64"}.deb`;
  await report.try(path, "program, version, checksums inside", async () => {
    const members = readAr(await bytesOf(made, path));
    same([...members.keys()], ["debian-binary", "control.tar.gz", "data.tar.gz"], "members");
    const about = readTarGz(members.get("control.tar.gz")!);
    const files = readTarGz(members.get("data.tar.gz")!);
    const control = about.find(({ path }) => path === "./control")!.text;
    same(/^Version: (.*)$/m.exec(control)?.[1], version(made), "Version");
    const sums = about.find(({ path }) => path === "./md5sums")!.text.trim().split("\n");
    for (const line of sums) {
      const [sum, path] = line.split("  ");
      const found = files.find((file) => file.path.replace("*", "") === `./${path}`);
      const bytes = Buffer.from(found?.text ?? "", "latin1");
      same(createHash("md5").update(bytes).digest("hex"), sum, `MD5 of ${path}`);
    }
    const executable = files.find(({ path }) => path === "./usr/bin/muxue_rag*");
    same(sha256(Buffer.from(executable?.text ?? "", "latin1")), program, "SHA-256 of the program");
    return `${sums.length} files`;
  });
}

/** Compares every file in the top folder with `SHA256SUMS`. */
async function checkSums(made: MadeRelease): Promise<string> {
  const lines = (await textIn(made, "SHA256SUMS")).trim().split("\n");
  const listed = new Map(lines.map((line) => line.split("  ").toReversed() as [string, string]));
  for (const [name, sum] of listed) same(sha256(await bytesOf(made, name)), sum, name);
  const there = (await Array.fromAsync(Deno.readDir(made.folder))).filter(({ isFile }) => isFile)
    .map(({ name }) => name).filter((name) =>
      !/^(?:SHA256SUMS(?:\.minisig)?|server\.json|links\.md)$/.test(name)
    );
  same(there.sort(), [...listed.keys()].sort(), "files");
  return `${listed.size} files`;
}

async function checkMainPackage(made: MadeRelease): Promise<string> {
  const { npm_package: name } = made.release.values;
  const entries = readTarGz(await bytesOf(made, `npm/${name}-${version(made)}.tgz`));
  const manifest = JSON.parse(entries.find(({ path }) => path === "package/package.json")!.text);
  const optional = Object.values(manifest.optionalDependencies);
  same([manifest.version, ...optional], Array(optional.length + 1).fill(version(made)), "versions");
  same(manifest.scripts, undefined, "scripts that run at installation");
  return `${optional.length} package(s) for systems`;
}

/** How a manifest is read, the official schema that it must follow, and its versions. */
interface Manifest {
  readonly path: RegExp;
  readonly schema?: SchemaName;
  readonly read: (text: string) => unknown;
  readonly versions: RegExp;
}

const JSON_VERSION = /"version": "([^"]*)"/g;
const WINGET_VERSION = /^PackageVersion: "(.*)"/gm;
const winget = (path: RegExp, kind: string): Manifest => ({
  path,
  schema: `winget-${kind}.json` as SchemaName,
  read: parse,
  versions: WINGET_VERSION,
});
const MANIFESTS: readonly Manifest[] = [
  { path: /^server\.json$/, schema: "server.json", read: JSON.parse, versions: JSON_VERSION },
  { path: /^scoop\//, schema: "scoop.json", read: JSON.parse, versions: JSON_VERSION },
  winget(/^winget\/.*\.installer\.yaml$/, "installer"),
  winget(/^winget\/.*\.locale\.en-US\.yaml$/, "defaultLocale"),
  winget(/^winget\/.*\.locale\.zh-CN\.yaml$/, "locale"),
  winget(/^winget\//, "version"),
  { path: /^homebrew\//, read: String, versions: /^ {2}version "(.*)"$/gm },
  { path: /^docker\//, read: String, versions: /image\.version="([^"]*)"/g },
];

/** Any version in an address or a file name of a release. */
const ADDRESSES = /releases\/download\/v([^/"$]+)\/|muxue_rag-(\d[^/"$]*?)-(?:linux|macos|windows)/g;

/**
 * Checks the texts for package managers and registries: that each is the one that follows from the checksums of the files, names the one
 * version, and follows the official schema. For a text that names a missing file, repeated digits stand for its checksum during this
 * check, and the row says so; such a text is not written.
 */
async function checkTexts(made: MadeRelease, report: Report): Promise<void> {
  const sums = await shortSums(made);
  const names = [...TARGETS.map(({ os, arch }) => `${os}-${arch}`)];
  const bundles = [...names.filter((name) => !name.startsWith("macos")), "macos"].map((name) =>
    `${name}.mcpb`
  );
  const lacking = [...names, ...bundles].filter((name) => sums[name] === undefined);
  // Each has another digit, so that a text shows which of them it names.
  const standIns = Object.fromEntries(lacking.map((name, at) => [name, at.toString(16).repeat(64)]));
  const written = new Set(
    [...texts(made.release, sums)].flatMap((text) => "missing" in text ? [] : [text.path]),
  );
  for (const text of texts(made.release, { ...sums, ...standIns })) {
    const manifest = MANIFESTS.find(({ path }) => path.test(text.path));
    if ("missing" in text) continue;
    const isMade = written.has(text.path);
    const without = lacking.filter((name) => text.text.toLowerCase().includes(standIns[name]!));
    const remark = isMade ? "" : `; not written, as it lacks the checksum of ${without.join(", ")}`;
    await report.try(text.path, "version and checksums", async () => {
      if (isMade) {
        same(await textIn(made, text.path) === text.text, true, "it has the checksums of the files");
      }
      if (manifest === undefined) return `made of this release${remark}`;
      const found = [
        ...text.text.matchAll(manifest.versions).map(([, found]) => found),
        ...text.text.matchAll(ADDRESSES).map(([, a, b]) => a ?? b),
      ];
      const other = found.find((each) => each !== version(made));
      if (other !== undefined || found.length === 0) {
        throw new Error(`names version ${other}, not ${version(made)}`);
      }
      return `${found.length} times ${version(made)}${remark}`;
    });
    const { schema } = manifest ?? {};
    if (manifest === undefined || schema === undefined) continue;
    await report.try(text.path, "official schema", async () => {
      (await schemaOf(schema, made.schemas))(manifest.read(text.text));
      return `follows ${schema}${remark}`;
    });
  }
}

/** The checksums by the short names of templates. */
async function shortSums(made: MadeRelease): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  const file = new RegExp(
    `^(\\w{64}) {2}muxue_rag-${
      RegExp.escape(version(made))
    }-((?:linux|macos|windows)(?:-\\w+?)?)\\.(tar\\.gz|zip|mcpb)$`,
  );
  for (const line of (await textIn(made, "SHA256SUMS")).trim().split("\n")) {
    const [, sum, system, kind] = file.exec(line) ?? [];
    if (sum !== undefined) sums[kind === "mcpb" ? `${system}.mcpb` : system!] = sum;
  }
  return sums;
}

/** Decodes the links that install the server in editors, and checks what they start. */
export function checkLinks(text: string, { values }: Pick<Release, "values">): string {
  const links = [...new Set([...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, link]) => new URL(link!)))];
  for (const { host, searchParams } of links) {
    same(searchParams.get("name"), values["name"], `name in the link of ${host}`);
    const text = searchParams.get("config") ?? "";
    const config = JSON.parse(host === "cursor.com" ? Buffer.from(text, "base64").toString() : text);
    same(config.command, "npx", `command in the link of ${host}`);
    same(
      config.args.slice(0, 4),
      ["-y", values["npm_package"], "serve", "--dir"],
      `arguments in the link of ${host}`,
    );
  }
  return `${links.length} links`;
}

async function checkSbom(made: MadeRelease, report: Report): Promise<void> {
  const path = `muxue_rag-${version(made)}.cdx.json`;
  const document = JSON.parse(await textIn(made, path).catch(() => "null"));
  if (document === null) return report.add(path, "exists", "wrong", "it was not made");
  await report.try(path, "official schema", async () => {
    (await schemaOf("bom-1.6.schema.json", made.schemas))(document);
    return "CycloneDX 1.6";
  });
  await report.try(path, "complete", () => {
    same(document.metadata.component.version, version(made), "version");
    const components: readonly { readonly purl?: string }[] = document.components;
    const refs = new Set(components.flatMap(({ purl }) => purl ?? []));
    for (const { npm } of PARTS) {
      same(refs.has(`pkg:npm/${npm.replace(/^@/, "%40")}`), true, `${npm} is listed`);
    }
    const heads = licenseHeads(made.release);
    const parts = PARTS.map(({ npm }) => `pkg:npm/${npm.replace(/^@/, "%40")}`);
    const licensed = heads.map((head) => `pkg:npm/${head.replace("@", "%40").replace(" ", "@")}`);
    const packages = [...refs].filter((purl) => purl.startsWith("pkg:npm/") && !parts.includes(purl));
    same(
      packages.sort(),
      licensed.filter((purl) => !parts.includes(purl)).sort(),
      "packages, and those with the text of their licence",
    );
    for (const { name, licenses } of document.components) {
      same(licenses?.length > 0, true, `licence of ${name}`);
    }
    return `${document.components.length} components, ${heads.length} of them npm packages`;
  });
}

/** Names and versions of the packages in THIRD_PARTY_LICENSES. */
function licenseHeads({ licenses }: Pick<Release, "licenses">): string[] {
  const text = textOfLicense(licenses, "THIRD_PARTY_LICENSES");
  return text.split(/\n-{80}\n\n/).flatMap((part) => /^(\S+ \d\S*), \S/.exec(part)?.[1] ?? []);
}

function textOfLicense(licenses: Release["licenses"], name: string): string {
  return new TextDecoder().decode(licenses.find(({ path }) => path === name)?.content);
}

/** Every npm package has a part with a licence, and every other part a paragraph in NOTICE. */
export function checkLicenses({ licenses }: Pick<Release, "licenses">): string {
  const packages = licenseHeads({ licenses });
  if (packages.length === 0) throw new Error("THIRD_PARTY_LICENSES names no package");
  const notice = textOfLicense(licenses, "NOTICE").replace(/\s+/g, " ");
  for (const { npm, contains = [] } of PARTS) {
    const named = npm.replace(/(?<=.)@/, " ");
    if (!notice.includes(named)) throw new Error(`NOTICE does not name ${named}`);
    for (const { name } of contains) {
      if (!notice.includes(name)) throw new Error(`NOTICE does not name ${name}`);
    }
  }
  return `${packages.length} npm packages, ${PARTS.length} other parts`;
}
