import { createRequire } from "node:module";
import { join } from "node:path";

/** Environment variable with the folder of the packages, for the processes of the benchmark. */
const FOLDER = "BENCH_PACKAGES";

/**
 * Packages that only the benchmark compares with, by exact version. They are installed into a temporary folder by npm: with
 * their dependencies they take 500 MB, which nobody should need who works on the program, and Deno does not find LanceDB's
 * native library for another system that the registry lacks.
 */
const PACKAGES = {
  "minisearch": "7.2.0",
  "@lancedb/lancedb": "0.39.0",
  "onnxruntime-node": "1.27.0",
  "@modelcontextprotocol/server-filesystem": "2026.8.31",
  "mcp-local-rag": "0.19.1",
  "@tobilu/qmd": "2.8.3",
} as const;

type Name = keyof typeof PACKAGES;

/** Installs packages into `folder`, without their scripts. Returns those that could be installed. */
export async function install(folder: string, names: readonly Name[]): Promise<Name[]> {
  Deno.env.set(FOLDER, folder);
  const done: Name[] = [];
  for (const name of names) {
    const { success } = await new Deno.Command(Deno.build.os === "windows" ? "npm.cmd" : "npm", {
      args: [
        "install",
        "--prefix",
        folder,
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        `${name}@${PACKAGES[name]}`,
      ],
      stdout: "null",
      stderr: "null",
    }).output().catch(() => ({ success: false }));
    if (success) done.push(name);
  }
  return done;
}

/** Loads an installed package. */
export function packaged<T>(name: Name): T {
  return createRequire(join(Deno.env.get(FOLDER)!, "package.json"))(name);
}
