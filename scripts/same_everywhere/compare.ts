/**
 * What the program makes of one folder on one system: the bytes of its index and its answers, in a form that is equal on all systems if
 * the program is. The place of the folder and the time of the run are left out, and nothing else.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeHeader, HEADER_BYTES } from "../../lib/engine/index/blob/format.ts";
import { copyFolder } from "../copy_folder.ts";

/** A way to run the program from source on a system, or an imitation of one. */
export interface Machine {
  /** For the report. */
  readonly name: string;
  /**
   * The path that programs there have for a path here. It needs the same length on all machines that are compared: answers have a limit,
   * and paths are a part of them.
   */
  readonly pathOf: (path: string) => string;
  /**
   * Starts Deno there in the repository, with these arguments: `run`, its options, `main.ts` and those of the program. The program reads and
   * writes `folder` (its path here), and has its state folder in `state/muxue_rag` below it. Standard input and output are piped.
   */
  readonly deno: (args: readonly string[], folder: string) => Deno.Command;
}

/** Facts by their names: the hash of each section of the index, its other facts, and each answer. */
export type Results = ReadonlyMap<string, string>;

/** A folder, and calls about it. */
export interface Subject {
  readonly folder: string;
  readonly calls: Calls;
}

/** The modification time of every file, because the index contains it. */
const MODIFIED = new Date("2026-01-02T03:04:05Z");

/** The options of `deno task start`. */
const START = [
  ...["run", "--quiet", "--no-prompt", "--cached-only"],
  ...["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-net", "--allow-run", "main.ts"],
];

/** Calls of tools, each with its arguments. */
export type Calls = readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[];

/** Searches, and their explanations. */
export function searches(...keywords: readonly string[]): Calls {
  return keywords.flatMap((keyword) => [
    ["search_rag", { keyword, top_k: 10 }] as const,
    ["explain_search", { keyword, max_tokens: 100_000 }] as const,
  ]);
}

/** Calls about the guide. */
const CALLS: Calls = [
  ...searches(
    "offline",
    "which files are never read",
    "how do I encrypt a secret in the configuration",
    '"exit code" -backup',
    "离线使用",
    "怎样忽略不想索引的文件",
    "PDF 页码 引用",
    "索引 NEAR/5 更新",
  ),
  ["list_documents", {}],
  ["list_document_sections", { file_path: "en/getting-started.md" }],
  ["get_document_content", { file_path: "zh/faq.txt" }],
  ["read_raw_file", { file_path: "file-types.csv", start_line: 1, end_line: 9 }],
];

/** The guide. */
export const GUIDE: Subject = {
  folder: fileURLToPath(new URL("../../examples/docs", import.meta.url)),
  calls: CALLS,
};

/** Indexes a copy of the folder below `work`, an empty folder here, and asks the server. */
export async function resultsOn(
  machine: Machine,
  { folder, calls }: Subject,
  work: string,
): Promise<Results> {
  const docs = join(work, "docs");
  await copyFolder(folder, docs);
  await setTimes(docs);
  const state = join(work, "state/muxue_rag");
  await Deno.mkdir(state, { recursive: true });
  const run = (args: readonly string[], input = "", lines = 0) => {
    const program = ["--dir", machine.pathOf(docs), "--language", "en", "--quiet", ...args];
    return outputOf(machine.deno([...START, ...program], work), input, lines);
  };
  await run(["index"]);
  const results = await indexFacts(docs, join(state, "index.key"));
  const output = await run(["serve", "--no-watch"], requests(calls), calls.length + 1);
  const answers = answersIn(output, machine.pathOf(docs));
  calls.forEach(([tool, args], i) =>
    results.set(`${tool} ${JSON.stringify(args)}`, answers.get(i) ?? "none")
  );
  return results;
}

/** Names of the facts that differ, or that only one has. */
export function differences(one: Results, other: Results): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

async function setTimes(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) await setTimes(path);
    else await Deno.utime(path, MODIFIED, MODIFIED);
  }
}

async function indexFacts(docs: string, keyFile: string): Promise<Map<string, string>> {
  const bytes = await Deno.readFile(join(docs, ".muxue_rag/index.bin"));
  const { sections } = decodeHeader(bytes.slice(0, HEADER_BYTES), bytes.length, await Deno.readFile(keyFile));
  const facts = new Map<string, string>();
  for (const { name, offset, length } of sections.values()) {
    const part = bytes.slice(offset, offset + length);
    const isPlain = name !== "meta" && name !== "files";
    facts.set(`index ${name}`, isPlain ? `${length} bytes ${await sha256(part)}` : withoutPlace(part));
  }
  return facts;
}

/** Leaves out the folder's path and the times of the run, in the facts about the index and each file. */
function withoutPlace(json: Uint8Array): string {
  const left = new Set(["root", "indexedAt", "ctimeMs"]);
  return JSON.stringify(
    JSON.parse(new TextDecoder().decode(json), (key, value) => left.has(key) ? undefined : value),
  );
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Ends the input of a program after so many lines of output, and returns the output. */
async function outputOf(command: Deno.Command, input: string, lines: number): Promise<string> {
  const process = command.spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  const decoder = new TextDecoder();
  let output = "";
  let isOpen = true;
  for await (const bytes of process.stdout) {
    output += decoder.decode(bytes, { stream: true });
    if (isOpen && output.split("\n").length > lines) {
      isOpen = false;
      await writer.close();
    }
  }
  const { code } = await process.status;
  if (code !== 0) throw new Error(`The program ended with ${code}: ${output}`);
  return output;
}

function requests(calls: Calls): string {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "same", version: "1" },
  };
  return [
    { id: "hello", method: "initialize", params: hello },
    { method: "notifications/initialized" },
    ...calls.map(([name, args], id) => ({ id, method: "tools/call", params: { name, arguments: args } })),
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");
}

/** Answers by the numbers of their requests. */
function answersIn(output: string, docs: string): Map<number, string> {
  const inJson = JSON.stringify(docs).slice(1, -1);
  const answers = new Map<number, string>();
  // A `\r` stays and is a difference.
  for (const line of output.split("\n").filter((each) => each !== "")) {
    const { id } = JSON.parse(line) as { id?: unknown };
    if (typeof id === "number") answers.set(id, withoutTimes(withSlashes(line.replaceAll(inJson, "DOCS"))));
  }
  return answers;
}

/** Replaces the separators in full paths, which answers give in the system's notation. */
function withSlashes(line: string): string {
  return line.replace(/DOCS(?:\\\\[^\\"<:]+)+/g, (path) => path.replaceAll("\\\\", "/"));
}

/**
 * Leaves out how long a search took, when the index was made, when the copies were created (which some systems tell and some not), and how many
 * files are newer, which is only counted as far as there is time.
 */
function withoutTimes(line: string): string {
  return line.replace(/(?<=files?, |"cost_time":)[\d.]+/g, "N")
    .replace(/(?<="indexed_at":")[^"]+/g, "TIME")
    .replace(/,"create_time":"[^"]+","create_time_by":"file_system"/g, "")
    .replace(/,"newer_files":0/g, "");
}
