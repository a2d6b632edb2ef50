import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { makePng } from "../documents/pictures/make_png.ts";
import { pdfOf } from "./_pdf.ts";
import { type Files, makeIndexed, smokeTest } from "./_program.ts";
import { type Message, openPipe } from "./_mcp_pipe.ts";

const PUMP = makePng(400, 200);

const word = officeFile("word/document.xml", {
  "word/document.xml": `<w:document ${NAMESPACES}><w:body>
    <w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Pumps</w:t></w:r></w:p>
    <w:p><w:r><w:t>A pump moves water.</w:t></w:r></w:p>
    <w:p><w:r><w:drawing><wp:inline><wp:docPr descr="A red pump"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>
      <a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>
    <w:p><w:r><w:t>Figure 1: the pump</w:t></w:r></w:p>
  </w:body></w:document>`,
  "word/_rels/document.xml.rels": relations(["rId1", "image", "media/pump.png"]),
  "word/media/pump.png": PUMP,
});

const FILES: Files = {
  "pump.docx": word,
  "page.html":
    `<!doctype html><title>Valves</title><h1>Valves</h1><p>A valve stops water.</p><img src="pictures/valve.png">
<img src="../outside.png"><img src="https://example.com/far.png">`,
  "pictures/valve.png": makePng(30, 20),
  "manual.pdf": pdfOf(["The boiler heats water."]),
};

smokeTest(
  "pictures of documents are listed, named by hits and given within a size, and so are pages of PDFs",
  async (start) => {
    await using sandbox = await makeIndexed(FILES, {
      start,
      env: { MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" },
    });
    await using pipe = await openPipe(sandbox);
    const path = join(sandbox.folder, "pump.docx");

    const found = await pipe.call("search_rag", { keyword: "pump moves water" });
    const hit = found.result.structuredContent.data.match_content[0];
    const id = `${path}#image=1.${await printOf(word)}`;
    deepEqual(hit.image_refs, [id]);

    const context = await pipe.call("get_chunk_context", { chunk_id: hit.chunk_id });
    deepEqual(context.result.structuredContent.data.chunks[0].image_refs, [id]);
    const whole = await pipe.call("get_document_content", { file_path: path });
    deepEqual(whole.result.structuredContent.data.image_refs, [id]);
    for (const { result } of [context, whole]) match(result.content[0].text, /^images=1$/m);
    const heading = await pipe.call("get_document_content", { file_path: path, end_line: 2 });
    equal(heading.result.structuredContent.data.image_refs, undefined);

    const listed = await pipe.call("list_images", { file_path: path });
    const { sha256, file_size: size, ...picture } = listed.result.structuredContent.data.images[0];
    equal(size, PUMP.length);
    equal(sha256, new Uint8Array(await crypto.subtle.digest("SHA-256", PUMP)).toHex());
    deepEqual(picture, {
      image_id: id,
      number: 1,
      line: 5,
      width: 400,
      height: 200,
      media_type: "image/png",
      alt: "A red pump",
      caption: "Figure 1: the pump",
      section: ["Pumps"],
    });

    const given = await pipe.call("get_image", { image_id: hit.image_refs[0], max_side: 100 });
    deepEqual(given.result.structuredContent.data.given, {
      media_type: "image/png",
      width: 100,
      height: 50,
      size: bytesIn(given).length,
      scaled: true,
    });
    deepEqual(sizeOfPng(bytesIn(given)), [100, 50]);
    deepEqual(
      bytesIn(await pipe.call("get_image", { file_path: path })),
      PUMP,
      "a picture within the limit is given as it is",
    );

    const page = await pipe.call("get_page_image", {
      file_path: join(sandbox.folder, "manual.pdf"),
      page: 1,
      width: 300,
    });
    equal(sizeOfPng(bytesIn(page))[0], 300);
    const missing = await pipe.call("get_page_image", {
      file_path: join(sandbox.folder, "manual.pdf"),
      page: 2,
    });
    match(missing.result.content[0].text, /has no page 2; it has 1/);
    const other = await pipe.call("get_page_image", { file_path: path, page: 1 });
    match(other.result.content[0].text, /^Only pages of PDFs can be drawn, and .*pump\.docx is none/);
  },
);

smokeTest("a picture beside a page is given if the folder has it; others are only named", async (start) => {
  await using sandbox = await makeIndexed(FILES, {
    start,
    env: { MUXUE_RAG_MCP_TOOLS: "all", MUXUE_RAG_LANGUAGE: "en" },
  });
  await using pipe = await openPipe(sandbox);
  const path = join(sandbox.folder, "page.html");
  const { result } = await pipe.call("list_images", { file_path: path });
  deepEqual(
    result.structuredContent.data.images.map(({ link, problem }: Message) => [link, problem]),
    [["pictures/valve.png", "linked"], ["../outside.png", "linked"], [
      "https://example.com/far.png",
      "linked",
    ]],
  );
  deepEqual(sizeOfPng(bytesIn(await pipe.call("get_image", { image_id: `${path}#image=1` }))), [30, 20]);
  for (const number of [2, 3]) {
    const { result } = await pipe.call("get_image", { file_path: path, number });
    match(result.content[0].text, /outside of the document, which was not read/);
    equal(result.content.length, 1);
  }
  const none = await pipe.call("get_image", { file_path: path, number: 9 });
  match(none.result.content[0].text, /has no picture 9\. List its pictures first/);
});

/** The first digits of a file's SHA-256. */
async function printOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex().slice(0, 8);
}

function bytesIn({ result }: Message): Uint8Array<ArrayBuffer> {
  const image = result.content.find(({ type }: Message) => type === "image");
  return Uint8Array.fromBase64(image.data);
}

function sizeOfPng(bytes: Uint8Array): [number, number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}
