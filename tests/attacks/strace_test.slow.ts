import { modelFilePaths } from "#models/neural/mod.ts";
import { deepEqual, equal, match } from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { modelsWithOcr } from "../documents/recognition/_language_data.ts";
import { sample } from "../documents/recognition/_samples.ts";
import { scanPdf } from "../documents/recognition/_scan_pdf.ts";
import { call, search } from "../e2e/_mcp_pipe.ts";
import { EXECUTABLE, writeFiles } from "../e2e/_program.ts";
import { KEY as MODEL_KEY, LanguageServer, MODEL_NAME } from "../models/language/_servers/mod.ts";
import { EmbeddingServer } from "../models/embedding/_embedding_server.ts";
import { testModel } from "../models/neural/_models.ts";
import { type Arena, makeArena } from "./_arena.ts";
import {
  callsOfProgram,
  DATA,
  deedsOf,
  deedsOfExtractors,
  KEY,
  LOGS,
  named,
  REGISTRY,
  TRACED_LOGS,
} from "./_deeds.ts";
import { hasStrace, traced } from "./_strace.ts";

const available = await hasStrace();
if (!available) {
  Deno.test.ignore(
    "skipped: strace is not installed, so the system calls of the program are not watched",
    () => {},
  );
}

/** An attack on a folder with a note, which strace watches. */
function watchedAttack(
  name: string,
  test: (arena: Arena, context: Deno.TestContext) => Promise<void>,
  ignore = !available,
): void {
  Deno.test({ name, ignore }, async (context) => {
    await using arena = await makeArena({ "tea.md": "green tea\n" });
    await test(arena, context);
  });
}

/** The processes for documents: only the program itself starts them, and they touch nothing. */
const EXTRACTOR = { program: true, argument: "__extract", touched: [], network: 0 };

watchedAttack(
  "under strace, no command touches files outside, starts a program or connects",
  async (arena, context) => {
    const { folder } = arena;
    const kept = arena.beside("kept");
    /** Runs a command as a step. It may write `may` and read `more` outside. Returns its output. */
    const watch = async (
      name: string,
      may: readonly string[],
      args: readonly string[],
      { input = "", more = [] }: { readonly input?: string; readonly more?: readonly string[] } = {},
    ): Promise<string> => {
      let output = "";
      await context.step(name, async () => {
        const { calls, code, stdout, stderr } = await traced(arena, args, input);
        equal(code, 0, stderr);
        const { written, read, ...others } = deedsOf(arena, calls);
        const outside = named(arena, written).filter((path) => !may.includes(path));
        deepEqual({ ...others, written: outside }, { ports: [], started: 0, written: [] });
        deepEqual(read.filter((path) => !more.includes(path)), []);
        output = stdout;
      });
      return output;
    };
    const dir = ["--dir", folder];
    const lock = "DIR/.muxue_rag/lock";
    const all = [...TRACED_LOGS, ...DATA, ...REGISTRY];
    await watch("index", [...all, ...KEY], dir);
    match(await watch("search", [...TRACED_LOGS, lock], ["search", "tea", ...dir]), /tea\.md/);
    const clientInfo = { name: "t", version: "0" };
    const messages = [
      {
        ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
      },
      search(1, "tea"),
      call(2, "read_raw_file", { "file_path": "tea.md" }),
      call(3, "read_raw_file", { "file_path": "/etc/passwd" }),
    ];
    const input = messages.map((each) => `${JSON.stringify(each)}\n`).join("");
    const answers = await watch("serve", TRACED_LOGS, ["serve", "--no-watch", ...dir], { input });
    equal(answers.trim().split("\n").length, messages.length);
    await watch("status, which writes nothing at all", [], ["status", ...dir]);
    await watch("verify, which writes nothing either", [], ["verify", "--deep", ...dir]);
    // The folder of the backup is created if it is missing, and synced.
    const may = [...LOGS, lock, dirname(kept), kept, `${kept}.tmp`];
    await watch("backup", may, ["backup", ...dir, "--backup-path", kept], { more: [dirname(kept)] });
    await watch("restore", all, ["restore", kept, ...dir, "--yes"], { more: [kept] });
    const path = await testModel("en");
    const config = arena.beside("local.json");
    const embedding = { provider: "local", local: { en: { path } } };
    await Deno.writeTextFile(config, JSON.stringify({ embedding }));
    const local = [...dir, "--config", config];
    const more = modelFilePaths(path);
    const vectors = ["neural.lock", "neural-ID.vec"].map((name) => `DIR/.muxue_rag/${name}`);
    await watch("index --wait with a local model", [...all, ...vectors], ["index", "--wait", ...local], {
      more,
    });
    const beverage = ["search", "beverage", "--no-update", ...local];
    match(await watch("search with a local model", TRACED_LOGS, beverage, { more }), /tea\.md/);
    const names = [...DATA, ...vectors].map((path) => basename(path));
    await watch("clean", [...all, ...vectors, ...names], ["clean", ...dir, "--yes"]);
  },
);

watchedAttack(
  "under strace, only the program itself parses documents, and that process touches no file",
  async (arena, context) => {
    const dir = ["--dir", arena.folder];
    await writeFiles(arena.folder, {
      "page.html": "<!DOCTYPE html><title>Tea</title><p>Green tea wants 80 degrees.</p>",
    });
    const watch = (name: string, args: readonly string[], expected: readonly object[]) =>
      context.step(name, async () => {
        const { calls, code, stderr } = await traced(arena, args);
        equal(code, 0, stderr);
        deepEqual(deedsOfExtractors(arena, calls), expected);
      });
    await watch("index", dir, [EXTRACTOR]);
    await watch("index, when nothing has changed", dir, []);
    await watch("search", ["search", "tea", ...dir, "--no-update"], []);
    await watch("extract", ["extract", arena.at("page.html")], [EXTRACTOR]);
    for (const command of ["status", "doctor"]) await watch(command, [command, ...dir], []);
  },
);

watchedAttack("under strace, the program connects only to the embedding server", async (arena) => {
  await using server = await EmbeddingServer.start();
  Object.assign(arena.env, {
    "MUXUE_RAG_EMBEDDING_PROVIDER": "openai-compatible",
    "MUXUE_RAG_EMBEDDING_BASE_URL": server.url,
    "MUXUE_RAG_EMBEDDING_MODEL": "test-embed",
  });
  for (const args of [[], ["search", "anything"]]) {
    const { calls, code, stderr } = await traced(arena, [...args, "--dir", arena.folder]);
    equal(code, 0, stderr);
    const { ports, read, started } = deedsOf(arena, calls);
    // The runtime reads certificates even if it does not need them.
    const certificates = /^\/(?:etc|usr\/lib|usr\/share)\/(?:ssl|ca-certificates|pki)\//;
    const outside = read.filter((path) => !certificates.test(path));
    deepEqual([[...new Set(ports)], outside, started], [[String(server.port)], [], 0]);
  }
});

watchedAttack(
  "under strace, no command connects to a language model that is used for nothing, whatever keys there are",
  async (arena, context) => {
    await using server = await LanguageServer.start("openai");
    const keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "AZURE_API_KEY", "OLLAMA_HOST"];
    for (const name of keys) arena.env[name] = MODEL_KEY;
    arena.env["OPENAI_BASE_URL"] = server.url;
    const named = {
      "MUXUE_RAG_LLM_BASE_URL": server.url,
      "MUXUE_RAG_LLM_MODEL": MODEL_NAME,
      "MUXUE_RAG_LLM_API_KEY": MODEL_KEY,
    };
    const tasks = "refine,enrich,caption,rewrite,rerank,verify,judge";
    const settings: Record<string, Record<string, string>> = {
      "provider none with tasks": { ...named, "MUXUE_RAG_LLM_TASKS": tasks },
      "a provider without tasks": { ...named, "MUXUE_RAG_LLM_PROVIDER": "openai" },
    };
    for (const [name, setting] of Object.entries(settings)) {
      Object.assign(arena.env, setting);
      await writeFiles(arena.folder, { [`${name}.md`]: "black tea\n" });
      // With a model, `doctor` tries the one request that needs no task: the answer of `ask`.
      const tries = setting["MUXUE_RAG_LLM_PROVIDER"] === undefined ? [["doctor"]] : [];
      const commands = [[], ["search", "tea"], ["status"], ...tries, ["check-answer", "Tea is green."]];
      for (const args of commands) {
        await context.step(`${name}: ${args[0] ?? "index"}`, async () => {
          const { calls, code, stderr } = await traced(arena, [...args, "--dir", arena.folder]);
          equal(code, 0, stderr);
          deepEqual(deedsOf(arena, calls).ports, []);
        });
      }
      for (const variable of Object.keys(setting)) delete arena.env[variable];
    }
    equal(server.raw.length, 0);
  },
);

/** Variables that the runtime or Node reads. Each could name a file, a socket or an option. */
const VARIABLES = [
  ...["DENO_UNSTABLE_CONTROL_SOCK", "DENO_SERVE_ADDRESS", "DENO_AUDIT_PERMISSIONS", "DENO_COVERAGE_DIR"],
  ...["DENO_PERMISSION_BROKER_PATH", "DENO_V8_FLAGS", "DENO_VSOCK", "DENO_KV_PATH_PREFIX", "DENO_DIR"],
  ...["DENO_CACHE_LSC_ENDPOINT", "DENO_AUTO_SERVE", "DENO_USE_CGROUPS", "DENO_WEBGPU_TRACE", "V8_FLAGS"],
  ...["OTEL_DENO", "OTEL_EXPORTER_OTLP_ENDPOINT", "NODE_OPTIONS", "NODE_CHANNEL_FD", "NODE_DEBUG"],
  ...["NODE_EXTRA_CA_CERTS", "NODE_V8_COVERAGE", "NODE_REPL_HISTORY"],
];

watchedAttack(
  available && EXECUTABLE !== undefined
    ? "watched by strace, the executable does nothing by the runtime's variables but what it warns of"
    : "skipped: without strace and an executable, the effects of the runtime's variables are not watched",
  async (arena) => {
    const named = (name: string) => arena.beside(`named-by-${name}`);
    // The program refuses to start with OTEL_DENO=true: see telemetry_test.ts.
    for (const name of VARIABLES) arena.env[name] = name === "OTEL_DENO" ? "false" : named(name);
    const touched = async () => {
      const { calls, code, stderr } = await traced(arena, ["--dir", arena.folder, "--quiet"]);
      equal(code, 0, stderr);
      const paths = calls.flatMap(({ paths }) => paths).filter((path) => path.includes("named-by-"));
      return { paths: [...new Set(paths)], ports: deedsOf(arena, calls).ports };
    };
    deepEqual(await touched(), { paths: [], ports: [] });
    // The runtime uses these two before the program begins.
    Object.assign(arena.env, {
      "SSLKEYLOGFILE": named("SSLKEYLOGFILE"),
      "DENO_UNSTABLE_CRON_SOCK": `unix:${named("DENO_UNSTABLE_CRON_SOCK")}`,
    });
    const { paths } = await touched();
    deepEqual(paths.includes(named("SSLKEYLOGFILE")), true, paths.join());
    const { stderr } = await arena.run`status --language en`;
    match(stderr, /^Note: The environment variable SSLKEYLOGFILE is set\. /m);
    match(stderr, /^Note: The environment variable DENO_UNSTABLE_CRON_SOCK is set\. /m);
  },
  !available || EXECUTABLE === undefined,
);

const TEXTS = ["recognised", "recognised/ID", "recognised/ID.tmp"].map((name) => `DIR/.muxue_rag/${name}`);

watchedAttack(
  "under strace, text recognition reads the data of its languages alone, and connects to nothing",
  async (arena, context) => {
    const { folder } = arena;
    const image = { dictionary: "/Width 620 /Height 125 /Filter /JPXDecode", data: sample("en.jp2") };
    await writeFiles(folder, {
      "contract.pdf": scanPdf([{ width: 595, height: 120 }], [image]),
      "move.png": sample("zh.png"),
    });
    const models = await modelsWithOcr();
    const data = ["", "eng.traineddata", "chi_sim.traineddata"].map((name) => join(models, "ocr", name));
    Object.assign(arena.env, { "MUXUE_RAG_MODELS_DIR": models, "MUXUE_RAG_FILES_OCR": "tesseract" });

    /** Runs a command as a step. It may write `may`. `starts`: whether it starts a process for documents. */
    const watch = async (name: string, may: readonly string[], args: readonly string[], starts: boolean) => {
      let output = "";
      await context.step(name, async () => {
        const { calls, code, stdout, stderr } = await traced(arena, args);
        equal(code, 0, stderr);
        const extractors = deedsOfExtractors(arena, calls);
        deepEqual(extractors, extractors.map(() => EXTRACTOR));
        equal(extractors.length > 0, starts);
        const { written, read, ports, started } = deedsOf(arena, callsOfProgram(calls));
        const outside = named(arena, written).filter((path) => !may.includes(path));
        deepEqual({ outside, ports, started }, { outside: [], ports: [], started: 0 });
        deepEqual(read.filter((path) => !data.includes(path) && path !== join(models, "ocr")), []);
        output = stdout;
      });
      return output;
    };
    const all = [...TRACED_LOGS, ...DATA, ...REGISTRY, ...KEY, ...TEXTS];
    match(await watch("index", all, ["--dir", folder], true), /识别文字 +2 页/);
    const search = ["search", "claims must be filed in writing", "--dir", folder, "--no-update"];
    match(await watch("search", TRACED_LOGS, search, false), /contract\.pdf/);
    await context.step("extract", async () => {
      const { calls, stdout } = await traced(arena, ["extract", arena.at("move.png")]);
      match(stdout, /保修期/);
      deepEqual(deedsOfExtractors(arena, calls), [EXTRACTOR]);
      deepEqual(calls.filter(({ name }) => name === "connect" || name === "bind"), []);
    });
  },
);
