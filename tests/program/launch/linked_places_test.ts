import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { makeSandbox, type Sandbox } from "../../e2e/_program.ts";
import { ON_WINDOWS } from "../../foundation/boundary/helpers.ts";

/** A sandbox with two links: `home` to the user's home, `state` to the program's state. */
async function linked(): Promise<Sandbox> {
  const sandbox = await makeSandbox({ "a.md": "# Pears\n\nPears are ripe in autumn.\n" });
  for (const name of ["home", "state"]) {
    await Deno.mkdir(join(sandbox.cwd, `real ${name}`));
    await Deno.symlink(`real ${name}`, join(sandbox.cwd, name));
  }
  return sandbox;
}

/** Runs every command on a folder. Each has to succeed with nothing on stderr. */
async function allCommands({ folder, run }: Sandbox): Promise<void> {
  const dir = ["--dir", folder, "--quiet", "--language", "en"];
  for (
    const line of [
      ["--dir", folder],
      ["search", "pears", "--dir", folder],
      ["search", "pears", "--no-update"],
      ["status"],
      ["doctor"],
      ["reembed", "--dir", folder],
      ["backup", "--dir", folder, "-bp", "linked folder/backup"],
      ["restore", "linked folder/backup", "--dir", folder, "--yes"],
      ["restore", "linked file", "--dir", folder, "--yes"],
      ["clean", "--dir", folder, "--yes"],
      ["eval", "linked folder/questions.jsonl", ...dir.slice(0, 2)],
    ]
  ) {
    const { code, stderr } = await run(...line, "--quiet", "--language", "en");
    deepEqual({ code, stderr }, { code: 0, stderr: "" }, line.join(" "));
  }
}

for (const variable of ["HOME", "MUXUE_RAG_STATE_DIR"]) {
  Deno.test(`links to ${variable} and to named files are followed`, {
    ignore: ON_WINDOWS || Deno.build.os === "darwin" && variable === "HOME",
  }, async () => {
    await using sandbox = await linked();
    const { cwd, env, folder } = sandbox;
    const settings: Record<string, string> = variable === "HOME"
      ? { HOME: join(cwd, "home"), MUXUE_RAG_STATE_DIR: "", XDG_STATE_HOME: "" }
      : { MUXUE_RAG_STATE_DIR: join(cwd, "state") };
    // The runtime keeps its cache there.
    if (Deno.build.os === "linux" && env["HOME"] !== undefined) {
      env["DENO_DIR"] ??= join(env["XDG_CACHE_HOME"] ?? join(env["HOME"], ".cache"), "deno");
    }
    Object.assign(env, settings);
    await Deno.mkdir(join(cwd, "real folder"));
    await Deno.symlink("real folder", join(cwd, "linked folder"));
    await Deno.symlink(join(cwd, "linked folder", "backup"), join(cwd, "linked file"));
    await Deno.writeTextFile(
      join(cwd, "real folder", "questions.jsonl"),
      `${JSON.stringify({ query: "ripe pears", files: ["a.md"] })}\n`,
    );
    await allCommands(sandbox);

    await sandbox.run("--dir", folder, "--quiet");
    const { stdout } = await sandbox.run("status", "--language", "en");
    equal(stdout.split("\n")[0], folder, "it was registered");
    const { stdout: report } = await sandbox.run("doctor", "--language", "en");
    match(report, variable === "HOME" ? /\/real home\// : /\/real state\//);
  });
}

Deno.test("a log folder that holds documents or a home is refused", { ignore: ON_WINDOWS }, async () => {
  await using sandbox = await makeSandbox({ "docs/a.md": "pears\n" });
  const docs = join(sandbox.folder, "docs");
  for (const dir of [docs, sandbox.folder, "/"]) {
    sandbox.env["MUXUE_RAG_LOG_DIR"] = dir;
    const { code, stderr } = await sandbox.run("--dir", docs, "--language", "en");
    deepEqual({ code, stderr }, {
      code: 2,
      stderr:
        `Error: The log folder ${dir} is too broad: the program would be allowed to write to everything ` +
        "in it. Set log.dir in the configuration to a folder for logs only\n",
    });
  }
  sandbox.env["MUXUE_RAG_LOG_DIR"] = join(docs, "logs");
  equal((await sandbox.run("--dir", docs, "--quiet")).code, 0);
});

Deno.test(
  "folders with keys are refused where HOME contains a link",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    await using sandbox = await linked();
    const { cwd, env, run } = sandbox;
    const home = join(cwd, "real home", "me");
    for (const name of [".ssh", ".aws", "docs"]) {
      await Deno.mkdir(join(home, name), { recursive: true });
      await Deno.writeTextFile(join(home, name, "a.md"), "pears\n");
    }
    env["DENO_DIR"] ??= join(env["XDG_CACHE_HOME"] ?? join(env["HOME"] ?? "", ".cache"), "deno");
    env["HOME"] = join(cwd, "home", "me");
    for (
      const [dir, place] of [["~", "me"], ["~/.ssh", "me/.ssh"], [join(home, ".aws"), "me/.aws"]] as const
    ) {
      const { code, stderr } = await run("--dir", dir, "--language", "en");
      equal(code, 2, stderr);
      match(stderr, new RegExp(`real home/${RegExp.escape(place)}`));
    }
    equal((await run("--dir", "~/docs", "--quiet")).code, 0);
  },
);

Deno.test("log folders of the system, with keys, or named ~ are refused", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using sandbox = await makeSandbox({ "a.md": "pears\n" });
  const { cwd, env, folder, run } = sandbox;
  const home = join(cwd, "me");
  await Deno.mkdir(home);
  env["DENO_DIR"] ??= join(env["XDG_CACHE_HOME"] ?? join(env["HOME"] ?? "", ".cache"), "deno");
  env["HOME"] = home;
  const refused = {
    "/etc/cron.d": "/etc",
    "/etc": "/etc",
    "~/.ssh": join(home, ".ssh"),
    "~/.config/autostart": join(home, ".config"),
  };
  for (const [dir, place] of Object.entries(refused)) {
    env["MUXUE_RAG_LOG_DIR"] = dir;
    const { code, stderr } = await run("--dir", folder, "--language", "en");
    const full = dir.replace("~", home);
    deepEqual({ code, stderr }, {
      code: 2,
      stderr: full === place
        ? `Error: The log folder ${full} is too broad: the program would be allowed to write to everything in it. ` +
          "Set log.dir in the configuration to a folder for logs only\n"
        : `Error: The log folder ${full} is inside ${place}, which belongs to the system or contains keys, so no ` +
          "log is written there. Set log.dir in the configuration to another folder\n",
    }, dir);
  }
  env["MUXUE_RAG_LOG_DIR"] = "~";
  equal((await run("--dir", folder, "--quiet")).code, 2);
  for (const dir of ["~/logs", "~/.local/state/other/logs"]) {
    env["MUXUE_RAG_LOG_DIR"] = dir;
    const { code, stderr } = await run("--dir", folder, "--quiet");
    deepEqual({ code, stderr }, { code: 0, stderr: "" });
    // The log and the traces.
    equal(Array.from(Deno.readDirSync(dir.replace("~", home))).length, 2);
  }
  deepEqual(Array.from(Deno.readDirSync(cwd), ({ name }) => name).includes("~"), false);
});
