import { deepEqual, equal, match } from "node:assert/strict";
import { relations } from "../documents/ooxml.ts";
import { zipOf } from "../documents/zip_of.ts";
import { attack } from "./_attack.ts";
import { makeArena } from "./_arena.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Compressed, 300 MB of blanks have 0.3 MB. */
const BLANKS = new Uint8Array(300_000_000).fill(32);

/** Ten levels of entities, each with ten of the previous level: ten thousand million words. */
const ENTITIES = Array.from(
  { length: 10 },
  (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
).join("\n");

/** A PDF whose form draws itself, whose table comes before itself, and whose page tree has these children. */
function loopingPdf(kids: string): Uint8Array<ArrayBuffer> {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count 1 >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
    "<< /Length 5 >>\nstream\n/X Do\nendstream",
    "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream",
  ];
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `<< /Size 6 /Root 1 0 R /Prev ${text.length} >>`;
  return utf8(
    `${text}xref\n0 6\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** The bytes of each bomb and its expected failure; `undefined` if it is harmless. */
const BOMBS: Readonly<Record<string, readonly [bytes: Uint8Array, told: string | undefined]>> = {
  "deep.html": [
    utf8(`<!DOCTYPE html><title>Deep</title>${"<div>".repeat(100_000)}bottom${"</div>".repeat(100_000)}`),
    undefined,
  ],
  "entities.nxml": [
    utf8(
      `<?xml version="1.0"?>\n<!DOCTYPE article [<!ENTITY e0 "word ">\n${ENTITIES}]>\n<article><body><p>&e10;</p></body></article>`,
    ),
    undefined,
  ],
  "forms.pdf": [loopingPdf("3 0 R"), "no_text"],
  "pages.pdf": [loopingPdf("2 0 R 3 0 R"), "document_damaged"],
  "zip.docx": [
    zipOf({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relations(["rId1", "officeDocument", "word/document.xml"]),
      "word/document.xml": BLANKS,
    }),
    "document_too_complex",
  ],
  "zip.epub": [
    zipOf({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>`,
      "a.opf": BLANKS,
    }),
    "document_too_complex",
  ],
};

attack("document bombs are reported, and the files beside them are indexed", async (start) => {
  await using arena = await makeArena(start, { "tea.md": "green tea\n" });
  for (const [name, [bytes]] of Object.entries(BOMBS)) await Deno.writeFile(arena.at(name), bytes);
  const run = await arena.run("--dir", arena.folder, "--language", "en");
  equal(run.code, 0, run.stderr);
  const found = await arena.run("search", "green tea", "--dir", arena.folder, "--no-update");
  match(found.stdout, /tea\.md/);
  const { stdout } = await arena.run("status", "--dir", arena.folder, "--files", "--json");
  const files: { path: string; reason?: string }[] = JSON.parse(stdout).data.folders[0].files;
  const told = Object.entries(BOMBS).map(([path, [, reason]]) => ({ path, reason }));
  deepEqual(
    files.filter(({ path }) => path in BOMBS).map(({ path, reason }) => ({ path, reason })),
    told,
    run.stdout,
  );
});
