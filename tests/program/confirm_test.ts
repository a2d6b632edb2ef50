import { deepEqual, equal, rejects } from "node:assert/strict";
import { confirm } from "#program/say.ts";
import { Interrupted } from "#program/context.ts";
import { fakeContext } from "./_fake_io.ts";

const TERMINAL = { stdin: true, stdout: true, stderr: true };

Deno.test("confirm() asks on stderr and takes only a clear yes", async () => {
  const answers: Record<string, boolean> = {};
  for (const answer of ["y", "YES", " 是 ", "", "n", "yesterday"]) {
    const { context, stderr } = fakeContext({
      language: "en",
      io: { terminal: TERMINAL, readLine: () => Promise.resolve(answer) },
    });
    answers[answer] = await confirm(context, "cli_confirm_clean", { dir: "D", path: "P" });
    equal(stderr(), "This deletes the index of D (P). Your files are not touched. Continue? [y/N] ");
  }
  deepEqual(answers, { "y": true, "YES": true, " 是 ": true, "": false, "n": false, "yesterday": false });
});

Deno.test("confirm() does not ask with --yes", async () => {
  const { context, stderr } = fakeContext({ flags: { dir: [], yes: true } });
  equal(await confirm(context, "cli_confirm_clean", {}), true);
  equal(stderr(), "");
});

Deno.test("confirm() throws without a terminal", async () => {
  await rejects(confirm(fakeContext().context, "cli_confirm_clean", {}), { key: "cli_confirm_needed" });
});

Deno.test("confirm() rejects with the reason of the interrupt", async () => {
  const interrupt = new AbortController();
  const { context } = fakeContext({
    signal: interrupt.signal,
    io: {
      terminal: TERMINAL,
      readLine: () => {
        interrupt.abort(new Interrupted());
        return Promise.resolve(undefined);
      },
    },
  });
  await rejects(confirm(context, "cli_confirm_clean", {}), Interrupted);
});
