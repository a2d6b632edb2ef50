import { join, relative } from "node:path";
import { type Files, makeSandbox, type Sandbox, type SandboxOptions } from "../e2e/_program.ts";
import { type Message, openPipe, type Pipe } from "../e2e/_mcp_pipe.ts";

/** Registers a test of something that Wine lacks, which `reason` names. It is left out there. */
export function testOfWindows(name: string, reason: string, fn: () => Promise<void>): void {
  const isWine = Deno.env.has("TEST_WINE");
  Deno.test({ name: isWine ? `${name} (not under Wine: ${reason})` : name, ignore: isWine, fn });
}

/** The name with at most eight characters and an extension that Windows also has for an entry; `undefined` if it has none. */
export async function shortPath(path: string): Promise<string | undefined> {
  const script = 'for %I in ("' + path + '") do @echo %~sI';
  const { stdout } = await new Deno.Command("cmd", {
    args: ["/d", "/c", script],
    windowsRawArguments: true,
  }).output();
  const short = new TextDecoder().decode(stdout).trim();
  return short === "" || short.toLowerCase() === path.toLowerCase() ? undefined : short;
}

/** A folder that was indexed with a configuration, which is `config.yaml` beside it. */
export async function indexedWith(
  files: Files,
  yaml: string,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  const sandbox = await makeSandbox(files, options);
  const path = join(sandbox.cwd, "settings.yaml");
  await Deno.writeTextFile(path, yaml);
  sandbox.env["MUXUE_RAG_CONFIG"] = path;
  sandbox.env["MUXUE_RAG_LANGUAGE"] ??= "en";
  const { code, stderr } = await sandbox.run`--dir ${sandbox.folder} --quiet`;
  if (code !== 0) throw new Error(stderr);
  return sandbox;
}

/** Serves the folder while `use` runs. */
export async function served<T>(sandbox: Sandbox, use: (pipe: Pipe) => Promise<T>): Promise<T> {
  await using pipe = await openPipe(sandbox);
  return await use(pipe);
}

/** The text of a tool's answer, or of the error of its call. */
export function textOf({ result, error }: Message): string {
  return result === undefined ? error.message : result.content.map(({ text }: Message) => text).join("\n");
}

/** Paths of the files that are found, below the folder and as the system writes them. */
export async function foundIn(sandbox: Sandbox, dir = sandbox.folder): Promise<string[]> {
  const { stdout, stderr, code } = await sandbox
    .run`search --json --top-k 50 --mode keyword --dir ${dir} ${WORD}`;
  if (code !== 0) throw new Error(stderr);
  const { file_info: files = [] } = (JSON.parse(stdout) as Message).data;
  return files.map((file: Message) => relative(sandbox.folder, file.file_path)).sort();
}

/** A word that is in the files of the tests. */
export const WORD = "peppermint";
