import assert from "node:assert/strict";
import { loader } from "#documents/formats/mhtml.ts";
import { DocumentError } from "#documents/mod.ts";

const load = (text: string) => loader.load(new TextEncoder().encode(text), { path: "a.mhtml" });

Deno.test("a saved page gives its text and its title, or else the subject as its title", async () => {
  const saved = (head: string) =>
    `From: <Saved by Blink>\r\nSubject: =?utf-8?Q?=E6=B3=B5?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="x"\r\n\r\n\r\n--x\r\n` +
    `Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Location: https://a.example/\r\n\r\n<meta charset=3Dutf-8>${head}<p>=E4=B8=AD=\r\n=E6=96=87</p>\r\n` +
    `--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n`;
  assert.deepEqual(await load(saved("")), { text: "中文\n", sections: [], title: "泵" });
  assert.equal((await load(saved("<title>T</title>"))).title, "T");
});

Deno.test("a file without a page, and a cut-off or empty one, is rejected", async () => {
  const isDamaged = (error: unknown) => error instanceof DocumentError && error.problem === "damaged";
  await assert.rejects(load(""), isDamaged);
  await assert.rejects(load("Subject: x\n\ntext"), isDamaged);
  assert.equal(
    (await load("Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>cut o"))
      .text,
    "cut o\n",
  );
});
