import assert from "node:assert/strict";
import { loader } from "#documents/formats/epub.ts";
import { DocumentError } from "#documents/mod.ts";
import { zipOf } from "../zip_of.ts";

const CONTAINER =
  `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/a.opf"/></rootfiles></container>`;
const page = (body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;
const opf = (manifest: string, spine: string) =>
  `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>泵的书</dc:title><dc:creator>Li Lei</dc:creator><dc:date>2024-05-01</dc:date><dc:language>zh-CN</dc:language></metadata>
  <manifest>${manifest}</manifest>${spine}</package>`;
const item = (id: string, href: string, more = "") =>
  `<item id="${id}" href="${href}" media-type="application/xhtml+xml" ${more}/>`;

const BOOK = {
  mimetype: "application/epub+zip",
  "META-INF/container.xml": CONTAINER,
  "OEBPS/a.opf": opf(
    item("nav", "nav.xhtml", 'properties="nav"') + item("c1", "text/one.xhtml") +
      item("c2", "text/two%20b.xhtml") + item("gone", "gone.xhtml"),
    `<spine><itemref idref="nav"/><itemref idref="c2"/><itemref idref="c1"/><itemref idref="c2"/><itemref idref="gone"/></spine>`,
  ),
  "OEBPS/nav.xhtml": page(
    `<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol><li><a href="text/two%20b.xhtml#x">Second</a></li><li><a href="text/one.xhtml">First</a></li></ol></nav>`,
  ),
  "OEBPS/text/one.xhtml": page("<h1>One</h1><p>Text.</p>"),
  "OEBPS/text/two b.xhtml": page("<p>Without a <a id='k'/>heading.</p>"),
};

async function problem(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await loader.load(bytes, { path: "a.epub" })).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

Deno.test("chapters come in reading order, with titles from the table of contents if they have none", async () => {
  const document = await loader.load(zipOf(BOOK), { path: "a.epub" });
  assert.equal(document.text, "# Second\n\nWithout a heading.\n\n# One\n\nText.\n");
  assert.equal(document.title, "泵的书");
  assert.deepEqual(document.metadata, { authors: ["Li Lei"], published: "2024-05-01", language: "zh-CN" });
});

Deno.test("EPUB 2 has its table of contents in an NCX", async () => {
  const ncx =
    `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="text/one.xhtml"/>
    <navPoint><navLabel><text>Inner</text></navLabel><content src="text/two%20b.xhtml"/></navPoint></navPoint></navMap></ncx>`;
  const { text } = await loader.load(
    zipOf({
      ...BOOK,
      "OEBPS/a.opf": opf(
        item("c1", "text/one.xhtml") + item("c2", "text/two%20b.xhtml") +
          `<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`,
        `<spine toc="n"><itemref idref="c1"/><itemref idref="c2"/></spine>`,
      ),
      "OEBPS/toc.ncx": ncx,
    }),
    { path: "a.epub" },
  );
  assert.equal(text, "# One\n\nText.\n\n## Inner\n\nWithout a heading.\n");
});

Deno.test("a book with DRM is encrypted, one with obscured fonts is not", async () => {
  const encryption = (algorithm: string) =>
    `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="${algorithm}"/></enc:EncryptedData></encryption>`;
  const drm = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc");
  assert.equal(await problem(zipOf({ ...BOOK, "META-INF/encryption.xml": drm })), "encrypted");
  const fonts = encryption("http://www.idpf.org/2008/embedding");
  assert.match(await problem(zipOf({ ...BOOK, "META-INF/encryption.xml": fonts })), /Text\./);
});

Deno.test("an empty or cut-off file, another ZIP archive and a ZIP bomb are rejected with a reason", async () => {
  const whole = zipOf(BOOK);
  assert.equal(await problem(new Uint8Array()), "damaged");
  assert.equal(await problem(whole.slice(0, whole.length / 2)), "damaged");
  assert.equal(await problem(zipOf({ "a.txt": "x" })), "damaged");
  assert.equal(
    await problem(zipOf({ ...BOOK, "OEBPS/text/one.xhtml": page(" ".repeat(30_000_000)) })),
    "too_complex",
  );
  const { "META-INF/container.xml": _, ...loose } = BOOK;
  assert.match(await problem(zipOf(loose)), /Text\./);
});
