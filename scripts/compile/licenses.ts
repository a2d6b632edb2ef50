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

/** The package that pdf.js draws with outside of browsers. The pages do not contain it, and each system has another one. */
const NODE_CANVAS = "@napi-rs/canvas";

/**
 * Returns the licences of the third-party code in an executable of the project in `root`, as one text: first that of the
 * runtime, then those of all npm packages that main.ts and the web pages reach, sorted by name. Throws if a package names no licence.
 */
export async function thirdPartyLicenses(root: string): Promise<string> {
  const config = (path: string) => `--config=${join(root, path)}`;
  const [own, web] = await Promise.all([
    infoOf([config("deno.json"), join(root, "main.ts")], root),
    infoOf([config("web/deno.json"), join(root, "web", "main.tsx")], root),
  ]);
  const parts = [
    "muxue_rag is joined to the Deno runtime, Copyright (c) the Deno authors, MIT License,\n" +
    "https://github.com/denoland/deno, and holds the npm packages below.\n" +
    "What the built-in vectors are made of stands in NOTICE.",
  ];
  const ofPages = reached(web).filter(({ name }) => !name.startsWith(NODE_CANVAS));
  for (const found of sorted([...reached(own), ...ofPages])) parts.push(await packageLicense(found));
  return parts.map((part) => `${part.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
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

async function packageLicense({ name, version, localPath }: Package): Promise<string> {
  const { license, homepage } = JSON.parse(await Deno.readTextFile(join(localPath, "package.json")));
  if (typeof license !== "string") throw new Error(`${name} ${version} names no licence`);
  const files = [];
  for await (const { name } of Deno.readDir(localPath)) if (LICENSE_FILE.test(name)) files.push(name);
  const texts = await Promise.all(files.sort().map((file) => Deno.readTextFile(join(localPath, file))));
  const head = [`${name} ${version}, ${license}`, ...(homepage ? [homepage] : [])].join("\n");
  return [head, ...texts.map((text) => text.trim())].join("\n\n");
}
