/**
 * Checks that no module of the program imports itself through others; type imports count. The other import rules are lint
 * rules (scripts/lint/), which see a single file. This check needs the graph that `deno info` reports.
 *
 *     deno run --allow-read --allow-run scripts/check_cycles.ts
 */
import { fileURLToPath } from "node:url";

/** The modules that a module imports, by its URL. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** The part of `deno info --json` that is read here. */
interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier?: string };
      readonly type?: { readonly specifier?: string };
    }[];
  }[];
}

/** Returns every cycle of the graph once, as the list of its modules; the first is repeated at the end. */
export function cyclesIn(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (module: string) => {
    path.push(module);
    for (const to of graph.get(module) ?? []) {
      const start = path.indexOf(to);
      if (start >= 0) cycles.push([...path.slice(start), to]);
      else if (!done.has(to)) visit(to);
    }
    path.pop();
    done.add(module);
  };
  for (const module of graph.keys()) if (!done.has(module)) visit(module);
  return cycles;
}

/** Returns the import graph of the program in the folder `root` (a URL): of `main.ts` and of every module below `lib/`. */
async function graphOf(root: URL): Promise<Graph> {
  const graph = new Map<string, string[]>();
  for (const entry of ["main.ts", ...await modulesBelow(root, "lib")]) {
    const url = new URL(entry, root).href;
    // The modules of threads are started by their URL, so no module imports them.
    if (graph.has(url)) continue;
    for (const { specifier, dependencies = [] } of (await infoOf(url)).modules) {
      const imported = dependencies.flatMap(({ code, type }) => code?.specifier ?? type?.specifier ?? []);
      graph.set(specifier, imported.filter((each) => each.startsWith(root.href)));
    }
  }
  return graph;
}

async function infoOf(url: string): Promise<Info> {
  const command = new Deno.Command(Deno.execPath(), { args: ["info", "--json", url], stderr: "inherit" });
  const { success, stdout } = await command.output();
  if (!success) throw new Error(`deno info ${url} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function modulesBelow(root: URL, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(`${folder}/`, root))) {
    if (isDirectory) found.push(...await modulesBelow(root, `${folder}/${name}`));
    else if (/(?<!\.d)\.ts$/.test(name)) found.push(`${folder}/${name}`);
  }
  return found;
}

if (import.meta.main) {
  const root = new URL("../", import.meta.url);
  const cycles = cyclesIn(await graphOf(root));
  const path = (url: string) => fileURLToPath(url).slice(fileURLToPath(root).length);
  const lines = cycles.map((modules) => `Import cycle: ${modules.map(path).join(" -> ")}\n`).join("");
  await Deno.stderr.write(new TextEncoder().encode(lines));
  Deno.exit(cycles.length === 0 ? 0 : 1);
}
