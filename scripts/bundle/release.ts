import { createHash } from "node:crypto";
import { archives, archivesWithModels } from "./archives.ts";
import { debianPackages } from "./deb.ts";
import { mcpBundles } from "./mcp_bundles.ts";
import { npmPackages } from "./npm_packages.ts";
import { texts } from "./texts.ts";
import type { Made, Release } from "./types.ts";

/** A file that was not made because an executable is missing. */
export interface LeftOut {
  readonly path: string;
  /** The placeholder without a value. */
  readonly missing: string;
}

/**
 * Makes all files of a release and passes each to `write` at once, because together they are large. SHA256SUMS lists the
 * files in the top folder, which are those for download. Returns the files that could not be made.
 */
export async function makeRelease(
  release: Release,
  write: (file: Made) => Promise<void>,
): Promise<LeftOut[]> {
  const sums: Record<string, string> = {};
  const downloads: [name: string, sum: string][] = [];
  const download = async ({ path, content }: Made) => {
    const sum = createHash("sha256").update(content).digest("hex");
    downloads.push([path, sum]);
    await write({ path, content });
    return sum;
  };
  for (const { executable: { os, arch }, ...made } of archives(release)) {
    sums[`${os}-${arch}`] = await download(made);
  }
  for (const { executable: _, ...made } of archivesWithModels(release)) await download(made);
  for (const { executable: _, ...made } of debianPackages(release)) await download(made);
  for (const { system, ...made } of mcpBundles(release)) sums[`${system}.mcpb`] = await download(made);
  for (const made of npmPackages(release)) await write(made);

  const leftOut: LeftOut[] = [];
  const encoder = new TextEncoder();
  for (const made of texts(release, sums)) {
    if ("missing" in made) {
      leftOut.push(made);
      continue;
    }
    const file = { path: made.path, content: encoder.encode(made.text) };
    await (file.path.startsWith("install.") ? download(file) : write(file));
  }
  await download({
    path: `muxue_rag-${release.values["version"]}.cdx.json`,
    content: encoder.encode(release.sbom),
  });
  downloads.sort(([a], [b]) => a < b ? -1 : 1);
  const lines = downloads.map(([name, sum]) => `${sum}  ${name}\n`).join("");
  await write({ path: "SHA256SUMS", content: encoder.encode(lines) });
  return leftOut;
}
