// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Lets an official client solve ten tasks on the guide and a folder of mixed documents with the real program, over a pipe, and counts the
 * tokens (o200k) of the answers. A task is solved when the answers hold all that it needs. Where the searches did not suffice, the
 * client reads on as an assistant would: further hits by the cursor, then the whole file of the first hit.
 *
 * Tokens are those of the form that a client gives its model: the text for `claude-ai`, the structured answer for `claude-code`, and for
 * an unknown client the larger of the two. `sent` counts both forms, whatever the client does with them.
 *
 *     deno run -A --config deno.dev.json scripts/ten_tasks.ts [--program CHECKOUT] [--transcript]
 *
 * `--program` names the checkout of another version to compare with; `--transcript` prints every answer.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startFlags } from "./compile/start_flags.ts";
import { copyFolder } from "./copy_folder.ts";
import { writeMixedDocuments } from "./ten_tasks/folder.ts";
import { type Task, TASKS } from "./ten_tasks/tasks.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Names of clients, and the form of an answer that each gives its model. */
const CLIENTS = { "claude-ai": "text", "claude-code": "structured", "unknown": "larger" } as const;
type ClientName = keyof typeof CLIENTS;

/** The figures of a task. */
export interface Solved {
  readonly name: string;
  readonly isSolved: boolean;
  readonly calls: number;
  /** Tokens of the form that the model sees, and of all that was sent. */
  readonly seen: number;
  readonly sent: number;
}

/** One answer of a tool. */
interface Answer {
  readonly shown: string;
  readonly seen: number;
  readonly sent: number;
  readonly cursor?: string | undefined;
  readonly firstPath?: string | undefined;
}

const tokens = (text: string) => encode(text).length;

/** Solves the tasks with the program of a checkout. `print` receives the transcript. */
export async function solveTasks(
  program: string,
  names: readonly ClientName[],
  print: (line: string) => void = () => {},
): Promise<Record<string, Solved[]>> {
  // A short path, as those of people are: it is in every passage.
  const top = join(await Deno.realPath(tmpdir()), `tasks-${Deno.pid}`);
  await Deno.mkdir(top);
  try {
    const folders = [join(top, "guide"), join(top, "mixed")] as const;
    await copyFolder(join(ROOT, "examples", "docs", "en"), folders[0]);
    await writeMixedDocuments(folders[1]);
    const env = {
      ...Object.fromEntries(
        Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_")),
      ),
      MUXUE_RAG_STATE_DIR: join(top, "state"),
      MUXUE_RAG_CONFIG_DIR: join(top, "config"),
      MUXUE_RAG_LANGUAGE: "en",
    };
    const run = ["run", ...startFlags(), join(program, "main.ts")];
    const dirs = folders.flatMap((folder) => ["--dir", folder]);
    for (const folder of folders) {
      const indexed = await new Deno.Command(Deno.execPath(), {
        args: [...run, "--dir", folder, "--quiet"],
        env,
        clearEnv: true,
        cwd: top,
      }).output();
      if (!indexed.success) throw new Error(new TextDecoder().decode(indexed.stderr));
    }
    const solved: Record<string, Solved[]> = {};
    for (const name of names) {
      const client = new Client({ name, version: "1" });
      const args = [...run, "serve", "--no-watch", ...dirs];
      await client.connect(
        new StdioClientTransport({ command: Deno.execPath(), args, env, cwd: top, stderr: "ignore" }),
      );
      try {
        solved[name] = [];
        for (const task of TASKS) {
          const call = async (tool: string, args: Record<string, unknown>) => {
            const answer = await ask(client, name, tool, args);
            print(
              `### ${name}: ${tool} ${JSON.stringify(args)} (${answer.seen} tokens)\n\n${answer.shown}\n`,
            );
            return answer;
          };
          solved[name].push(await solve(task, call));
        }
      } finally {
        await client.close();
      }
    }
    return solved;
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

async function ask(
  client: Client,
  name: ClientName,
  tool: string,
  args: Record<string, unknown>,
): Promise<Answer> {
  const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
  if (isError === true) throw new Error(`${tool}: ${JSON.stringify(content)}`);
  const text = content.map((part) => part.type === "text" ? part.text : "").join("\n");
  const json = structuredContent === undefined ? "" : JSON.stringify(structuredContent);
  const counts = {
    text: tokens(text),
    structured: tokens(json),
    larger: Math.max(tokens(text), tokens(json)),
  };
  const form = CLIENTS[name];
  // The values of the JSON, so that the patterns of the tasks hold for both forms.
  const values = structuredContent === undefined ? "" : strings(structuredContent).join("\n");
  const shown = form === "text"
    ? text
    : form === "structured"
    ? values
    : counts.text > counts.structured
    ? text
    : values;
  const [, cursor] = /"next_cursor":"([^"]+)"/.exec(json) ?? /cursor=([^\]\s]+)/.exec(text) ?? [];
  const [, path] = /"file_path":"([^"]+)"/.exec(json) ?? /^\[1\] <[^>]+>(.+?):\d+-\d+/m.exec(text) ?? [];
  return {
    shown,
    seen: counts[form],
    sent: counts.text + counts.structured,
    cursor,
    firstPath: path,
  };
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

async function solve(
  { name, searches, needs }: Task,
  call: (tool: string, args: Record<string, unknown>) => Promise<Answer>,
): Promise<Solved> {
  const answers: Answer[] = [];
  const isSolved = () => needs.every((pattern) => answers.some(({ shown }) => pattern.test(shown)));
  for (const keyword of searches) answers.push(await call("search_rag", { keyword }));
  for (const [i, keyword] of searches.entries()) {
    const { cursor, firstPath } = answers[i]!;
    if (!isSolved() && cursor !== undefined) answers.push(await call("search_rag", { keyword, cursor }));
    if (!isSolved() && firstPath !== undefined) {
      answers.push(await call("get_document_content", { file_path: firstPath }));
    }
  }
  const sum = (key: "seen" | "sent") => answers.reduce((total, answer) => total + answer[key], 0);
  return { name, isSolved: isSolved(), calls: answers.length, seen: sum("seen"), sent: sum("sent") };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { program: { type: "string", default: ROOT }, transcript: { type: "boolean", default: false } },
  });
  const names = Object.keys(CLIENTS) as ClientName[];
  const solved = await solveTasks(values.program, names, values.transcript ? console.log : undefined);
  for (const name of names) {
    const tasks = solved[name]!;
    console.log(`\n${name} (${CLIENTS[name]})`);
    for (const { name, isSolved, calls, seen, sent } of tasks) {
      console.log(
        `${isSolved ? "solved" : "NOT   "} ${calls} calls ${String(seen).padStart(6)} seen ${
          String(sent).padStart(6)
        } sent  ${name}`,
      );
    }
    const sum = (key: "seen" | "sent" | "calls") => tasks.reduce((total, task) => total + task[key], 0);
    const count = tasks.filter(({ isSolved }) => isSolved).length;
    console.log(
      `${count} of ${tasks.length} solved, ${sum("calls")} calls, ${sum("seen")} tokens seen, ${
        sum("sent")
      } sent`,
    );
  }
}
