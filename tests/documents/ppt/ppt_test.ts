import assert from "node:assert/strict";
import { loader } from "#documents/formats/ppt.ts";
import { DocumentError } from "#documents/mod.ts";
import { compound } from "../doc/make_doc.ts";
import { presentation } from "./make_ppt.ts";

async function problemOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await loader.load(bytes, { path: "a.ppt" })).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

Deno.test("slides are pages with titles, texts and notes", async () => {
  const { text, pages } = await loader.load(presentation(), { path: "a.ppt" });
  assert.deepEqual([text, pages?.map(({ number }) => number)], [
    "# 密钥\n\nOne\n\nTwo\n\ncé\n\n# Locks\n\nSaid.\nAgain.\n",
    [1, 2],
  ]);
});

Deno.test("a broken or encrypted presentation is rejected with its reason", async () => {
  const whole = presentation();
  assert.deepEqual(
    [
      await problemOf(presentation({ token: 0xf3d1c4df })),
      await problemOf(presentation({ keys: 5 })),
      await problemOf(compound({ Other: new Uint8Array(100) })),
      await problemOf(
        compound({ "PowerPoint Document": new Uint8Array(9), "Current User": new Uint8Array(9) }),
      ),
      await problemOf(new Uint8Array()),
      await problemOf(new TextEncoder().encode("Rotate the keys.")),
      await problemOf(whole.slice(0, 600)),
    ],
    ["encrypted", "encrypted", "damaged", "damaged", "damaged", "damaged", "damaged"],
  );
});

Deno.test("a presentation with any byte changed is read or rejected", async () => {
  const whole = presentation();
  for (let at = 0; at < whole.length; at += 3) {
    const changed = whole.slice();
    changed[at] = changed[at]! ^ 0xff;
    assert.equal(typeof await problemOf(changed), "string");
  }
});
