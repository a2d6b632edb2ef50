import { deepEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { type Log, type LogOptions, logSearch, NO_LOG, startLog } from "#foundation/log.ts";
import { type Language, message } from "#foundation/messages/mod.ts";
import { posixTest } from "../_posix.ts";

async function folder(): Promise<AsyncDisposable & { dir: string }> {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  return { dir, [Symbol.asyncDispose]: () => Deno.remove(dir, { recursive: true }) };
}

function options(dir: string, more: Partial<LogOptions> = {}): LogOptions {
  return { dir, level: "info", retentionDays: 7, clock: () => new Date(2026, 2, 1, 12, 30), ...more };
}

/** Why a log cannot be written, as the user reads it. */
function problemOf({ problem }: Log, language: Language = "en"): string | undefined {
  return problem && message(language, problem.key, problem.params);
}

function names(dir: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
}

/** The records of a day. */
async function records(dir: string, day = "2026-03-01") {
  const text = await Deno.readTextFile(join(dir, `muxue_rag-${day}.jsonl`));
  return text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

async function events(dir: string, day?: string): Promise<string[]> {
  return (await records(dir, day)).map(({ message }) => message);
}

Deno.test("each event is one line of JSON in the file of the day", async () => {
  await using work = await folder();
  const dir = join(work.dir, "new", "logs");
  const log = await startLog(options(dir));
  log.debug("below the level");
  log.info("start", { version: "0.1.0", dirs: ["/数据"] });
  log.warning("odd {name}", { name: "a\nb" });
  log.error("file_failed", { path: "a.md", big: 5n });
  await log.close();
  log.error("too late");

  equal(log.problem, undefined);
  deepEqual(names(dir), ["muxue_rag-2026-03-01.jsonl"]);
  const [timestamp, { pid }] = [new Date(2026, 2, 1, 12, 30).toISOString(), Deno];
  deepEqual(
    await records(dir),
    [
      ["INFO", "start", { pid, version: "0.1.0", dirs: ["/数据"] }],
      ["WARN", "odd {name}", { pid, name: "a\nb" }],
      ["ERROR", "file_failed", { pid, path: "a.md", big: "5" }],
    ].map(([level, message, properties]) => (
      { "@timestamp": timestamp, level, message, logger: "muxue_rag", properties }
    )),
  );
});

Deno.test("log files older than the retention are deleted at the start, other files never", async () => {
  await using work = await folder();
  const others = ["muxue_rag-2026-01-01.jsonl.bak", "notes.jsonl", "other-2026-01-01.jsonl"];
  const days = ["2025-12-31", "2026-02-20", "2026-02-21", "2026-02-22", "2026-02-28"];
  for (const day of days) await Deno.writeTextFile(join(work.dir, `muxue_rag-${day}.jsonl`), "");
  for (const name of others) await Deno.writeTextFile(join(work.dir, name), "");

  const log = await startLog(options(work.dir));
  await log.close();
  deepEqual(names(work.dir), [
    ...["muxue_rag-2026-01-01.jsonl.bak", "muxue_rag-2026-02-22.jsonl", "muxue_rag-2026-02-28.jsonl"],
    ...["muxue_rag-2026-03-01.jsonl", "notes.jsonl", "other-2026-01-01.jsonl"],
  ]);
});

Deno.test("a new file is started at midnight, and the oldest one is deleted", async () => {
  await using work = await folder();
  let now = new Date(2026, 2, 1, 23, 59);
  const log = await startLog(options(work.dir, { retentionDays: 1, clock: () => now }));
  for (const day of [1, 2, 3]) {
    now = new Date(2026, 2, day, 23, 59);
    log.info(`day ${day}`);
  }
  await log.close();
  deepEqual(names(work.dir), ["muxue_rag-2026-03-02.jsonl", "muxue_rag-2026-03-03.jsonl"]);
  deepEqual(await events(work.dir, "2026-03-03"), ["day 3"]);
});

Deno.test("secrets are removed by field name, by pattern and by value", async () => {
  await using work = await folder();
  const log = await startLog(options(work.dir, { secrets: ['quo"ted-LEAK', "short", "abc"] }));
  const failure = Object.assign(new Error("401 for https://me:LEAK1@host/v1?api_key=LEAK2&x=1"), {
    "api_key": "LEAK 3",
    cause: new Error('{"password":"LEAK 4, more LEAK", "secret": \'LEAK5\'}'),
  });
  log.error("request_failed Bearer LEAK6.x sk-LEAK7777 enc:v1:LEAK8+/==", {
    failure,
    "api_key": "LEAK9",
    headers: { Authorization: "Bearer LEAK10", "x-api-key": 11, Cookie: ["LEAK12"] },
    list: [{ passphrase: "LEAK13" }, "token=LEAK14", 'quo"ted-LEAK'],
    body: JSON.stringify({ "access_token": "LEAK15", nested: '{"client_secret":"LEAK 16"}' }),
    jwt: "eyJLEAK.LEAK.LEAK",
    env: "MUXUE_RAG_PASSPHRASE=LEAK17",
    basic: "authorization: Basic LEAK18",
  });
  const harmless = { "max_tokens": 5, keyword: "key", tokens: 12, text: "abc sk- monkey=1", length: 3 };
  log.info("kept", harmless);
  await log.close();

  const [error, kept] = await records(work.dir);
  equal(JSON.stringify(error).match(/.{0,30}LEAK.{0,10}/), null);
  deepEqual(kept.properties, { pid: Deno.pid, ...harmless });
});

Deno.test("a folder that cannot be written does not stop the program, and `problem` says why", async () => {
  await using work = await folder();
  const file = join(work.dir, "a file");
  await Deno.writeTextFile(file, "");
  const log = await startLog(options(file));
  log.info("start");
  await log.close();
  ok(
    problemOf(log)?.startsWith(`Cannot write to the log folder ${file}, so this run keeps no log: `),
    problemOf(log),
  );

  const homeless = await startLog({ dir: null, level: "info", retentionDays: 7 });
  homeless.info("start");
  await homeless.close();
  equal(problemOf(homeless, "zh"), "找不到用户的状态目录，本次运行不记日志。可用 MUXUE_RAG_STATE_DIR 指定");
});

Deno.test("a folder that vanishes is created again at midnight", async () => {
  await using work = await folder();
  const dir = join(work.dir, "logs");
  let now = new Date(2026, 2, 1);
  const log = await startLog(options(dir, { clock: () => now }));
  // An open file cannot be removed on Windows.
  if (Deno.build.os !== "windows") await Deno.remove(dir, { recursive: true });
  log.info("lost");
  now = new Date(2026, 2, 2);
  log.info("written");
  await log.close();
  deepEqual(await events(dir, "2026-03-02"), ["written"]);
});

Deno.test("properties that cannot be written as JSON do not stop the program", async () => {
  await using work = await folder();
  const log = await startLog(options(work.dir));
  const circle: Record<string, unknown> = { name: "circle" };
  circle["self"] = circle;
  log.info("circle", { circle });
  log.info("hostile", {
    get trap() {
      throw new Error("no");
    },
  });
  log.info("after");
  await log.close();
  equal(log.problem, undefined);
  deepEqual(await events(work.dir), ["circle", "hostile", "after"]);
  deepEqual((await records(work.dir))[1].properties, { pid: Deno.pid, unwritable: true });
});

Deno.test("several logs write whole lines to one file at the same time", async () => {
  await using work = await folder();
  const logs = await Promise.all([1, 2, 3].map(() => startLog(options(work.dir))));
  const children = [1, 2].map((child) =>
    new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", "--no-lock", childCode(work.dir, child)],
      cwd: join(import.meta.dirname ?? ".", ".."),
      stdout: "piped",
      stderr: "piped",
    }).output()
  );
  for (let at = 0; at < 100; at++) for (const log of logs) log.info("line", { at, text: "字".repeat(500) });
  const outputs = await Promise.all(children);
  for (const log of logs) await log.close();
  // Nothing goes to stdout or stderr, not even from a program that never closes its log.
  for (const { stdout, stderr } of outputs) {
    deepEqual([new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)], ["", ""]);
  }
  deepEqual(
    (await events(work.dir)).sort(),
    [Array(100).fill("child1"), Array(100).fill("child2"), Array(300).fill("line")].flat(),
  );
});

function childCode(dir: string, child: number): string {
  const module = new URL("../../lib/foundation/log.ts", import.meta.url).href;
  return `const { startLog } = await import(${JSON.stringify(module)});
    const clock = () => new Date(2026, 2, 1);
    const log = await startLog({ dir: ${JSON.stringify(dir)}, level: "info", retentionDays: 7, clock });
    for (let at = 0; at < 100; at++) log.info("child${child}", { text: "x".repeat(3000) });`;
}

Deno.test("only the user can read the log", async () => {
  if (Deno.build.os === "windows") return;
  await using work = await folder();
  const dir = join(work.dir, "logs");
  const log = await startLog(options(dir));
  await log.close();
  const mode = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
  deepEqual([await mode(dir), await mode(join(dir, "muxue_rag-2026-03-01.jsonl"))], [0o700, 0o600]);
});

Deno.test("a search is logged with the length and hash of its query, and with the text only at debug", async () => {
  await using work = await folder();
  const info = await startLog(options(work.dir));
  const debug = await startLog(options(work.dir, { level: "debug" }));
  const hits = ["/a.md", "/b.md", "/a.md"].map((filePath) => ({ filePath, content: "not for the log" }));
  logSearch(info, "abc", { hits, seconds: 0.5 });
  logSearch(debug, "abc", { hits: [], seconds: 0.25 });
  logSearch(info, "a中😀", { hits: [], seconds: 0 });
  logSearch(NO_LOG, "abc", { hits, seconds: 0 });
  await info.close();
  await debug.close();
  deepEqual(await events(work.dir), ["search", "search", "search"]);
  const written = await records(work.dir);
  const { pid } = Deno;
  const sha256 = "ba7816bf8f01";
  deepEqual(written.slice(0, 2).map(({ properties }) => properties), [
    { pid, length: 3, sha256, hits: 3, files: 2, seconds: 0.5 },
    { pid, length: 3, sha256, text: "abc", hits: 0, files: 0, seconds: 0.25 },
  ]);
  equal(written[2].properties.length, 3);
});

Deno.test("a secret that is not set is logged as not set", async () => {
  await using work = await folder();
  const log = await startLog(options(work.dir));
  const unset = { "api_key": null, nested: { password: null }, text: "token: null, api_key=null-LEAK" };
  log.info("config", { ...unset, body: JSON.stringify({ "api_key": null }), secret: "" });
  await log.close();
  deepEqual((await records(work.dir))[0].properties, {
    pid: Deno.pid,
    ...unset,
    text: "token: null, api_key=[redacted]",
    body: '{"api_key":null}',
    secret: "[redacted]",
  });
});

posixTest(
  "a log file that is a link or has a second name is not written, and the program continues",
  async () => {
    await using work = await folder();
    const victim = join(work.dir, "bashrc");
    const dir = join(work.dir, "logs");
    const path = join(dir, "muxue_rag-2026-03-01.jsonl");
    await Deno.mkdir(dir);
    await Deno.writeTextFile(victim, "precious");
    const pipe = join(work.dir, "pipe");
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    const makers = [
      () => Deno.symlink("../bashrc", path),
      () => Deno.link(victim, path),
      () => Deno.rename(pipe, path),
      () => Deno.mkdir(path),
    ];
    for (const make of makers) {
      await make();
      const log = await startLog(options(dir));
      log.info("lost");
      equal(
        problemOf(log),
        `The log ${path} is not a regular file or folder (it is a link, a file with a second name, or was just replaced), so this run keeps no log. Move it away, or set log.dir to another folder`,
      );
      await log.close();
      await Deno.remove(path);
    }
    await Deno.symlink("../made", path);
    await (await startLog(options(dir))).close();
    deepEqual(names(work.dir), ["bashrc", "logs"]);
    equal(await Deno.readTextFile(victim), "precious");
  },
);

posixTest("nothing is written or deleted in a log folder that became a link", async () => {
  await using work = await folder();
  const [dir, victim] = [join(work.dir, "logs"), join(work.dir, "victim")];
  let now = new Date(2026, 2, 1, 23, 59);
  const log = await startLog(options(dir, { clock: () => now }));
  log.info("written");
  await Deno.mkdir(victim);
  await Deno.writeTextFile(join(victim, "muxue_rag-2020-01-01.jsonl"), "precious");
  await Deno.rename(dir, join(work.dir, "moved"));
  await Deno.symlink("victim", dir);
  now = new Date(2026, 2, 2);
  log.info("lost");
  equal(problemOf(log)?.startsWith(`The log ${dir} is not a regular file or folder`), true, problemOf(log));
  // put right again, it goes on
  await Deno.remove(dir);
  await Deno.rename(join(work.dir, "moved"), dir);
  log.info("again");
  equal(log.problem, undefined);
  await log.close();
  deepEqual(names(victim), ["muxue_rag-2020-01-01.jsonl"]);
  deepEqual(await events(dir, "2026-03-02"), ["again"]);
});

Deno.test("records are held for a while on request, and written when it is over or the log is closed", async () => {
  await using work = await folder();
  const log = await startLog(options(work.dir, { heldMs: 20 }));
  log.info("start");
  deepEqual(await events(work.dir), []);
  while ((await events(work.dir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  log.info("later");
  await log.close();
  deepEqual(await events(work.dir), ["start", "later"]);
  const short = await startLog(options(work.dir, { heldMs: 60_000 }));
  short.info("closed soon");
  await short.close();
  deepEqual(await events(work.dir), ["start", "later", "closed soon"]);
});
