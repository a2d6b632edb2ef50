import { deepEqual, equal, ok } from "node:assert/strict";
import { type Document, DocumentError, type Loader } from "#documents/mod.ts";
import { loader as xmind, outlineLoader } from "#documents/formats/mind_map.ts";
import { checkDocument } from "../_check_document.ts";
import { zipOf } from "../zip_of.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const load = async (bytes: Uint8Array<ArrayBuffer>, by: Loader = xmind): Promise<Document> => {
  const document = await by.load(bytes, { path: "a" });
  checkDocument(document);
  return document;
};
const outline = (text: string) => load(utf8(text), outlineLoader);
const problem = async (reading: Promise<Document>) => {
  try {
    return (await reading).text.length;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};

const MAP = [{
  title: "Map 1",
  rootTopic: {
    id: "r",
    title: "Tea",
    children: {
      attached: [
        {
          id: "g",
          title: "Green",
          labels: ["fresh"],
          children: {
            attached: [{ title: "Sencha", notes: { plain: { content: "steamed\nnot roasted" } } }],
          },
        },
        { id: "b", title: "Black", href: "https://tea.example" },
      ],
      detached: [{ title: "Water", children: { callout: [{ title: "soft" }] } }],
    },
  },
  relationships: [{ end1Id: "g", end2Id: "b", title: "oxidises to" }],
}, { title: "Map 2", rootTopic: { title: "Cups" } }];

Deno.test("the sheets of a mind map are pages, its upper topics headings, the others lists", async () => {
  const { text, sections, pages, pageUnit, metadata } = await load(
    zipOf({ "content.json": JSON.stringify(MAP) }),
  );
  equal(
    text,
    "# Tea\n\n## Green [fresh]\n\n- Sencha\n  steamed\n  not roasted\n\n## Black\n\nhttps://tea.example\n\n## Water\n\n- soft\n\n" +
      "Green → Black: oxidises to\n\n# Cups\n",
  );
  deepEqual(sections[1]!.path, ["Tea", "Green [fresh]"]);
  deepEqual([pageUnit, pages?.map(({ label }) => label)], ["sheet", ["Map 1", "Map 2"]]);
  deepEqual(metadata, { tags: ["fresh"] });
});

Deno.test("XMind before 2020 writes XML, with comments and the author in parts of their own", async () => {
  const content =
    `<xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0" xmlns:xlink="http://www.w3.org/1999/xlink" timestamp="1528440630589"><sheet id="s"><topic id="r"><title>茶</title><children><topics type="detached"><topic id="w"><title>水</title></topic></topics><topics type="attached"><topic id="g" xlink:href="https://tea.example"><title>绿茶</title><notes><plain>清香</plain></notes><labels><label>新</label></labels></topic></topics></children></topic><title>茶图</title></sheet></xmap-content>`;
  const comments =
    `<comments xmlns="urn:xmind:xmap:xmlns:comments:2.0"><comment author="李雷" object-id="g" time="1528439533216"><content>明前茶</content></comment></comments>`;
  const meta = `<meta xmlns="urn:xmind:xmap:xmlns:meta:2.0"><Author><Name>韩梅梅</Name></Author></meta>`;
  const { text, metadata } = await load(
    zipOf({ "content.xml": content, "comments.xml": comments, "meta.xml": meta }),
  );
  equal(
    text,
    "# 茶\n\n- 绿茶 [新]\n  https://tea.example\n  清香\n  > [李雷, 2018-06-08] 明前茶\n- 水\n",
  );
  deepEqual(metadata, { modified: "2018-06-08T06:50:30Z", authors: ["韩梅梅"], tags: ["新"] });
});

Deno.test("FreeMind has texts in attributes and rich text, notes, attributes, tags and encrypted branches", async () => {
  const { text, metadata } = await outline(
    `<map version="freeplane 1.12"><node TEXT="茶" CREATED="1283093380553" MODIFIED="1369923020781"><hook NAME="MapStyle"><map_styles><stylenode TEXT="no"/></map_styles></hook>
<node TAGS="绿&#10;新"><richcontent TYPE="NODE"><html><head><title>no</title></head><body><p>绿<b>茶</b></p><ul><li>龙井</li></ul></body></html></richcontent><richcontent TYPE="NOTE"><html><body><p>清香</p></body></html></richcontent><attribute NAME="产地" VALUE="杭州"/></node>
<node TEXT="秘密" ENCRYPTED_CONTENT="xyz"/></node></map>`,
  );
  equal(text, "# 茶\n\n- 绿茶\n  龙井\n  清香\n  产地: 杭州\n- 秘密\n  (The topics below are encrypted.)\n");
  deepEqual(metadata, {
    created: "2010-08-29T14:49:40Z",
    modified: "2013-05-30T14:10:20Z",
    tags: ["绿", "新"],
  });
});

Deno.test("an outline may have HTML in its texts and a bare ampersand", async () => {
  const { title, text, metadata } = await outline(
    `<opml version="2.0"><head><title>Feeds</title><ownerName>Li Na</ownerName><dateModified>Thu, 14 Jul 2005 23:41:05 GMT</dateModified></head><body><outline text="News"><outline text="A &lt;em&gt;B&lt;/em&gt;" description="C & D, non-profit" xmlUrl="https://a.example/feed" category="/press,daily"/><outline text="E" _note="F" type="link" url="https://e.example"/><outline text="G" htmlUrl="https://g.example" xmlUrl="https://g.example/feed"/></outline></body></opml>`,
  );
  equal(
    text,
    "# Feeds\n\n## News\n\n- [A B](https://a.example/feed)\n  C & D, non-profit\n- [E](https://e.example)\n  F\n- [G](https://g.example)\n  https://g.example/feed\n",
  );
  equal(title, "Feeds");
  deepEqual(metadata, { authors: ["Li Na"], modified: "2005-07-14T23:41:05Z", tags: ["press", "daily"] });
});

Deno.test("topics without texts add no level, and a long topic is no heading", async () => {
  const long = "x".repeat(130);
  const { text } = await outline(
    `<map version="1"><node TEXT="a"><node TEXT="${long}"><node><node TEXT="b"/></node></node></node></map>`,
  );
  equal(text, `# a\n\n- ${long}\n  - b\n`);
});

Deno.test("an encrypted map is refused, and one that is broken", async () => {
  const parts = { "content.json": "[]" };
  const encrypted = { "file-entries": { "content.json": { "encryption-data": { algorithm: "AES" } } } };
  equal(await problem(load(zipOf({ ...parts, "manifest.json": JSON.stringify(encrypted) }))), "encrypted");
  const manifest = `<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>`;
  equal(await problem(load(zipOf({ "content.xml": "xyz", "META-INF/manifest.xml": manifest }))), "encrypted");
  equal(await problem(load(zipOf({ "content.json": "{" }))), "damaged");
  equal(await problem(load(zipOf({ a: "x" }))), "damaged");
  equal(await problem(outline("<a/>")), "damaged");
});

Deno.test("a comment belongs to one topic, and a line between topics repeats short titles only", async () => {
  const topic = (title: string, id = "") => ({ id, title });
  const long = "long ".repeat(20).trim();
  const content = JSON.stringify([{
    rootTopic: {
      title: "r",
      children: { attached: [topic("a", "1"), topic("b", "1"), topic(long, "2"), topic("c")] },
    },
    relationships: [{ end1Id: "1", end2Id: "2", title: "near" }, { end1Id: "1", end2Id: "1", title: "same" }],
  }]);
  const comments =
    `<comments><comment object-id="1"><content>said</content></comment><comment><content>lost</content></comment></comments>`;
  const { text } = await load(zipOf({ "content.json": content, "comments.xml": comments }));
  equal(text, `# r\n\n- a\n  > said\n- b\n- ${long}\n- c\n\nnear\n\nb → b: same\n`);
});

Deno.test("a time beyond the calendar says nothing", async () => {
  const { metadata } = await outline(`<map version="1"><node TEXT="a" CREATED="8640000000000000"/></map>`);
  equal(metadata, undefined);
});

Deno.test("topics nested without end are too complex, and many marks take linear time", async () => {
  const deep = `[{"rootTopic":${`{"title":"a","children":{"attached":[`.repeat(200_000)}`;
  equal(await problem(load(zipOf({ "content.json": deep }))), "damaged");
  const closed = `[{"rootTopic":${`{"title":"a","children":{"attached":[`.repeat(20_000)}${
    "]}}".repeat(20_000)
  }}]`;
  equal(await problem(load(zipOf({ "content.json": closed }))), "too_complex");
  equal(await problem(outline(`<map version="1">${`<node TEXT="a">`.repeat(200_000)}`)), "too_complex");
  ok(
    await problem(
      outline(
        `<opml><body><outline text="${"&lt;".repeat(200_000)}"/>${"<outline text='a'/>".repeat(200_000)}`,
      ),
    ),
  );
  ok(
    await problem(
      outline(`<map version="1"><node TEXT="a"><richcontent TYPE="NOTE">${"<p/>".repeat(200_000)}`),
    ),
  );
});
