import { join } from "node:path";
import { run } from "./run.ts";

/** The part of `deno info --json` that is read. */
interface Info {
  readonly modules: readonly { readonly kind?: string; readonly npmPackage?: string }[];
  readonly npmPackages: Readonly<Record<string, Package>>;
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly dependencies: readonly string[];
  /** Path in the cache. */
  readonly localPath: string;
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
/** A file with fewer characters only refers to a licence elsewhere. */
const LEAST_TEXT = 200;
/** The section of a README with the text of a licence. */
const LICENSE_SECTION = /^#+ *licen[cs]e[^\n]*\n(.*?(?:permission|redistribution).*?)(?=^#|(?![^]))/ims;
/** Texts of licences, for packages that name one and do not contain its text. */
const TEXTS = "packaging/licenses";

/** An npm package in an executable. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** Of its package.json: an expression of SPDX. */
  readonly license: string;
  readonly homepage?: string;
  readonly author?: string;
  /** The text of its licence; empty where the package contains none. */
  readonly text: string;
}

/** The package that pdf.js draws with outside of browsers. The pages do not contain it, and each system has another one. */
const NODE_CANVAS = "@napi-rs/canvas";

/** Returns the npm packages that main.ts and the web pages in `root` reach, sorted by name. Throws if one names no licence. */
export async function thirdPartyPackages(root: string): Promise<ThirdParty[]> {
  const config = (path: string) => `--config=${join(root, path)}`;
  const [own, web] = await Promise.all([
    infoOf([config("deno.json"), join(root, "main.ts")], root),
    infoOf([config("web/deno.json"), join(root, "web", "main.tsx")], root),
  ]);
  const ofPages = reached(web).filter(({ name }) => !name.startsWith(NODE_CANVAS));
  return await Promise.all(sorted([...reached(own), ...ofPages]).map(thirdParty));
}

/**
 * Returns the licences of the third-party code in an executable of the project in `root`, as one text: first that of the
 * runtime, then those of all npm packages that main.ts and the web pages reach, sorted by name, and at the end the licences that several
 * packages name without their text. Throws if a package names no licence, or one whose text neither it nor `packaging/licenses` has.
 */
export async function thirdPartyLicenses(root: string): Promise<string> {
  const packages = await thirdPartyPackages(root);
  const parts = [RUNTIME, ...packages.map(licenseOf)];
  for (const license of [...textsAtEnd(packages)].sort()) {
    parts.push(`The text of ${license}\n\n${await standardText(root, license)}`);
  }
  return parts.map((part) => `${part.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

const RUNTIME = `muxue_rag is joined to the Deno runtime, Copyright (c) the Deno authors, MIT License,
https://github.com/denoland/deno, and holds the npm packages below.
NOTICE names the sources of the built-in vectors.
The runtime contains V8, Copyright (c) the V8 project authors, BSD-3-Clause, https://v8.dev, ICU, Copyright (c) Unicode, Inc.,
Unicode-3.0, SQLite, which is in the public domain, and Rust crates: those in the Cargo.lock of its sources, at the tag of the version
that muxue_rag --version shows. Only the build of the runtime knows which of them are in it, so they are not listed here. Their
authors and notices are in their sources, on https://crates.io.
The texts of the licences of V8 and ICU, and of those that the crates mostly name, are at the end: Apache-2.0, BSD-2-Clause,
BSD-3-Clause, CC0-1.0, ISC, MIT, MPL-2.0, Unicode-3.0, with the notices of the data in ICU, and Zlib.`;

/** Licences of parts of the runtime. */
const OF_RUNTIME = "Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MPL-2.0 Unicode-3.0 Zlib".split(" ");

/** The licences whose texts the packages lack, and those of the runtime. */
function textsAtEnd(packages: readonly ThirdParty[]): Set<string> {
  return new Set([
    ...OF_RUNTIME,
    ...packages.filter(({ text }) => text === "").map(({ license }) => license),
  ]);
}

async function standardText(root: string, license: string): Promise<string> {
  try {
    return await Deno.readTextFile(join(root, TEXTS, `${license}.txt`));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(`A package names the licence ${license} without its text: add ${TEXTS}/${license}.txt`);
  }
}

async function infoOf(args: readonly string[], root: string): Promise<Info> {
  return JSON.parse(await run(Deno.execPath(), ["info", "--json", ...args], root));
}

/** Each name and version once, sorted by name. */
function sorted(packages: readonly Package[]): Package[] {
  const byName = new Map(packages.map((found) => [`${found.name} ${found.version}`, found]));
  return [...byName].sort(([a], [b]) => a < b ? -1 : 1).map(([, found]) => found);
}

/** Returns the packages of the modules and the packages that those depend on. */
function reached({ modules, npmPackages }: Info): Package[] {
  const ids = new Set(modules.flatMap(({ npmPackage }) => npmPackage === undefined ? [] : [npmPackage]));
  // Iteration over a set includes the elements that are added meanwhile.
  for (const id of ids) for (const dependency of npmPackages[id]?.dependencies ?? []) ids.add(dependency);
  return [...ids].map((id) => npmPackages[id]).filter((found) => found !== undefined);
}

async function thirdParty({ name, version, localPath }: Package): Promise<ThirdParty> {
  const read = (file: string) => Deno.readTextFile(join(localPath, file));
  const { license, homepage, author } = JSON.parse(await read("package.json"));
  if (typeof license !== "string") throw new Error(`${name} ${version} names no licence`);
  const files = (await Array.fromAsync(Deno.readDir(localPath))).map(({ name }) => name).sort();
  const texts = await Promise.all(files.filter((file) => LICENSE_FILE.test(file)).map(read));
  if (texts.join("").length < LEAST_TEXT) {
    const readme = files.find((file) => /^readme(?:\.|$)/i.test(file));
    const [, section] = LICENSE_SECTION.exec(readme === undefined ? "" : await read(readme)) ?? [];
    texts.splice(0, Infinity, ...section === undefined ? [] : [section]);
  }
  return {
    name,
    version,
    license,
    ...(homepage && { homepage }),
    ...(author && { author: typeof author === "string" ? author : author.name }),
    text: texts.map((text) => text.trim()).join("\n\n"),
  };
}

function licenseOf({ name, version, license, homepage, author, text }: ThirdParty): string {
  const head = [`${name} ${version}, ${license}`, ...(homepage === undefined ? [] : [homepage])];
  if (text !== "") return `${head.join("\n")}\n\n${text}`;
  const by = author === undefined ? "" : `Copyright (c) ${author}. `;
  return [...head, `${by}The package contains no text of its licence; it is at the end.`].join("\n");
}
