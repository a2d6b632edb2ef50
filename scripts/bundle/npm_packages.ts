import type { ArchiveFile } from "./archive_file.ts";
import { fill } from "./fill.ts";
import { NODE_PLATFORM, programFile } from "./systems.ts";
import { tarGz } from "./tar.ts";
import type { Made, Release } from "./types.ts";

/**
 * Makes the npm packages in the form that `npm publish` takes: one for each executable, and a main package. The others are
 * optional dependencies of the main package, and npm installs the one for its system. The main package's command starts
 * that one, so no script runs at installation.
 */
export function* npmPackages(release: Release): Generator<Made> {
  const { values, templates, licenses } = release;
  const version = values["version"]!;
  const optional: Record<string, string> = {};
  for (const { os, arch, content } of release.executables) {
    const manifest = JSON.parse(
      fill(templates["packaging/npm/platform/package.json"]!, {
        ...values,
        arch,
        platform: NODE_PLATFORM[os],
      }),
    );
    // Deno's Linux runtime needs glibc.
    if (os === "linux") manifest.libc = ["glibc"];
    optional[manifest.name] = version;
    yield pack(release, manifest, [
      { path: `bin/${programFile(os)}`, content, executable: true },
      ...licenses,
    ]);
  }
  const manifest = JSON.parse(fill(templates["packaging/npm/main/package.json"]!, values));
  manifest.optionalDependencies = optional;
  const readme = fill(templates["packaging/npm/main/README.md"]!, values);
  const shim = new TextEncoder().encode(templates["packaging/npm/main/muxue_rag.js"]!);
  yield pack(release, manifest, [
    { path: "muxue_rag.js", content: shim, executable: true },
    // The registry shows it as the package's page.
    { path: "README.md", content: new TextEncoder().encode(readme) },
    ...licenses.filter(({ path }) => manifest.files.includes(path)),
  ]);
}

function pack(
  { time }: Release,
  manifest: { readonly name: string; readonly version: string },
  files: readonly ArchiveFile[],
): Made {
  const json = {
    path: "package.json",
    content: new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`),
  };
  const inPackage = [json, ...files].map((file) => ({ ...file, path: `package/${file.path}` }));
  return { path: `npm/${manifest.name}-${manifest.version}.tgz`, content: tarGz(inPackage, time) };
}
