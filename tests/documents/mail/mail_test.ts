import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import CFB from "cfb";
import { loader } from "#documents/formats/mail.ts";
import { DocumentError } from "#documents/mod.ts";

const bytes = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => typeof part === "string" ? Buffer.from(part) : Buffer.from(part))),
  );
const load = (...parts: (string | readonly number[])[]) =>
  loader.load(bytes(...parts), { path: "mail/inbox.eml" });
const lines = (...all: string[]) => all.join("\r\n");

/** 中文 in GBK. */
const GBK = [0xd6, 0xd0, 0xce, 0xc4];

Deno.test("a message gives its subject, head, plain text with quotations, and names of attachments", async () => {
  const document = await load(lines(
    "Received: by x.example",
    "From: =?utf-8?B?5p2O6Zu3?= <li@x.example>",
    "To: Han <han@x.example>",
    "Subject: =?gb2312?B?1tA=?= =?gb2312?B?zsQ=?=",
    " =?utf-8?Q?_caf=C3=A9?=",
    "Date: Wed, 01 May 2024 10:00:00 +0800 (CST)",
    'Content-Type: multipart/mixed; boundary="b b"',
    "",
    "preamble",
    "--b b",
    "Content-Type: multipart/alternative; boundary=c",
    "",
    "--c",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Hello =E4=B8=AD=",
    "=E6=96=87",
    "",
    "> old",
    ">> # older",
    "Bye",
    "--c",
    "Content-Type: text/html",
    "",
    "<p>rich</p>",
    "--c--",
    "--b b",
    "Content-Type: application/pdf; name=x.pdf",
    "Content-Disposition: attachment; filename*0*=utf-8''%E6%8A%A5; filename*1=\"a.pdf\"",
    "Content-Transfer-Encoding: base64",
    "",
    "AAAA",
    "--b b--",
  ));
  assert.deepEqual(document.text.split("\n"), [
    "# 中文 café",
    "",
    "From: 李雷 <li@x.example>",
    "To: Han <han@x.example>",
    "Date: Wed, 01 May 2024 10:00:00 +0800 (CST)",
    "Attachments: 报a.pdf",
    "",
    "Hello 中文",
    "",
    "> old",
    "> > \\# older",
    "",
    "Bye",
    "",
  ]);
  assert.equal(document.title, "中文 café");
  assert.deepEqual(document.metadata, {
    authors: ["李雷"],
    created: "2024-05-01T10:00:00+08:00",
    extra: { from: "li@x.example", to: ["Han <han@x.example>"] },
  });
});

Deno.test("an HTML message is read as a page, with its headings below the subject", async () => {
  const { text, sections } = await load(
    "From: a@b\nSubject: S\nContent-Type: text/html; charset=gb2312\n\n<h1>H</h1><p>",
    GBK,
    "</p><blockquote>old</blockquote><div style='display:none'>no</div>",
  );
  assert.equal(text, "# S\n\nFrom: a@b\n\n## H\n\n中文\n\n> old\n");
  assert.deepEqual(sections.map(({ level }) => level), [1, 2]);
});

Deno.test("undeclared, unknown and seven-bit encodings are read", async () => {
  const body = async (label: string, ...parts: (string | readonly number[])[]) =>
    (await load(
      `Subject: S\nContent-Type: text/plain${label === "" ? "" : `; charset=${label}`}\n\n`,
      ...parts,
    )).text.slice(5);
  assert.equal(await body("", GBK, GBK, GBK, "\n"), "中文中文中文\n");
  assert.equal(await body("us-ascii", GBK, GBK, GBK), "中文中文中文\n");
  assert.equal(await body("no-such-thing", "é"), "é\n");
  assert.equal(await body("big5", [0xa4, 0xa4, 0xa4, 0xe5]), "中文\n");
  assert.equal(await body("hz-gb-2312", "~{VPND~} a~~b"), "中文 a~b\n");
  assert.equal(await body("iso-2022-jp", "\x1b$BF|K\\\x1b(B x"), "日本 x\n");
  assert.equal(await body("iso-2022-kr", "\x1b$)C\x0eGQ1[\x0f x"), "한글 x\n");
  assert.equal((await load("Subject: ", GBK, GBK, GBK, "\n\nx")).title, "中文中文中文");
});

Deno.test("flowed text is joined, PGP signatures are left out, encrypted messages say so", async () => {
  assert.equal(
    (await load("Subject: S\nContent-Type: text/plain; format=flowed\n\none \ntwo\n> a \n> b\n")).text,
    "# S\n\none two\n\n> a b\n",
  );
  assert.equal(
    (await load(
      "Subject: S\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\ntext\n-----BEGIN PGP SIGNATURE-----\nabc\n-----END PGP SIGNATURE-----\n",
    )).text,
    "# S\n\ntext\n",
  );
  assert.equal(
    (await load("Subject: S\nContent-Type: application/pkcs7-mime\n\nMIIB")).text,
    "# S\n\n(The message is encrypted.)\n",
  );
});

Deno.test("a mailbox has one section per message; forwarded messages lie inside theirs", async () => {
  const forwarded = lines(
    "Subject: outer",
    "Content-Type: multipart/mixed; boundary=x",
    "",
    "--x",
    "",
    "see",
    "--x",
    "Content-Type: message/rfc822",
    "",
    "Subject: inner",
    "",
    "deep",
    "--x--",
    "",
  );
  const document = await loader.load(
    bytes(
      `From a@b Wed May  1 10:00:00 2024\nSubject: one\n\nFrom here on\n>From there\n\nFrom c@d Wed May  1 11:00:00 2024\n${forwarded}`,
    ),
    { path: "mail/inbox.mbox" },
  );
  assert.equal(document.text, "# one\n\nFrom here on\nFrom there\n\n# outer\n\nsee\n\n## inner\n\ndeep\n");
  assert.equal(document.title, "inbox");
  assert.deepEqual(document.sections.map(({ path }) => path), [["one"], ["outer"], ["outer", "inner"]]);
});

function outlook(streams: Readonly<Record<string, string | Uint8Array>>): Uint8Array<ArrayBuffer> {
  const container = CFB.utils.cfb_new();
  for (const [path, content] of Object.entries(streams)) {
    CFB.utils.cfb_add(
      container,
      path,
      typeof content === "string" ? Buffer.from(content, "utf16le") : content,
    );
  }
  return new Uint8Array(CFB.write(container, { type: "buffer" }) as Uint8Array);
}

function properties(entries: readonly (readonly [id: number, type: number, value: bigint])[]): Uint8Array {
  const stream = new Uint8Array(32 + 16 * entries.length);
  const view = new DataView(stream.buffer);
  for (const [i, [id, type, value]] of entries.entries()) {
    view.setUint16(32 + 16 * i, type, true);
    view.setUint16(34 + 16 * i, id, true);
    view.setBigUint64(40 + 16 * i, value, true);
  }
  return stream;
}

Deno.test("an Outlook message gives the same", async () => {
  const message = outlook({
    "/__properties_version1.0": properties([[0x3ffd, 3, 936n], [0x0039, 0x40, 133590096000000000n]]),
    "/__substg1.0_0037001F": "季度报告",
    "/__substg1.0_0C1A001E": new Uint8Array(GBK),
    "/__substg1.0_5D01001F": "li@x.example",
    "/__substg1.0_0E04001F": "Han\0",
    "/__substg1.0_1000001F": "Hello\r\n> old\r\n",
    "/__attach_version1.0_#00000000/__substg1.0_3707001F": "报告.pdf",
  });
  const document = await loader.load(message, { path: "a.msg" });
  assert.equal(
    document.text,
    "# 季度报告\n\nFrom: 中文 <li@x.example>\nTo: Han\nDate: 2024-05-01T04:00:00Z\nAttachments: 报告.pdf\n\nHello\n\n> old\n",
  );
  assert.deepEqual(document.metadata, {
    authors: ["中文"],
    created: "2024-05-01T04:00:00Z",
    extra: { from: "li@x.example", to: ["Han"] },
  });
});

Deno.test("an Outlook sender of 400,000 blanks is read in linear time", async () => {
  const sender = `a${" ".repeat(400_000)}b <li@x.example>`;
  const message = outlook({ "/__properties_version1.0": properties([]), "/__substg1.0_0C1A001F": sender });
  const { metadata } = await loader.load(message, { path: "a.msg" });
  assert.deepEqual(metadata, { authors: ["a"] });
});

Deno.test("an empty, cut-off or endlessly nested file, and one that is not mail, is rejected or read", async () => {
  const problem = async (content: Uint8Array<ArrayBuffer>) => {
    try {
      return (await loader.load(content, { path: "a.eml" })).text;
    } catch (error) {
      assert.ok(error instanceof DocumentError, String(error));
      return error.problem;
    }
  };
  assert.equal(await problem(bytes("")), "damaged");
  assert.equal(await problem(bytes("just a text\n\nwithout headers")), "damaged");
  assert.equal(await problem(bytes("Subject: S")), "# S\n");
  assert.equal(
    await problem(bytes("Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ncut off")),
    "# S\n\ncut off\n",
  );
  assert.equal(
    await problem(bytes("Subject: S\n" + "Content-Type: message/rfc822\n\n".repeat(100))),
    "too_complex",
  );
  assert.equal(
    await problem(
      bytes("Subject: S\nContent-Type: multipart/mixed; boundary=b\n\n", "--b\n\n".repeat(20_000)),
    ),
    "too_complex",
  );
  const whole = outlook({
    "/__properties_version1.0": properties([]),
    "/__substg1.0_1000001F": "x".repeat(10_000),
  });
  assert.equal(await problem(whole.slice(0, 600)), "damaged");
  assert.equal(await problem(outlook({ "/Workbook": "x" })), "unsupported");
});
