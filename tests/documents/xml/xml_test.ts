import assert from "node:assert/strict";
import { child, children, descendants, parseXml, readElements, textOf } from "#documents/xml.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("parseXml() returns a tree of elements, attributes and texts", () => {
  const root = parseXml(
    `<?xml version="1.0"?><a x="1 &amp; 2"><b>t&lt;&#x4e2d;<![CDATA[<c>]]></b><!-- no --><b/>end</a>`,
  );
  assert.deepEqual(root, {
    name: "a",
    attributes: { x: "1 & 2" },
    children: [
      { name: "b", attributes: {}, children: ["t<中<c>"] },
      { name: "b", attributes: {}, children: [] },
      "end",
    ],
  });
  assert.equal(child(root, "b")?.children.length, 1);
  assert.equal(child(root, "b", "c"), undefined);
  assert.equal(children(root).length, 2);
  assert.equal(children(root, "b").length, 2);
  assert.equal(descendants(root, "b").length, 2);
  assert.equal(textOf(root), "t<中<c>end");
});

Deno.test("parseXml() maps known namespaces to the requested prefixes", () => {
  const source =
    `<n:a xmlns:n="urn:one" xmlns="urn:two" n:x="1" y="2"><b/><c xmlns="urn:one"><d/></c><b/><e:f xmlns:e="urn:e"/></n:a>`;
  const root = parseXml(source, { "urn:one": "", "urn:two": "t" });
  assert.deepEqual(
    [root.name, root.attributes["x"], root.attributes["y"], ...children(root).map((one) => one.name)],
    ["a", "1", "2", "t:b", "c", "t:b", "e:f"],
  );
  assert.equal(children(children(root, "c")[0])[0]?.name, "d");
});

Deno.test("parseXml() reads UTF-8 and UTF-16 by their byte order marks, and the declared encoding", () => {
  const utf16 = new Uint8Array([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array(Array.from("<a>中</a>", (c) => c.charCodeAt(0))).buffer),
  ]);
  const gbk = new Uint8Array([
    ...encode(`<?xml version="1.0" encoding="GBK"?><a>`),
    0xd6,
    0xd0,
    ...encode("</a>"),
  ]);
  for (const bytes of [encode("<a>中</a>"), encode("\ufeff<a>中</a>"), utf16, gbk]) {
    assert.equal(textOf(parseXml(bytes)), "中");
  }
  assert.throws(() => parseXml(encode(`<?xml version="1.0" encoding="x-none"?><a/>`)), {
    problem: "unsupported",
  });
});

Deno.test("parseXml() expands no entity and fetches nothing external", () => {
  const bomb =
    `<!DOCTYPE a [<!ENTITY b "text"><!ENTITY c "&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]><a>&c;&d;</a>`;
  assert.equal(textOf(parseXml(bomb)), "&c;&d;");
});

Deno.test("parseXml() throws beyond its limits of depth and nodes, and for a document without a root", () => {
  assert.throws(() => parseXml("<a>".repeat(100_000)), { name: "DocumentError", problem: "too_complex" });
  assert.throws(() => parseXml(`<a>${"<b/>".repeat(11)}</a>`, {}, 10), { problem: "too_complex" });
  for (const text of ["", "text", "<!-- a -->"]) assert.throws(() => parseXml(text), { problem: "damaged" });
});

Deno.test("readElements() yields the outermost elements of a name while it reads, with their ancestors", () => {
  function* pieces() {
    yield encode(`<sheet name="one"><rows><row n="1"><c>a`);
    yield encode(`</c></row><row n="2"><row/></row></rows></sheet>`);
  }
  const found = [...readElements(pieces(), ["row"])].map(({ element, ancestors }) => [
    element.attributes["n"],
    textOf(element),
    ancestors.map((one) => one.name + (one.attributes["name"] ?? "")).join(">"),
  ]);
  assert.deepEqual(found, [["1", "a", "sheetone>rows"], ["2", "", "sheetone>rows"]]);
});

Deno.test("readElements() holds one element at a time, so its limit applies to the largest", () => {
  const rows = "<row><c/></row>".repeat(1000);
  assert.equal([...readElements(`<a>${rows}</a>`, ["row"], {}, 2)].length, 1000);
});
