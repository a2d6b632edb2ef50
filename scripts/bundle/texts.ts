import { fill, MissingValue, type Values } from "./fill.ts";
import { NO_REPOSITORY } from "./product.ts";
import type { Release } from "./types.ts";

/** Paths in the release folder of the templates that are not stored under their own names. */
const TEXTS: Readonly<Record<string, string>> = {
  "scripts/install.sh": "install.sh",
  "scripts/install.ps1": "install.ps1",
  "packaging/registry/server.json": "server.json",
  "packaging/homebrew/muxue_rag.rb": "homebrew/muxue_rag.rb",
  "packaging/scoop/muxue_rag.json": "scoop/muxue_rag.json",
  "packaging/docker/Dockerfile": "docker/Dockerfile",
  "packaging/links/links.md": "links.md",
  "packaging/winget/version.yaml": "winget/{{winget_publisher}}.{{name}}.yaml",
  "packaging/winget/installer.yaml": "winget/{{winget_publisher}}.{{name}}.installer.yaml",
  "packaging/winget/locale.en-US.yaml": "winget/{{winget_publisher}}.{{name}}.locale.en-US.yaml",
  "packaging/winget/locale.zh-CN.yaml": "winget/{{winget_publisher}}.{{name}}.locale.zh-CN.yaml",
};

/** A text of the release, or the value that it lacks. */
export type Text =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly missing: string };

/**
 * Makes the install scripts and the files for package managers and registries. `sums` gives SHA-256 by the short name of an
 * archive (`linux-x64`) or MCP bundle (`macos.mcpb`). A text cannot be made if it names an archive or bundle that `sums`
 * lacks.
 */
export function* texts(release: Release, sums: Readonly<Record<string, string>>): Generator<Text> {
  const values: Record<string, string> = { ...release.values };
  for (const [name, sum] of Object.entries(sums)) {
    values[`sha256 ${name}`] = sum;
    values[`SHA256 ${name}`] = sum.toUpperCase();
  }
  for (const [template, to] of Object.entries(TEXTS)) {
    const path = fill(to, values);
    try {
      yield { path, text: textOf(release.templates[template]!, template, values) };
    } catch (error) {
      if (!(error instanceof MissingValue)) throw error;
      yield { path, missing: error.placeholder };
    }
  }
}

/**
 * Fills a template. In an install script only the repository is replaced: the script in the sources runs too, with an
 * address on the command line.
 */
function textOf(template: string, path: string, values: Values): string {
  return path.startsWith("scripts/")
    ? template.replaceAll(NO_REPOSITORY, values["repository"]!)
    : fill(template, values);
}

/** Returns the paths of the templates in the project. */
export const TEMPLATES: readonly string[] = [
  ...Object.keys(TEXTS),
  "packaging/debian/changelog",
  "packaging/debian/control",
  "packaging/debian/copyright",
  "packaging/debian/lintian-overrides",
  "packaging/debian/muxue_rag.1",
  "packaging/mcpb/manifest.json",
  "packaging/npm/main/README.md",
  "packaging/npm/main/package.json",
  "packaging/npm/main/muxue_rag.js",
  "packaging/npm/platform/package.json",
];
