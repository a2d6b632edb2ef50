import { fill } from "./fill.ts";
import { NODE_PLATFORM, programFile } from "./systems.ts";
import type { Executable, Made, Release } from "./types.ts";
import { universalBinary } from "./universal_binary.ts";
import { zip } from "./zip.ts";

/** An MCP bundle and its short name (`macos`, `windows-x64`). */
export interface McpBundle extends Made {
  readonly system: string;
}

/**
 * Makes an MCP bundle (.mcpb) for each system, which a client installs with one click. A bundle names its system but not
 * the processor, so the one for macOS holds a universal executable. It is left out unless the executables for both
 * processors exist. Format: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
export function* mcpBundles(release: Release): Generator<McpBundle> {
  for (const executable of release.executables) {
    if (executable.os === "macos") continue;
    yield mcpBundle(release, executable, `${executable.os}-${executable.arch}`);
  }
  const [first, second] = release.executables.filter(({ os }) => os === "macos");
  if (first === undefined || second === undefined) return;
  const content = universalBinary([first.content, second.content]);
  yield mcpBundle(release, { os: "macos", content }, "macos");
}

function mcpBundle(
  release: Release,
  { os, content }: Pick<Executable, "os" | "content">,
  system: string,
): McpBundle {
  const manifest = fill(release.templates["packaging/mcpb/manifest.json"]!, {
    ...release.values,
    executable: programFile(os),
    platform: NODE_PLATFORM[os],
  });
  const files = [
    { path: "manifest.json", content: new TextEncoder().encode(manifest) },
    { path: `server/${programFile(os)}`, content, executable: true },
    ...release.licenses,
  ];
  const path = `muxue_rag-${release.values["version"]}-${system}.mcpb`;
  return { system, path, content: zip(files, release.time) };
}
