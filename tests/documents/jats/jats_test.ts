import assert from "node:assert/strict";
import { isJats } from "#documents/root_tag.ts";
import { loader } from "#documents/formats/jats.ts";
import { DocumentError } from "#documents/mod.ts";

const load = (xml: string) => loader.load(new TextEncoder().encode(xml), { path: "a.nxml" });

const ARTICLE = `<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2//EN" "JATS.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<article xml:lang="en" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><journal-meta><journal-title>J</journal-title></journal-meta>
<article-meta><title-group><article-title>Pumps in <italic>cold</italic> water</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Smith</surname><given-names>Ann</given-names></name><xref ref-type="aff" rid="a1"/></contrib>
<contrib contrib-type="author"><name><surname>李</surname><given-names>雷</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>No</surname></name></contrib></contrib-group>
<aff id="a1"><label>1</label><institution>Institute</institution><country>Norway</country></aff>
<pub-date pub-type="epub"><day>1</day><month>6</month><year>2020</year></pub-date>
<abstract><p>Short &x;.</p></abstract><kwd-group><kwd>pump</kwd><kwd>ice</kwd></kwd-group></article-meta></front>
<body><sec><label>1.</label><title>Methods</title><p>As in [<xref ref-type="bibr" rid="r1">1</xref>] and here<sup><xref ref-type="bibr" rid="r1">1</xref></sup>, 10<sup>5</sup> <inline-formula><mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math></inline-formula>.</p>
<sec><title>Data</title><list list-type="order"><list-item><p>one</p></list-item></list>
<disp-formula><label>(1)</label><tex-math>\\documentclass{a}\\begin{document}$$E=mc^2$$\\end{document}</tex-math></disp-formula>
<fig><label>Figure 1</label><caption><title>A pump.</title><p>In water.</p></caption><graphic xlink:href="f.png"/></fig>
<table-wrap><label>Table 1.</label><caption><p>Flows</p></caption><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table></table-wrap></sec></sec></body>
<back><ack><p>Thanks.</p></ack><ref-list><title>References</title>
<ref id="r1"><label>1</label><element-citation><person-group><name><surname>Lee</surname><given-names>A</given-names></name></person-group><article-title>On ice</article-title><source>J Ice</source><year>2009</year><volume>3</volume><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.1/x</pub-id></element-citation></ref>
<ref><label>2</label><mixed-citation><name><surname>Ng</surname><given-names>B</given-names></name>. <article-title>Snow</article-title>. 2010.</mixed-citation></ref></ref-list></back>
<sub-article article-type="decision-letter"><front-stub><title-group><article-title>Letter</article-title></title-group></front-stub></sub-article>
<sub-article article-type="translation"><front-stub><title-group><article-title>冷水中的泵</article-title></title-group></front-stub><body><p>正文。</p></body></sub-article></article>`;

Deno.test("an article keeps its front matter, sections, tables, formulas and references", async () => {
  const document = await load(ARTICLE);
  assert.equal(
    document.text,
    `# Pumps in cold water

Ann Smith, 李雷

Institute, Norway

## Abstract

Short &x;.

Keywords: pump, ice

## 1. Methods

As in [1] and here[1], 10⁵ x = 1.

### Data

1. one

$E=mc^2$ (1)

Figure 1. A pump. In water.

Table 1. Flows

| a | b |
| --- | --- |
| 1 | 2 |
| 1 | 3 |

## Acknowledgements

Thanks.

## References

1. Lee A. On ice. J Ice 3:1–9 (2009). DOI: 10.1/x.
2. Ng B. Snow. 2010.

## 冷水中的泵

正文。
`,
  );
  assert.equal(document.title, "Pumps in cold water");
  assert.deepEqual(document.metadata, {
    authors: ["Ann Smith", "李雷"],
    tags: ["pump", "ice"],
    published: "2020-06-01",
    language: "en",
    description: "Short &x;.",
    extra: { journal: "J" },
  });
  assert.deepEqual(document.sections.map(({ level, title }) => [level, title]).slice(2, 4), [[
    2,
    "1. Methods",
  ], [3, "Data"]]);
});

Deno.test("isJats() recognises JATS by its root element and document type", () => {
  assert.equal(isJats(ARTICLE.slice(0, 4_000)), true);
  assert.equal(isJats(`<!-- <article> --><pmc-articleset><article/></pmc-articleset>`), true);
  assert.equal(isJats(`<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" ""><article/>`), false);
  assert.equal(isJats(`<html><article/></html>`), false);
});

Deno.test("other XML, and an empty, cut-off or endlessly nested file, is rejected or read", async () => {
  const problem = async (xml: string) => {
    try {
      return (await load(xml)).text;
    } catch (error) {
      assert.ok(error instanceof DocumentError, String(error));
      return error.problem;
    }
  };
  assert.equal(await problem(""), "damaged");
  assert.equal(await problem("<svg/>"), "unsupported");
  assert.equal(await problem("<article><body><p>cut off"), "cut off\n");
  assert.equal(await problem("<article>" + "<sec>".repeat(10_000)), "too_complex");
});
