/**
 * Installs a release on this machine in the ways that it offers, each into a temporary folder, and starts the program. A way whose tools
 * are not installed is reported as such.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language, Parser } from "web-tree-sitter";
import { NODE_PLATFORM } from "../bundle/systems.ts";
import { run } from "../compile/run.ts";
import { targetOf } from "../compile/targets.ts";
import type { MadeRelease } from "./check_release.ts";
import { Impossible, type Report, same } from "./report.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The official tool for MCP bundles. */
const MCPB = "@anthropic-ai/mcpb@2.1.2";

/** Adds a row for every way. */
export async function tryInstallation({ folder, release }: MadeRelease, report: Report): Promise<void> {
  const { os, arch } = targetOf();
  const { version, npm_package: npm, debian_package: debian } = release.values as Record<string, string>;
  const isHere = release.executables.some((executable) => executable.os === os && executable.arch === arch);
  const temp = await Deno.makeTempDir({ prefix: "muxue_rag_release_" });
  const at = (...parts: string[]) => join(temp, ...parts);
  const inRelease = (...parts: string[]) => join(folder, ...parts);
  const starts = async (command: string, args: string[] = [], cwd?: string) => {
    const said = (await run(command, [...args, "--version"], cwd)).trim();
    same(said.split(" ").slice(0, 2), ["muxue_rag", version], "--version");
    return said;
  };
  const onThisSystem = (part: string, check: string, work: () => Promise<string>) =>
    report.try(part, check, () => {
      if (!isHere) throw new Impossible(`no executable for ${os}-${arch}`);
      return work();
    });
  try {
    await onThisSystem("install.sh", "installs, program starts", async () => {
      await tool("sh", [inRelease("install.sh"), "--from", folder, "--to", at("sh")]);
      return await starts(at("sh", "muxue_rag"));
    });
    await report.try("install.ps1", "parses as PowerShell", () => parsePowerShell(inRelease("install.ps1")));
    report.add("install.ps1", "runs", "missing", "it needs Windows, where the release workflow runs it");
    const platform = NODE_PLATFORM[os];
    const packages = [`${npm}-${platform}-${arch}`, npm!].map((name) =>
      inRelease("npm", `${name}-${version}.tgz`)
    );
    const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
    await onThisSystem(`${npm} (npm)`, "npm install --global, program starts", async () => {
      await tool("npm", ["install", "--global", "--prefix", at("npm"), ...quiet, ...packages]);
      return await starts(at("npm", "bin", npm!));
    });
    await onThisSystem(`${npm} (npm)`, "npx starts it", async () => {
      await Deno.mkdir(at("npx"));
      await Deno.writeTextFile(at("npx", "package.json"), "{}");
      await tool("npm", ["install", ...quiet, ...packages], at("npx"));
      return await starts("npx", ["--no", "--", npm!], at("npx"));
    });
    const bundle = `muxue_rag-${version}-${os === "macos" ? os : `${os}-${arch}`}.mcpb`;
    await onThisSystem(bundle, `${MCPB} unpacks and validates, program starts`, async () => {
      await tool("npx", ["--yes", MCPB, "unpack", inRelease(bundle), at("mcpb")]);
      await tool("npx", ["--yes", MCPB, "validate", at("mcpb", "manifest.json")]);
      return await starts(at("mcpb", "server", "muxue_rag"));
    });
    const deb = `${debian}_${version}_${arch === "x64" ? "amd64" : "arm64"}.deb`;
    await onThisSystem(deb, "dpkg-deb reads it, program starts", async () => {
      await tool("dpkg-deb", ["--extract", inRelease(deb), at("deb")]);
      return await starts(at("deb", "usr", "bin", "muxue_rag"));
    });
    await onThisSystem(deb, "lintian", async () => {
      const said = await tool("lintian", ["--fail-on", "error,warning", inRelease(deb)]);
      if (said.trim() !== "") throw new Error(said);
      return "no errors and warnings";
    });
    await report.try("homebrew/muxue_rag.rb", "Ruby syntax", async () => {
      const template = join(ROOT, "packaging/homebrew/muxue_rag.rb");
      return (await tool("ruby", ["-c", template])).trim();
    });
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
}

/** Runs a tool and returns its stdout. Throws {@linkcode Impossible} where it is not installed. */
async function tool(command: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    return await run(command, args, cwd);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw new Impossible(`${command} is not installed`);
    throw error;
  }
}

/** Parses a script by the grammar for PowerShell that the program reads source code with. Throws an error with the first wrong line. */
export async function parsePowerShell(path: string): Promise<string> {
  const grammar = async (name: string): Promise<Uint8Array> => {
    const { data } = await import(join(ROOT, `lib/documents/code/grammars/${name}.ts`));
    const { brotliDecompressSync } = await import("node:zlib");
    return brotliDecompressSync(Uint8Array.fromBase64(data));
  };
  await Parser.init({ wasmBinary: await grammar("parser") });
  const parser = new Parser().setLanguage(await Language.load(await grammar("powershell")));
  const { rootNode } = parser.parse(await Deno.readTextFile(path))!;
  if (!rootNode.hasError) return `${rootNode.descendantCount} nodes, no errors`;
  const wrong = rootNode.descendantsOfType("ERROR")[0];
  throw new Error(
    `line ${(wrong?.startPosition.row ?? 0) + 1}: ${wrong?.text.slice(0, 80) ?? "something is missing"}`,
  );
}
