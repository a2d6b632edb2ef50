import { deepEqual, equal, match } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { FORMATS } from "#documents/formats.ts";
import { runInNode } from "../_in_node.ts";
import { DOCUMENTS } from "../e2e/_documents.ts";
import { cidFont, makePdf } from "./pdf/make_pdf.ts";
import { TempDir } from "../foundation/boundary/helpers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const utf8 = new TextEncoder();

/** Texts that no loader reads, a picture, and a PDF that needs the CMaps. */
const OTHERS: Readonly<Record<string, Uint8Array>> = {
  "a.md": utf8.encode("# Tea\n\n## Green\n\ngreen tea\n"),
  "a.yaml": utf8.encode("tea:\n  green:\n    degrees: 80\n"),
  "gbk.txt": Uint8Array.fromHex("cfb5cdb3d6d0b5c4cec4bcfe"),
  "noise.bin": new Uint8Array(5000),
  "scan.png": Uint8Array.fromHex("89504e470d0a1a0a0000000d"),
  "gbk.pdf": makePdf({
    pages: ["BT /C1 12 Tf 72 720 Td <D6D0CEC4CEC4B5B5A3AC323032342E> Tj ET"],
    fonts: { C1: cidFont("GBK-EUC-H", "GB1") },
  }),
  "cut.docx": utf8.encode("PK\x03\x04 cut off"),
};

async function runInDeno(entry: string, folder: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", entry, folder],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test("every format is read alike in Deno and in Node, without the other houses", async () => {
  using temp = new TempDir();
  const samples = Object.entries(DOCUMENTS).flatMap(([format, files]) =>
    Object.entries(files).map(([name, bytes]): [string, Uint8Array] => [`${format}_${name}`, bytes])
  );
  for (const [name, bytes] of [...samples, ...Object.entries(OTHERS)]) temp.write(name, bytes);
  const entry = "tests/documents/_read_all.ts";
  const inDeno = await runInDeno(entry, temp.path);
  const formats = new Set(inDeno.trim().split("\n").map((line) => JSON.parse(line).format));
  deepEqual(FORMATS.filter(({ name }) => !formats.has(name)), []);
  match(inDeno, /中文文档，2024\./);
  equal(await runInNode(entry, [temp.path]) ?? inDeno, inDeno);
});

Deno.test("examples/documents.ts turns a folder of Office files into Markdown, in Deno and in Node", async () => {
  using temp = new TempDir();
  const write = (name: string, [bytes]: Uint8Array[]) => temp.write(name, bytes!);
  write("a.docx", Object.values(DOCUMENTS["docx"]!));
  write("b.xlsx", Object.values(DOCUMENTS["xlsx"]!));
  temp.write("cut.pptx", OTHERS["cut.docx"]!);
  temp.write("notes.txt", "not an Office file");
  const said = "a.docx: 0 sections, no pages\nb.xlsx: 1 sections, 1 pages\n" +
    "cut.pptx: damaged, the ZIP archive is cut off or broken\n";
  const entry = "examples/documents.ts";
  for (const run of [() => runInDeno(entry, temp.path), () => runInNode(entry, [temp.path])]) {
    const shown = await run();
    // Node could not be had.
    if (shown === undefined) return;
    equal(shown, said);
    equal(Deno.readTextFileSync(temp.at("a.docx.md")), "green tea\n");
    Deno.removeSync(temp.at("a.docx.md"));
  }
});
