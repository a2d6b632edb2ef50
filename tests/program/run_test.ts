import { deepEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import type { Interrupts } from "#program/report.ts";
import { abortable } from "#program/context.ts";
import { type Io, run } from "#program/mod.ts";
import { fakeContext } from "./_fake_io.ts";
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

Deno.test("run() ends a question at Ctrl-C with 130, and the process at the second one", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(join(dir, ".muxue_rag"));
    let interrupt = () => {};
    const io: Partial<Io> = {
      cwd: dir,
      env: {
        MUXUE_RAG_STATE_DIR: join(dir, "state"),
        MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
        TERM: "dumb",
      },
      terminal: { stdin: true, stdout: true, stderr: true },
      onInterrupt: (callback) => {
        interrupt = callback;
        return { [Symbol.dispose]: () => {} };
      },
    };
    const once = fakeContext({
      io: {
        ...io,
        readLine: () => {
          interrupt();
          return Promise.resolve(undefined);
        },
      },
    });
    equal(await run(["clean", "--dir", ".", "--language", "en"], once.context.io, "1.2.3"), 130);
    deepEqual(once.stderr().split("\n").slice(-3), [
      "Stopping… (press Ctrl-C again to quit immediately)",
      "Stopped",
      "",
    ]);
    const twice = fakeContext({
      io: {
        ...io,
        readLine: () => {
          interrupt();
          interrupt();
          return Promise.resolve(undefined);
        },
        exit: (code) => {
          throw new Error(`ended with ${code}`);
        },
      },
    });
    equal(await run(["clean", "--dir", ".", "--language", "en"], twice.context.io, "1.2.3"), 1);
    equal(twice.stderr().includes("ended with 130"), true);
    equal((await Deno.stat(join(dir, ".muxue_rag"))).isDirectory, true);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("run() refers to the log only where there is one", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    const env: Record<string, string> = {
      MUXUE_RAG_STATE_DIR: join(dir, "state"),
      MUXUE_RAG_CONFIG_DIR: join(dir, "settings"),
    };
    const out = () => Promise.reject(new Error("disk on fire"));
    const logging = fakeContext({ io: { cwd: dir, env, out } });
    const argv = ["doctor", "--dir", ".", "--language", "en"];
    equal(await run(argv, logging.context.io, "1.2.3"), 1);
    equal(logging.stderr(), "Error: Internal error: disk on fire. See the log for details\n");

    await Deno.writeTextFile(join(dir, "a file"), "");
    env["MUXUE_RAG_LOG_DIR"] = join(dir, "a file");
    const silent = fakeContext({ io: { cwd: dir, env, out } });
    equal(await run([...argv, "--quiet"], silent.context.io, "1.2.3"), 1);
    equal(silent.stderr(), "Error: Internal error: disk on fire\n");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("run() ends at Ctrl-C while the configuration is loaded", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.writeTextFile(join(cwd, "config.yaml"), "search: {top_k: wrong}");
    for (const argv of [["status", "--dir", "."], ["config", "check"], ["help"]]) {
      let interrupt = () => {};
      const { context, stderr } = fakeContext({
        io: {
          cwd,
          env: {
            LANG: "zh_CN.UTF-8",
            get MUXUE_RAG_CONFIG() {
              interrupt();
              return undefined;
            },
          },
          onInterrupt: (callback) => {
            interrupt = callback;
            return { [Symbol.dispose]: () => {} };
          },
        },
      });
      equal(await run(argv, context.io, "1.2.3"), 130, argv.join(" "));
      equal(stderr(), "正在停止…（再按一次 Ctrl-C 立即结束）\n已停止\n");
    }
  } finally {
    await Deno.remove(cwd, { recursive: true });
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
      "Option --json cannot be used with clean, only with index, search, status, verify, doctor, reembed, eval, extract, setup, uninstall, model install, model list, model remove, config check, --version",
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
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    const listeners = new Set<() => void>();
    const { context, stderr } = fakeContext({
      io: {
        cwd: dir,
        env: { MUXUE_RAG_STATE_DIR: join(dir, "state"), MUXUE_RAG_CONFIG_DIR: join(dir, "settings") },
        onInterrupt: (callback) => {
          listeners.add(callback);
          return { [Symbol.dispose]: () => listeners.delete(callback) };
        },
        ...io,
      },
    });
    const interrupt = () => listeners.forEach((listener) => listener());
    const code = await run(
      ["doctor", "--dir", ".", "--language", "en"],
      context.io,
      "1.2.3",
      (_command, _request, _io, given) => runner(interrupt, given),
    );
    equal(listeners.size, 0);
    return { code, stderr: stderr() };
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("run() listens to Ctrl-C while the worker starts, until the worker listens itself", async () => {
  const waiting = await runBy({}, async (interrupt, { signal }) => {
    interrupt();
    return await abortable(new Promise<number>(() => {}), signal);
  });
  deepEqual(waiting, {
    code: 130,
    stderr: "Stopping… (press Ctrl-C again to quit immediately)\nStopped\n",
  });
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

Deno.test("languageAskedFor() reads the flag before the environment", () => {
  equal(languageAskedFor(["search", "x", "--language", "en"], { MUXUE_RAG_LANGUAGE: "zh" }), "en");
  equal(languageAskedFor(["--language=zh"], { MUXUE_RAG_LANGUAGE: "en" }), "zh");
  equal(languageAskedFor(["--dir", "a"], { MUXUE_RAG_LANGUAGE: "en" }), "en");
});

Deno.test("languageAskedFor() ignores unknown languages", () => {
  equal(languageAskedFor(["--language"], {}), undefined);
  equal(languageAskedFor(["--language", "fr"], { MUXUE_RAG_LANGUAGE: "de" }), undefined);
  equal(languageAskedFor(["search", "--", "--language", "en"], {}), undefined);
});
