import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Language } from "#foundation/messages/mod.ts";
import { startFlags } from "../compile/start_flags.ts";
import { copyFolder } from "../copy_folder.ts";
import { WORDS } from "./words.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Path of the guide in the recording. */
const SHOWN = "/home/me/docs";

/** Longest wait for the new file to be found. */
const PATIENCE_MS = 60_000;
const POLL_MS = 100;

/** A note in an answer while the server updates an index: how far it is. The recording waits for its end, which varies. */
const IS_UPDATING = /\(\d+ %\)/;

/** Asks a running server. Returns the text of the answer. */
type Call = (name: string, args: Record<string, unknown>) => Promise<string>;

/** Records the session in a language and returns its page as Markdown. */
export async function recordSession(language: Language): Promise<string> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "muxue_rag-transcript-" }));
  const folder = join(top, "docs");
  try {
    await copyFolder(join(ROOT, "examples", "docs", language), folder);
    const env = {
      ...Object.fromEntries(
        Object.entries(Deno.env.toObject()).filter(([name]) => !name.startsWith("MUXUE_RAG_")),
      ),
      MUXUE_RAG_STATE_DIR: join(top, "state"),
      MUXUE_RAG_CONFIG_DIR: join(top, "config"),
      MUXUE_RAG_LANGUAGE: language,
    };
    const run = ["run", ...startFlags(), join(ROOT, "main.ts")];
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [...run, "--dir", folder, "--quiet"],
      env,
      clearEnv: true,
      cwd: top,
    }).output();
    if (code !== 0) throw new Error(`indexing the guide ended with ${code}`);
    const client = new Client({ name: "claude-ai", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: Deno.execPath(),
        args: [...run, "serve", "--dir", folder],
        env,
        cwd: top,
        stderr: "ignore",
      }),
    );
    try {
      const shown = (text: string) => text.replaceAll(folder, SHOWN).replaceAll("\\", "/");
      const call: Call = async (name, args) => {
        const real = Object.entries(args).map(([key, value]) =>
          [key, typeof value === "string" ? value.replace(SHOWN, folder) : value] as const
        );
        const { content, isError } = await client.callTool({ name, arguments: Object.fromEntries(real) });
        if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
        return shown(content.map((part) => part.type === "text" ? part.text : `(${part.type})`).join("\n"));
      };
      const tools = (await client.listTools()).tools.map(({ name }) => name);
      return await session(
        language,
        tools,
        call,
        (name, text) => Deno.writeTextFile(join(folder, name), text),
      );
    } finally {
      await client.close();
    }
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

async function session(
  language: Language,
  tools: readonly string[],
  call: Call,
  write: (name: string, text: string) => Promise<void>,
): Promise<string> {
  const words = WORDS[language];
  const lines: string[] = [words.head];
  const record = (name: string, args: Record<string, unknown>, answer: string) =>
    lines.push(`\`${name}\` ${code(JSON.stringify(args))}`, "", block(answer), "");

  lines.push(words.tools(tools.map(code).join(words.comma)), "", words.list, "");
  const list = { limit: 3 };
  record("list_documents", list, await call("list_documents", list));

  lines.push(words.search, "");
  const search = { keyword: words.question, "top_k": 1 };
  const found = await call("search_rag", search);
  record("search_rag", search, found);

  lines.push(words.read, "");
  const [, place] = /^\[1\] <quoted-1>(.+?:\d+-\d+)/m.exec(found) ?? [];
  if (place === undefined || !place.includes(words.answerIn)) throw new Error(`another first hit: ${found}`);
  const read = { "file_path": place };
  record("get_document_content", read, await call("get_document_content", read));

  lines.push(words.cite(place.slice(`${SHOWN}/`.length)), "", words.write, "", block(words.note), "");
  await write(words.noteName, words.note);

  lines.push(words.searchAgain, "");
  const again = { keyword: words.noteQuestion, "top_k": 1 };
  const began = Date.now();
  let answer = await call("search_rag", again);
  while (!answer.includes(words.noteName) || IS_UPDATING.test(answer)) {
    if (Date.now() - began > PATIENCE_MS) throw new Error(`the new file is not found: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    answer = await call("search_rag", again);
  }
  record("search_rag", again, answer);
  lines.push(words.end, "");
  return lines.join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A fenced block, with a fence that the text does not hold. */
function block(text: string): string {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/^`+/gm)].map(([marks]) => marks.length + 1)));
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}
