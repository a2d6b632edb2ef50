import { equal } from "node:assert/strict";
import { takeBundled } from "#program/prepare.ts";
import { UserError } from "#foundation/errors.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";
import { fakeContext } from "./_fake_io.ts";

Deno.test("models of the program that cannot be installed give a warning with the reason", async () => {
  using dir = new TempDir();
  for (
    const [path, error, text] of [
      [dir.path, new UserError("model_busy"), "Another process is installing or removing models"],
      [
        dir.path,
        new UserError("model_disk_full", { path: "/m" }),
        "The disk is full, so /m could not be written",
      ],
      [dir.at("file/models"), undefined, "Cannot write to "],
    ] as const
  ) {
    dir.write("file", "");
    const { context, stderr } = fakeContext({ language: "en" });
    await takeBundled(path, context, () => error === undefined ? Promise.resolve([]) : Promise.reject(error));
    const start = "Note: The models in this program could not be installed and are not used: ";
    equal(stderr().slice(0, start.length + text.length), start + text);
  }
});
