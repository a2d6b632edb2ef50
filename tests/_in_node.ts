/**
 * Runs a program of the project in Node 24, to show that a house uses web standards: the sources and the packages
 * that the program reaches, copied into a folder that Deno does not know.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The part of `deno info --json` that is read here. */
interface Info {
  readonly roots: readonly string[];
  /** The modules that other specifiers lead to. */
  readonly redirects: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly specifier: string;
    /** `code` is absent for an import of types alone. */
    readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
    /** The key of its package in `npmPackages`. */
    readonly npmPackage?: string;
  }[];
  /** The packages of the lock file. */
  readonly npmPackages: Readonly<Record<string, Package>>;
}

interface Package {
  readonly name: string;
  readonly version: string;
  /** Their keys. */
  readonly dependencies: readonly string[];
}

/**
 * Runs `entry`, a path from the project's folder such as `examples/engine.ts`, and returns what it writes to stdout. Node
 * only strips types, so it refuses enums, namespaces and parameter properties. `undefined`, with a note on stderr, if the
 * packages cannot be had because npm is missing or unreachable. Throws if the program fails.
 */
export async function runInNode(entry: string, args: readonly string[]): Promise<string | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "muxue_rag_node_" });
  try {
    await copyFolder(join(ROOT, "lib"), join(folder, "lib"));
    await Deno.mkdir(join(folder, entry, ".."), { recursive: true });
    await Deno.copyFile(join(ROOT, entry), join(folder, entry));
    await Deno.writeTextFile(join(folder, "package.json"), JSON.stringify(await packageFor(entry)));
    const installed = await run(
      "npm",
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--prefer-offline",
    );
    const ran = installed && await run("npx", "-y", "node@24", entry, ...args);
    // deno-lint-ignore no-console -- the test that calls this passes, so only a note tells that nothing was shown
    if (ran === undefined) console.warn(`${entry} was not run in Node: npm is missing or unreachable`);
    return ran;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }

  /** Returns the output of a command in the folder; `undefined` if it does not exist or cannot reach the registry. */
  async function run(command: string, ...args: string[]): Promise<string | undefined> {
    const windows = Deno.build.os === "windows";
    const child = new Deno.Command(windows ? "cmd" : command, {
      args: windows ? ["/c", command, ...args] : args,
      cwd: folder,
    });
    const ended = await child.output().catch((error) => {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    });
    if (ended === undefined) return undefined;
    const [stdout, stderr] = [ended.stdout, ended.stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (ended.success) return stdout;
    if (
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/.test(stderr!)
    ) {
      return undefined;
    }
    throw new Error(`${command} ${args.join(" ")} failed in Node:\n${stderr}`);
  }
}

/** A `package.json` with the import map of `deno.json` and exactly the packages that `entry` reaches. */
async function packageFor(entry: string): Promise<object> {
  const { imports }: { imports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(join(ROOT, "deno.json")),
  );
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  const { roots, redirects, modules, npmPackages }: Info = JSON.parse(new TextDecoder().decode(stdout));
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const moduleOf = (specifier: string) => bySpecifier.get(redirects[specifier] ?? specifier);
  const loaded = closure(
    roots,
    (specifier) => moduleOf(specifier)?.dependencies?.flatMap(({ code }) => code?.specifier ?? []) ?? [],
  );
  const direct = new Set([...loaded].flatMap((specifier) => moduleOf(specifier)?.npmPackage ?? []));
  const reached = closure(direct, (key) => npmPackages[key]!.dependencies);
  const versions = (keys: Iterable<string>) =>
    Object.fromEntries(Array.from(keys, (key) => [npmPackages[key]!.name, npmPackages[key]!.version]));
  return {
    type: "module",
    imports: Object.fromEntries(
      Object.entries(imports).filter(([name]) => name.startsWith("#")).map((
        [name, to],
      ) => [`${name}*`, `${to}*`]),
    ),
    dependencies: versions(direct),
    overrides: versions(reached.difference(direct)),
  };
}

/** Returns the keys and all that is reached from them. */
function closure(keys: Iterable<string>, next: (key: string) => readonly string[]): Set<string> {
  const reached = new Set(keys);
  // the iteration goes on to the keys that are added meanwhile
  for (const key of reached) for (const to of next(key)) reached.add(to);
  return reached;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    await (isDirectory ? copyFolder(source, target) : Deno.copyFile(source, target));
  }
}
