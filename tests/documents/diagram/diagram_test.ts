import { deepEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { deflateRawSync, deflateSync } from "node:zlib";
import { type Document, DocumentError, readDocument } from "#documents/mod.ts";
import { loader } from "#documents/diagram/loader.ts";
import { checkDocument } from "../_check_document.ts";

const load = async (content: string | Uint8Array<ArrayBuffer>): Promise<Document> => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const document = await loader.load(bytes, { path: "a.drawio" });
  checkDocument(document);
  return document;
};
const problem = async (text: string | Uint8Array<ArrayBuffer>) => {
  try {
    return (await load(text)).text.length;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};
const cell = (id: string, value: string, more = "", geometry = "") =>
  `<mxCell id="${id}" value="${value}" ${more}>${
    geometry === "" ? "" : `<mxGeometry ${geometry}/>`
  }</mxCell>`;
const graph = (...cells: string[]) =>
  `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells.join("")}</root></mxGraphModel>`;
const packed = (xml: string | Uint8Array) =>
  Buffer.from(deflateRawSync(typeof xml === "string" ? encodeURIComponent(xml) : xml)).toString("base64");

Deno.test("a drawing of draw.io has its boxes from top to bottom, containers as sections, then the labelled lines", async () => {
  const { text, sections, metadata } = await load(
    `<mxfile modified="2024-05-01T10:00:00.000Z"><diagram name="Flow">${
      graph(
        cell(
          "b",
          "&lt;b&gt;Pack&lt;/b&gt;&lt;div&gt;by hand &amp;amp; foot&lt;/div&gt;",
          `parent="1" style="html=1;"`,
          `y="50"`,
        ),
        cell("a", "Order", `parent="1"`, `y="10"`),
        cell("lane", "Shop", `parent="1" style="swimlane"`),
        cell("c", "Sell", `parent="lane"`),
        cell("e", "when paid", `edge="1" source="a" target="b" parent="1"`),
        cell("f", "", `edge="1" source="b" target="c" parent="1"`),
        cell("g", "late", `parent="f"`),
        `<UserObject id="u" label="%name%: %age%" name="Li" placeholders="1"><mxCell parent="1"><mxGeometry y="90"/></mxCell></UserObject>`,
      )
    }</diagram></mxfile>`,
  );
  equal(
    text,
    "# Flow\n\nOrder\n\nPack\nby hand & foot\n\nLi: %age%\n\n## Shop\n\nSell\n\n- Order → Pack: when paid\n- Pack → Sell: late\n",
  );
  deepEqual(sections.map(({ path }) => path.join(" > ")), ["Flow", "Flow > Shop"]);
  deepEqual(metadata, { modified: "2024-05-01T10:00:00Z" });
});

Deno.test("the pages of a drawing may be compressed; a name that the program gave is no heading", async () => {
  const { text, pages } = await load(
    `<mxfile><diagram name="第 1 页">${
      packed(graph(cell("a", "一，100%")))
    }</diagram><diagram name="Page-2">${graph(cell("a", "二"))}</diagram></mxfile>`,
  );
  equal(text, "一，100%\n\n二\n");
  equal(pages?.length, 2);
});

Deno.test("a table of draw.io is a table", async () => {
  const row = (id: string, y: number, ...texts: string[]) =>
    cell(id, "", `parent="t"`, `y="${y}"`) +
    texts.map((text, i) => cell(`${id}${i}`, text, `parent="${id}"`, `x="${i}"`)).join("");
  const { text } = await load(
    graph(
      cell("t", "Users", `style="shape=table;html=1;" parent="1"`),
      row("q", 40, "int", "age"),
      row("p", 20, "PK", "id"),
    ),
  );
  equal(text, "Users\n\n| PK | id |\n| --- | --- |\n| int | age |\n");
});

Deno.test("a canvas of Obsidian has its groups as sections, and headings in its cards", async () => {
  const node = (id: string, type: string, y: number, more: object) => ({
    id,
    type,
    x: 0,
    y,
    width: 10,
    height: 10,
    ...more,
  });
  const { text, sections } = await load(JSON.stringify({
    nodes: [
      node("g", "group", 100, { label: "Later", width: 50, height: 50 }),
      node("l", "link", 110, { url: "https://a.example" }),
      node("t", "text", 0, { text: "# Plan\n\n- one\n- two\n\n```\n# no\n```" }),
      node("f", "file", 50, { file: "notes/a.md", subpath: "#b" }),
    ],
    edges: [{ fromNode: "t", toNode: "f", label: "see" }, { fromNode: "t", toNode: "l" }],
  }));
  equal(
    text,
    "# Plan\n\n- one\n- two\n\n```\n# no\n```\n\n[[notes/a.md#b]]\n\n# Later\n\nhttps://a.example\n\n- Plan → [[notes/a.md#b]]: see\n",
  );
  equal(sections.length, 2);
});

Deno.test("Excalidraw has texts in boxes and on arrows, frames as sections, and deleted elements", async () => {
  const { text } = await load(JSON.stringify({
    type: "excalidraw",
    elements: [
      { id: "a", type: "rectangle", y: 10 },
      { id: "t", type: "text", text: "Cli\nent", originalText: "Client", containerId: "a" },
      { id: "b", type: "text", text: "Server", y: 20, frameId: "f" },
      { id: "f", type: "frame", name: "Cloud" },
      { id: "r", type: "arrow", startBinding: { elementId: "a" }, endBinding: { elementId: "b" } },
      { id: "l", type: "text", text: "asks", containerId: "r" },
      { id: "x", type: "text", text: "gone", isDeleted: true },
    ],
  }));
  equal(text, "Client\n\n# Cloud\n\nServer\n\n- Client → Server: asks\n");
});

Deno.test("a note with an Excalidraw drawing is Markdown without the data of the drawing", async () => {
  const { text, bodyStart } = await load(
    "---\nexcalidraw-plugin: parsed\ntags: [plan]\n---\n# Excalidraw Data\n## Text Elements\nClient ^a1b2c3\n\nServer ^d4e5f6\n\n%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwgLgAQQQ\n```\n%%",
  );
  ok(
    text.slice(bodyStart).includes("Client\n\nServer\n") && !text.includes("N4KAk") && !text.includes("^"),
    text,
  );
});

Deno.test("a library of Excalidraw has its drawings as sections", async () => {
  const elements = [{ id: "1", type: "text", text: "tea" }];
  equal(
    (await load(
      JSON.stringify({ type: "excalidrawlib", libraryItems: [{ name: "Cup", elements }, { elements }] }),
    )).text,
    "# Cup\n\ntea\n\ntea\n",
  );
  equal((await load(JSON.stringify({ type: "excalidrawlib", library: [elements, 1] }))).text, "tea\n");
});

/** A PNG of text chunks. */
const png = (...chunks: [type: string, name: string, value: string | Uint8Array][]) =>
  new Uint8Array(Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...chunks.flatMap(([type, name, value]) => {
      const content = Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(value as string, "latin1")]);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(content.length);
      return [length, Buffer.from(type), content, Buffer.alloc(4)];
    }),
  ]));
const scene = JSON.stringify({ type: "excalidraw", elements: [{ id: "1", type: "text", text: "绿茶" }] });
/** A drawing as Excalidraw wraps it. */
const wrapped = JSON.stringify({
  version: "1",
  encoding: "bstring",
  compressed: true,
  encoded: deflateSync(scene).toString("latin1"),
});

Deno.test("a picture made of a drawing is read as the drawing that it keeps", async () => {
  const file = `<mxfile><diagram name="Tea">${graph(cell("a", "绿茶", `parent="1"`))}</diagram></mxfile>`;
  const shape = `<text x="1">green</text><style>p {}</style>`;
  const attribute = file.replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
  const payload = (version: number, text: string) =>
    `<svg><!-- payload-type:x --><!-- payload-version:${version} --><!-- payload-start -->${
      base64(text)
    }<!-- payload-end -->${shape}</svg>`;
  const packed = Buffer.concat([Buffer.of(0), deflateSync(encodeURIComponent(file))]);
  for (
    const picture of [
      `<svg content="${attribute}">${shape}</svg>`,
      png(["IHDR", "", ""], ["tEXt", "mxfile", encodeURIComponent(file)]),
      png(["zTXt", "mxfile", packed]),
    ]
  ) equal((await load(picture)).text, "# Tea\n\n绿茶\n");
  for (
    const picture of [
      payload(2, wrapped),
      payload(1, Buffer.from(scene).toString("latin1")),
      png(["tEXt", "application/vnd.excalidraw+json", wrapped]),
    ]
  ) equal((await load(picture)).text, "绿茶\n");
});

Deno.test("where pictures are recognised, one with a drawing is a drawing, and one without is a picture", async () => {
  const read = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { format, document } = await readDocument(bytes, { path: "a.drawio.png", pictures: true });
    return `${format}: ${document.text}`;
  };
  const drawing = encodeURIComponent(graph(cell("a", "绿茶", `parent="1"`)));
  equal(await read(png(["tEXt", "mxfile", drawing])), "diagram: 绿茶\n");
  equal(await read(png(["tEXt", "Title", "x"])), "image: ");
  equal(await read(png(["tEXt", "mxfile", "x"])), "image: ");
});

Deno.test("a picture without a drawing gives its texts, if it has any, and a broken one the reason", async () => {
  const shapes = "<defs><text>no</text></defs><title>Plan</title><g><text>green</text><text/></g>";
  equal((await load(`<svg>${shapes}<!-- payload-start -->x</svg>`)).text, "Plan\n\ngreen\n");
  equal(
    (await load(`<svg>${shapes}<!-- payload-start -->=<!-- payload-end --></svg>`)).text,
    "Plan\n\ngreen\n",
  );
  equal(await problem(png(["tEXt", "Title", "x"])), 0);
  equal(await problem(png(["tEXt", "mxfile", "x"])), "damaged");
  equal(await problem(png(["tEXt", "application/vnd.excalidraw+json", "x"])), "damaged");
  equal(await problem(png(["zTXt", "mxfile", "\0\x78\x9c\xff\xff\xff"])), "damaged");
  const bomb = Buffer.concat([Buffer.of(0), deflateSync(Buffer.alloc(200_000_000))]);
  equal(await problem(png(["zTXt", "mxfile", bomb])), "too_complex");
  const chunk = png(["tEXt", "a", ""]).subarray(8);
  equal(
    await problem(new Uint8Array(Buffer.concat([png(), Buffer.alloc(200_000 * chunk.length, chunk)]))),
    0,
  );
  ok(await problem("<svg>" + "<text>".repeat(200_000)) !== -1);
  ok(await problem("<svg>" + "payload-start -->".repeat(200_000)) !== -1);
});

Deno.test("of several with one identifier the first contains the others, so that no text is repeated", async () => {
  const table = (text: string) => cell("t", text, `parent="1" style="shape=table;"`);
  const tables = graph(table("Prices"), table("Dates"), cell("r", "Tea", `parent="t"`));
  equal((await load(tables)).text, "Prices\n\n| Tea |\n| --- |\n\nDates\n");
  const edge = cell("e", "", `edge="1" source="a" target="b"`);
  const lines = graph(cell("a", "A"), cell("b", "B"), edge, edge, cell("l", "late", `parent="e"`));
  equal((await load(lines)).text, "A\n\nB\n\n- A → B: late\n");
  const box = { id: "a", type: "rectangle" };
  const drawing = { elements: [box, box, { id: "t", type: "text", text: "once", containerId: "a" }] };
  equal((await load(JSON.stringify(drawing))).text, "once\n");
  const many = (one: string) => one.repeat(20_000);
  const hostile = [
    many(table("a")) + many(cell("r", "b", `parent="t"`)),
    many(edge) + many(cell("l", "b", `parent="e"`)),
    many(cell("c", "a", `parent="1"`)) + many(cell("r", "b", `parent="c"`)),
    cell("n", "-&#10;".repeat(20_000)) + many(cell("f", "b", `edge="1" source="n" target="n"`)),
  ];
  for (const cells of hostile) ok(Number(await problem(graph(cells))) < 1_000_000);
});

Deno.test("a label shows values of its element only, and repeats none without end", async () => {
  const object = (label: string, more = "") =>
    graph(`<UserObject id="u" label="${label}" placeholders="1" ${more}><mxCell parent="1"/></UserObject>`);
  equal((await load(object("%constructor% %a% %a%", `a="b"`))).text, "%constructor% b b\n");
  ok(Number(await problem(object("%a%".repeat(2_000), `a="${"b".repeat(2_000)}"`))) < 100_000);
});

Deno.test("a file without a drawing is refused", async () => {
  equal(await problem("<a/>"), "damaged");
  equal(await problem("{"), "damaged");
  equal(await problem(`{"a": 1}`), "unsupported");
  equal(await problem(`<mxfile><diagram>AAAA</diagram></mxfile>`), "damaged");
});

Deno.test("pages that inflate without end, deep containers and many marks are held", async () => {
  equal(
    await problem(`<mxfile><diagram>${packed(new Uint8Array(120_000_000))}</diagram></mxfile>`),
    "too_complex",
  );
  equal(await problem("<mxfile>".repeat(200_000)), "too_complex");
  const chain = Array.from({ length: 20_000 }, (_, i) => cell(`${i + 1}`, "a", `parent="${i}"`)).join("");
  ok(await problem(graph(chain)));
  const circle = graph(
    cell("a", "a", `parent="b"`),
    cell("b", "b", `parent="a"`),
    cell("c", "c", `parent="c"`),
  );
  equal((await load(circle)).text, "c\n\na\n\nb\n");
  for (const mark of ["&lt;", "&amp;amp;", "&lt;div&gt;", "&lt;!--", "%"]) {
    ok(await problem(graph(cell("a", mark.repeat(200_000), `style="html=1"`))) !== -1, mark);
  }
  for (const mark of ["#", "```\n", "[", "> ", "# a\n"]) {
    ok(
      await problem(JSON.stringify({ nodes: [{ id: "a", type: "text", text: mark.repeat(200_000) }] })) !==
        -1,
      mark,
    );
  }
  equal(await problem(`{"nodes":${"[".repeat(200_000)}`), "damaged");
  const many = Array.from(
    { length: 60_000 },
    (_, i) => ({ id: `${i}`, type: i % 2 === 0 ? "group" : "text", text: "a", label: "b" }),
  );
  ok(await problem(JSON.stringify({ nodes: many })));
});
