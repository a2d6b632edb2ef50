// deno-lint-ignore-file no-control-regex -- the test is about control sequences
import { equal, match, ok } from "node:assert/strict";
import { folderOfNotes, muxueRag, sandbox, terminal } from "../cli/_muxue_rag.ts";

/** `script` of util-linux provides a pseudo-terminal. Without it, these tests are skipped. */
const ignore = !(await hasScript());

async function hasScript(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

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
