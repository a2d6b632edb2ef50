import { deepEqual, equal, rejects } from "node:assert/strict";
import { confirm } from "#program/say.ts";
import { Interrupted } from "#program/context.ts";
import { type HiddenLine, typeInto } from "#program/io.ts";
import { fakeContext } from "./_fake_io.ts";
import { TERMINAL } from "./_place.ts";

Deno.test("confirm() asks on stderr and takes only a clear yes", async () => {
  const answers: Record<string, boolean> = {};
  for (const answer of ["y", "YES", " 是 ", "", "n", "yesterday"]) {
    const { context, stderr } = fakeContext({
      language: "en",
      io: { terminal: TERMINAL, readLine: () => Promise.resolve(answer) },
    });
    answers[answer] = await confirm(context, "cli_confirm_clean", { dir: "D", path: "P" });
    const question = "This deletes the index of D (P). Your files are not touched. Continue? [y/N] ";
    equal(stderr(), question + (answers[answer] ? "" : "Cancelled. Nothing was changed\n"));
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

/** A hidden line after these pieces were typed. */
function typed(...pieces: string[]): HiddenLine {
  return pieces.reduce(typeInto, { text: "" });
}

Deno.test("typeInto() accepts a line in any pieces", () => {
  deepEqual(typed("sk-1", "23"), { text: "sk-123" });
  deepEqual(typed("sk-1", "23\r"), { text: "sk-123", end: "entered" });
  deepEqual(typed("密钥\nmore"), { text: "密钥", end: "entered" });
  deepEqual(typed("\r"), { text: "", end: "entered" });
});

Deno.test("typeInto() deletes characters and the whole line", () => {
  deepEqual(typed("abc\u007f\bX"), { text: "aX" });
  deepEqual(typed("a😀\u007f\u007f\u007f"), { text: "" });
  deepEqual(typed("wrong\u0015right"), { text: "right" });
});

Deno.test("typeInto() gives up at Ctrl-C, and at Ctrl-D on an empty line", () => {
  deepEqual(typed("abc\u0003"), { text: "", end: "given up" });
  deepEqual(typed("\u0004"), { text: "", end: "given up" });
  deepEqual(typed("abc\u0004d"), { text: "abcd" });
});
