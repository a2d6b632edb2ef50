// deno-lint-ignore-file no-control-regex -- the test is about control sequences
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { displayWidth } from "#program/terminal_text.ts";
import { folderOfNotes, hasTerminal, muxueRag, sandbox, terminal } from "../program/_muxue_rag.ts";

const ignore = !await hasTerminal();

Deno.test({ name: "on a terminal, indexing shows a progress bar and removes it", ignore }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const run = await terminal(place, ["--dir", dir, "--language", "en"]);
  equal(run.code, 0, run.stdout);
  match(run.stdout, /\u001b\[\?25l/, "the cursor is hidden");
  match(run.stdout, /\u001b\[\?25h/, "and shown again");
  match(run.stdout, /\u001b\[1mIndexed: /);
});

Deno.test({ name: "on a terminal, serve says what it is and how to connect a client", ignore }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  // the end of the input ends the server
  const run = await terminal(place, ["serve", "--no-watch", "--dir", dir, "--language", "en"], {
    stdin: "\u0004",
  });
  match(
    run.stdout,
    /This is the MCP server \(1 folder\)\. An AI client starts it and speaks to it on standard input; Ctrl-C ends it\s+To connect a client, run: muxue_rag setup/,
  );
});

Deno.test({ name: "NO_COLOR turns off colours on a terminal", ignore }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  const run = await terminal(place, ["status", "--dir", dir, "--language", "en"], { env: { NO_COLOR: "1" } });
  equal(/\u001b\[\d+m/.exec(run.stdout), null);
  ok(run.stdout.includes("not indexed"));
});

Deno.test({ name: "on a terminal, clean asks and follows the answer", ignore }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  const declined = await terminal(place, ["--clean", "--dir", dir, "--language", "en"], { stdin: "n\n" });
  match(declined.stdout, /Continue\? \[y\/N\] /);
  match(declined.stdout, /Cancelled. Nothing was changed/);
  equal(declined.code, 1);
  const accepted = await terminal(place, ["--clean", "--dir", dir, "--language", "en"], { stdin: "y\n" });
  match(accepted.stdout, /Index deleted: /);
  equal(accepted.code, 0);
});

Deno.test(
  { name: "on a terminal, search wraps the hits to its width and puts the best one last", ignore },
  async () => {
    await using place = await sandbox();
    const dir = await folderOfNotes(place);
    await Deno.writeTextFile(
      join(dir, "keys.md"),
      `# Keys\n\n${"Water the garden. ".repeat(9)}Rotate the keys 🔑 in May.\n`,
    );
    await Deno.writeTextFile(join(dir, "list.md"), "# List\n\nThe keys of the house, rotate them too.\n");
    await muxueRag(place, ["--dir", dir, "--quiet"]);
    for (const columns of [60, 80, 140]) {
      const run = await terminal(place, [
        "search",
        "rotate keys",
        "--dir",
        dir,
        "--language",
        "en",
        "--no-update",
      ], {
        columns,
      });
      equal(run.code, 0, run.stdout);
      const lines = run.stdout.replaceAll("\r", "").trimEnd().split("\n");
      for (const line of lines) ok(displayWidth(line) <= columns, line);
      const headings = lines.filter((line) => /^\d /.test(line));
      deepEqual(headings.map((line) => line[0]), ["2", "1"]);
      match(
        run.stdout,
        /\u001b\[1m\u001b\[31mRotate\u001b\[39m\u001b\[22m the \u001b\[1m\u001b\[31mkeys\u001b\[39m\u001b\[22m 🔑 in May\./,
      );
    }
  },
);

Deno.test(
  { name: "on a terminal, the names of files are links where the terminal shows them", ignore },
  async () => {
    await using place = await sandbox();
    const dir = await folderOfNotes(place);
    await muxueRag(place, ["--dir", dir, "--quiet"]);
    const search = ["search", "tomato soup", "--dir", dir, "--no-update"];
    const link = `\u001b]8;;${pathToFileURL(join(dir, "recipe.txt")).href}\u001b\\`;
    const linked = await terminal(place, search, { env: { TERM: "xterm-kitty" } });
    ok(linked.stdout.includes(link), linked.stdout);
    for (
      const env of [{ TERM: "dumb" }, { TERM: "xterm-kitty", NO_COLOR: "1" }, {
        TERM: "xterm-kitty",
        FORCE_HYPERLINK: "0",
      }]
    ) {
      const run = await terminal(place, search, { env });
      equal(run.code, 0);
      equal(run.stdout.includes("\u001b]8;"), false, JSON.stringify(env));
    }
  },
);

Deno.test({ name: "on a terminal, the notices of a search come after the hits", ignore }, async () => {
  await using place = await sandbox();
  const dir = await folderOfNotes(place);
  await muxueRag(place, ["--dir", dir, "--quiet"]);
  const search = ["search", '"soup of tomatoes"', "--dir", dir, "--language", "en", "--no-update"];
  match((await terminal(place, search)).stdout, /recipe\.txt[^]*with onions[^]*Note: [^]*soup of tomatoes/);
});
