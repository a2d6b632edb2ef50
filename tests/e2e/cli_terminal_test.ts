// deno-lint-ignore-file no-control-regex -- the test is about control sequences
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { displayWidth } from "#program/terminal_text.ts";
import { hasTerminal, makeIndexed, makeSandbox, NOTES, type Sandbox, writeFiles } from "./_program.ts";

const EN = { env: { MUXUE_RAG_LANGUAGE: "en" } };
const ignore = !await hasTerminal();

/** A test on a terminal, with a folder of notes that is indexed. */
function terminalTest(name: string, test: (sandbox: Sandbox) => Promise<void>): void {
  Deno.test({ name: `on a terminal, ${name}`, ignore }, async () => {
    await using sandbox = await makeIndexed(NOTES, EN);
    await test(sandbox);
  });
}

Deno.test({ name: "on a terminal, indexing shows a progress bar and removes it", ignore }, async () => {
  await using sandbox = await makeSandbox(NOTES, EN);
  const { code, stdout } = await sandbox.runIn({ terminal: 80 })`--dir ${sandbox.folder}`;
  equal(code, 0, stdout);
  match(stdout, /\u001b\[\?25l/, "the cursor is hidden");
  match(stdout, /\u001b\[\?25h/, "and shown again");
  match(stdout, /\u001b\[1mIndexed: /);
});

terminalTest("serve says what it is and how to connect a client", async ({ folder, runIn }) => {
  // the end of the input ends the server
  const run = runIn({ terminal: 200, stdin: "\u0004" });
  match(
    (await run`serve --no-watch --dir ${folder}`).stdout,
    /This is the MCP server \(1 folder\)\. An AI client starts it and speaks to it on standard input; Ctrl-C ends it\s+To connect a client, run: muxue_rag setup/,
  );
});

terminalTest("NO_COLOR turns off colours", async ({ folder, runIn }) => {
  const { stdout } = await runIn({ terminal: 80, env: { NO_COLOR: "1" } })`status --dir ${folder}`;
  equal(/\u001b\[\d+m/.exec(stdout), null);
  ok(stdout.includes("ready"));
});

terminalTest("clean asks and follows the answer", async ({ folder, runIn }) => {
  const declined = await runIn({ terminal: 80, stdin: "n\n" })`--clean --dir ${folder}`;
  match(declined.stdout, /Continue\? \[y\/N\] /);
  match(declined.stdout, /Cancelled. Nothing was changed/);
  equal(declined.code, 1);
  const accepted = await runIn({ terminal: 80, stdin: "y\n" })`--clean --dir ${folder}`;
  match(accepted.stdout, /Index deleted: /);
  equal(accepted.code, 0);
});

terminalTest(
  "search wraps the hits to its width and puts the best one last",
  async ({ folder, run, runIn }) => {
    await writeFiles(folder, {
      "keys.md": `# Keys\n\n${"Water the garden. ".repeat(9)}Rotate the keys 🔑 in May.\n`,
      "list.md": "# List\n\nThe keys of the house, rotate them too.\n",
    });
    await run`--dir ${folder} --quiet`;
    for (const columns of [60, 80, 140]) {
      const { code, stdout } = await runIn({
        terminal: columns,
      })`search rotate keys --dir ${folder} --no-update`;
      equal(code, 0, stdout);
      const lines = stdout.replaceAll("\r", "").trimEnd().split("\n");
      for (const line of lines) ok(displayWidth(line) <= columns, line);
      deepEqual(lines.filter((line) => /^\d /.test(line)).map((line) => line[0]), ["2", "1"]);
      match(
        stdout,
        /\u001b\[1m\u001b\[31mRotate\u001b\[39m\u001b\[22m the \u001b\[1m\u001b\[31mkeys\u001b\[39m\u001b\[22m 🔑 in May\./,
      );
    }
  },
);

terminalTest("the names of files are links where the terminal shows them", async ({ folder, runIn }) => {
  const search = (env: Record<string, string>) =>
    runIn({ terminal: 80, env })`search tomato soup --dir ${folder} --no-update`;
  const linked = await search({ TERM: "xterm-kitty" });
  const link = `\u001b]8;;${pathToFileURL(join(folder, "recipe.txt")).href}\u001b\\`;
  ok(linked.stdout.includes(link), linked.stdout);
  const kitty = { TERM: "xterm-kitty" };
  for (const env of [{ TERM: "dumb" }, { ...kitty, NO_COLOR: "1" }, { ...kitty, FORCE_HYPERLINK: "0" }]) {
    const { code, stdout } = await search(env);
    deepEqual([code, stdout.includes("\u001b]8;")], [0, false], JSON.stringify(env));
  }
});

terminalTest("the notices of a search come after the hits", async ({ folder, runIn }) => {
  const search = ["search", '"soup of tomatoes"', "--dir", folder, "--no-update"];
  const { stdout } = await runIn({ terminal: 80 })`${search}`;
  match(stdout, /recipe\.txt[^]*with onions[^]*Note: [^]*soup of tomatoes/);
});
