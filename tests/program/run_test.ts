import { deepEqual, equal, match } from "node:assert/strict";
import type { Interrupts } from "#program/report.ts";
import { abortable } from "#program/context.ts";
import { type Io, run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";
import { place, TERMINAL } from "./_place.ts";
import { languageAskedFor } from "#program/run.ts";

Deno.test("run() ends quietly when the reader of stdout has gone", async () => {
  const { context, stderr } = fakeContext({
    io: { out: () => Promise.reject(new Deno.errors.BrokenPipe("gone")) },
  });
  equal(await run(["--version"], context.io, "1.2.3"), 0);
  equal(stderr(), "");
});

Deno.test("run() reports an unexpected error, exit code 1", async () => {
  const { context, stderr } = fakeContext({ io: { out: () => Promise.reject(new Error("disk on fire")) } });
  equal(await run(["--version", "--language", "en"], context.io, "1.2.3"), 1);
  equal(stderr(), "Error: Internal error: disk on fire\n", "there is no log yet");
});

/** Streams whose user presses Ctrl-C where `interrupt` is called. */
function interruptible() {
  const listeners = new Set<() => void>();
  return {
    interrupt: () => listeners.forEach((listener) => listener()),
    listeners,
    onInterrupt: (listener: () => void) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => listeners.delete(listener) };
    },
  };
}

Deno.test("run() ends a question at Ctrl-C with 130, and the process at the second one", async () => {
  await using here = await place({}, { TERM: "dumb" });
  await here.mkdir(".muxue_rag");
  const cleanWith = (presses: number) => {
    const { interrupt, onInterrupt } = interruptible();
    const readLine = () => {
      for (let press = 0; press < presses; press++) interrupt();
      return Promise.resolve(undefined);
    };
    const exit = (code: number) => {
      throw new Error(`ended with ${code}`);
    };
    return here.run(["clean", "--dir", "."], { terminal: TERMINAL, onInterrupt, readLine, exit });
  };
  const once = await cleanWith(1);
  equal(once.code, 130);
  match(once.stderr, /\nStopping… \(press Ctrl-C again to quit immediately\)\nStopped\n$/);
  const twice = await cleanWith(2);
  deepEqual([twice.code, twice.stderr.includes("ended with 130")], [1, true]);
  equal(await here.exists(".muxue_rag"), true);
});

Deno.test("run() refers to the log only where there is one", async () => {
  await using here = await place({ "a file": "" });
  const out = () => Promise.reject(new Error("disk on fire"));
  const message = "Error: Internal error: disk on fire";
  const logged = { code: 1, stdout: "", stderr: `${message}. See the log for details\n` };
  deepEqual(await here.run(["doctor", "--dir", "."], { out }), logged);
  const env = { ...here.env, MUXUE_RAG_LOG_DIR: here.at("a file") };
  const silent = { code: 1, stdout: "", stderr: `${message}\n` };
  deepEqual(await here.run(["doctor", "--dir", ".", "--quiet"], { out, env }), silent);
});

Deno.test("run() ends at Ctrl-C while the configuration is loaded", async () => {
  await using here = await place({ "config.yaml": "search: {top_k: wrong}" });
  for (const argv of [["status", "--dir", "."], ["config", "check"], ["help"]]) {
    const { interrupt, onInterrupt } = interruptible();
    const env = {
      LANG: "zh_CN.UTF-8",
      get MUXUE_RAG_CONFIG() {
        interrupt();
        return undefined;
      },
    };
    const stderr = "正在停止…（再按一次 Ctrl-C 立即结束）\n已停止\n";
    deepEqual(await here.run(argv, { env, onInterrupt }), { code: 130, stdout: "", stderr }, argv.join(" "));
  }
});

Deno.test("run() reports a wrong usage as JSON with --json", async () => {
  const answers: unknown[] = [];
  for (const argv of [["--json", "--ful"], ["clean", "--json"], ["search", "--top-k", "0", "w", "--json"]]) {
    const { context, stdout, stderr } = fakeContext();
    equal(await run([...argv, "--language", "en"], context.io, "1.2.3"), 2);
    answers.push(JSON.parse(stdout()));
    equal(stderr().startsWith("Error: "), true);
  }
  deepEqual(
    answers,
    [
      "Unknown option --ful. Did you mean --full?",
      "Option --json cannot be used with clean, only with index, preview, search, ask, check-answer, why-not, status, verify, doctor, reembed, eval, eval history, trace list, trace show, token add, token list, token revoke, extract, setup, update, uninstall, model install, model list, model remove, config check, --version",
      "Invalid value 0 for --top-k. Use a whole number from 1 to 100",
    ].map((message) => ({ code: 500, message, data: null })),
  );

  const { context, stdout } = fakeContext();
  equal(await run(["serch", "--", "--json"], context.io, "1.2.3"), 2);
  equal(stdout(), "");
});

Deno.test("run() replaces control characters of the command line on the terminal, but not in JSON", async () => {
  const { context, stdout, stderr } = fakeContext();
  equal(await run(["se\u001b[31mrch", "--json", "--language", "en"], context.io, "1.2.3"), 2);
  equal(stderr().split("\n")[0]?.includes("\u001b"), false);
  equal(JSON.parse(stdout()).message.includes("se\u001b[31mrch"), true);
});

/**
 * Runs `doctor` with a runner of the test in place of the locked worker. The runner can send a Ctrl-C. Gives the exit code and
 * stderr.
 */
async function runBy(
  io: Partial<Io>,
  runner: (interrupt: () => void, given: Interrupts) => Promise<number>,
): Promise<{ code: number; stderr: string }> {
  await using here = await place();
  const { interrupt, listeners, onInterrupt } = interruptible();
  const { context, stderr } = fakeContext({ io: { cwd: here.dir, env: here.env, onInterrupt, ...io } });
  const code = await run(
    ["doctor", "--dir", "."],
    context.io,
    "1.2.3",
    (_command, _request, _io, given) => runner(interrupt, given),
  );
  equal(listeners.size, 0);
  return { code, stderr: stderr() };
}

Deno.test("run() listens to Ctrl-C while the worker starts, until the worker listens itself", async () => {
  const waiting = await runBy({}, async (interrupt, { signal }) => {
    interrupt();
    return await abortable(new Promise<number>(() => {}), signal);
  });
  const stopped = "Stopping… (press Ctrl-C again to quit immediately)\nStopped\n";
  deepEqual(waiting, { code: 130, stderr: stopped });
  const handedOver = await runBy({}, (interrupt, given) => {
    given.handOver(() => {});
    interrupt();
    return Promise.resolve(given.signal.aborted ? 1 : 0);
  });
  deepEqual(handedOver, { code: 0, stderr: "" });
});

Deno.test("after the handover the first Ctrl-C is reported, and the second ends the process with 130", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  const io: Partial<Io> = {
    exit: (code) => {
      end(code);
      return undefined as never;
    },
  };
  let told = 0;
  const { code, stderr } = await runBy(io, async (interrupt, given) => {
    given.handOver(() => told++);
    interrupt();
    interrupt();
    return await ended;
  });
  deepEqual({ code, stderr, told }, { code: 130, stderr: "", told: 1 });
});

Deno.test("languageAskedFor() reads the flag before the environment, and ignores unknown languages", () => {
  for (
    const [argv, MUXUE_RAG_LANGUAGE, language] of [
      [["search", "x", "--language", "en"], "zh", "en"],
      [["--language=zh"], "en", "zh"],
      [["--dir", "a"], "en", "en"],
      [["--language"], "", undefined],
      [["--language", "fr"], "de", undefined],
      [["search", "--", "--language", "en"], "", undefined],
    ] as const
  ) equal(languageAskedFor(argv, { MUXUE_RAG_LANGUAGE }), language, argv.join(" "));
});
