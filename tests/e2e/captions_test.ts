import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { decode } from "fast-png";
import { NAMESPACES, officeFile, relations } from "../documents/ooxml.ts";
import { striped } from "../library/ingest/generation/_captioned_folder.ts";
import { type Asked, LanguageServer } from "../models/language/_servers/mod.ts";
import { scanPdf } from "../documents/recognition/_scan_pdf.ts";
import {
  type Files,
  makeSandbox,
  program,
  type Sandbox,
  smokeTest,
  type Start,
  writeFiles,
} from "./_program.ts";
import { openPipe } from "./_mcp_pipe.ts";

/** A presentation with a title and a picture that takes half of its slide. */
function slides(title: string, png: Uint8Array): Uint8Array<ArrayBuffer> {
  return officeFile("ppt/presentation.xml", {
    "ppt/presentation.xml":
      `<p:presentation ${NAMESPACES}><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(["rId1", "slide", "slides/slide1.xml"]),
    "ppt/slides/slide1.xml": `<p:sld ${NAMESPACES}><p:cSld><p:spTree>
      <p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>
        <p:txBody><a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:txBody></p:sp>
      <p:pic><p:nvPicPr><p:cNvPr descr="Photo of the plant"/></p:nvPicPr><p:blipFill><a:blip r:embed="rId1"/></p:blipFill>
        <p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4572000" cy="6858000"/></a:xfrm></p:spPr></p:pic>
    </p:spTree></p:cSld></p:sld>`,
    "ppt/slides/_rels/slide1.xml.rels": relations(["rId1", "image", "../media/a.png"]),
    "ppt/media/a.png": png,
  });
}

const IMAGE = {
  dictionary: "/Width 200 /Height 260 /BitsPerComponent 8 /ColorSpace /DeviceGray",
  data: new Uint8Array(200 * 260).map((_, i) => i % 60 * 4),
};
const FILES: Files = {
  "plant.pptx": slides("The water works", striped(5)),
  "scan.pdf": scanPdf([{ width: 600, height: 800 }], [IMAGE]),
  "page.html":
    `<!doctype html><h1>Tanks</h1><p>Tanks keep water.</p><img alt="Tank" src="data:image/png;base64,${
      striped(11).toBase64()
    }">`,
  "notes.md": "# Notes\n\nThe valve is below.\n\n![valve](pictures/valve.png)\n",
  "pictures/valve.png": striped(13),
};

/** Descriptions by the widths of the stripes, and that of the scan. */
const SAYS = {
  5: "A turbine hall with an overhead crane.",
  11: "A spherical tank.",
  13: "A brass gate valve.",
};

/** Describes pictures as a model does that sees them. */
function described({ images: [image] }: Asked): unknown {
  const { data, width, channels } = decode(image!.bytes);
  if (width !== 400) return { seen: true, caption: "A stamped letter of 1987 from the harbour office." };
  const row = Array.from({ length: width }, (_, x) => Number(data[x * channels]));
  const stripe = row.findIndex((value) => value !== row[0]);
  return { seen: true, caption: SAYS[stripe as keyof typeof SAYS] };
}

/** A folder whose pictures a server describes. */
async function withServer(start: Start, server: LanguageServer, files = FILES): Promise<Sandbox> {
  return await makeSandbox(files, {
    start,
    env: {
      MUXUE_RAG_LANGUAGE: "en",
      MUXUE_RAG_MCP_TOOLS: "all",
      MUXUE_RAG_LLM_TASKS: "caption",
      ...server.environment("VISION_LLM"),
    },
  });
}

smokeTest(
  "pictures of documents, pages and files are described by a model and found by that",
  async (start) => {
    await using server = await LanguageServer.start("ollama");
    server.reply = described;
    await using sandbox = await withServer(start, server);
    const { folder, run } = sandbox;
    const estimate = await run`index ${folder} --estimate`;
    match(estimate.stdout, /caption: 4 requests.*4 pictures/);
    equal(server.requests.length, 0);
    const first = await run`index ${folder}`;
    equal(first.code, 0, first.stderr);
    match(first.stdout, /caption: 4 of 4 done, 4 in this run/);
    equal(server.requests.length, 4);
    const again = await run`index ${folder} --json`;
    deepEqual(JSON.parse(again.stdout).data.generated.tasks.caption, { total: 4, done: 4, made: 0, left: 0 });
    await writeFiles(join(folder, "more"), { "copy.pptx": slides("Another title", striped(5)) });
    equal((await run`index ${folder} --full`).code, 0);
    equal(server.requests.length, 4);

    await using pipe = await openPipe(sandbox);
    const listed = await pipe.call("list_images", { file_path: join(folder, "scan.pdf") });
    const [image] = listed.result.structuredContent.data.images;
    deepEqual([image.generated_caption, image.unconfirmed_numbers], [
      "A stamped letter of 1987 from the harbour office.",
      ["1987"],
    ]);
    const found = async (keyword: string) => {
      const { result } = await pipe.call("search_rag", { keyword, include_images: true });
      const [hit] = result.structuredContent.data.match_content;
      return {
        path: hit.file_path.slice(folder.length + 1).replaceAll("\\", "/"),
        captions: hit.generated.captions.map(({ text }: { text: string }) => text),
        pictures: result.content.filter(({ type }: { type: string }) => type === "image").length,
      };
    };
    deepEqual(await found("overhead crane"), { path: "more/copy.pptx", captions: [SAYS[5]], pictures: 1 });
    deepEqual(await found("spherical"), { path: "page.html", captions: [SAYS[11]], pictures: 1 });
    deepEqual(await found("brass gate"), { path: "pictures/valve.png", captions: [SAYS[13]], pictures: 1 });
  },
);

Deno.test("a server that fails leaves the index as it is; the next run goes on", async () => {
  await using server = await LanguageServer.start("ollama");
  server.reply = described;
  server.rule = () => "401";
  await using sandbox = await withServer(program, server);
  const { folder, run } = sandbox;
  const failed = await run`index ${folder}`;
  equal(failed.code, 0, failed.stderr);
  match(failed.stdout, /caption: 0 of 4 done, 0 in this run/);
  match((await run`search ${"water works"} --dir ${folder}`).stdout, /plant\.pptx/);
  server.rule = () => undefined;
  const { stdout } = await run`index ${folder} --json`;
  deepEqual(JSON.parse(stdout).data.generated.tasks.caption.made, 4);
});

Deno.test("a description of a model that cannot see is not asked for again, and status counts it", async () => {
  await using server = await LanguageServer.start("ollama");
  let count = 0;
  await using sandbox = await withServer(program, server, { "a.png": striped(5), "b.png": striped(13) });
  const { folder, run } = sandbox;
  server.reply = () => ({ seen: count++ > 0, caption: "A red pump beside a well." });
  match((await run`index ${folder}`).stdout, /caption: 2 of 2 done, 1 in this run, 1 description rejected/);
  match((await run`status --dir ${folder}`).stdout, /caption 2\/2 \(100 %\), 1 description rejected, /);
  for (const more of [[], ["--full"]]) {
    const { stdout } = await run`index ${folder} --json ${more}`;
    const { rejected } = JSON.parse(stdout).data.generated.tasks.caption;
    deepEqual([rejected.count, rejected.pictures.length, server.requests.length], [1, 1, 2]);
  }
});
