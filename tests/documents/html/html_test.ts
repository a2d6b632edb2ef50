import assert from "node:assert/strict";
import { loader } from "#documents/html/loader.ts";
import { isHtml } from "#documents/root_tag.ts";
import { DocumentError } from "#documents/mod.ts";

const load = (html: string) => loader.load(new TextEncoder().encode(html), { path: "page.html" });
const text = async (html: string) => (await load(html)).text;

Deno.test("a page gives its title, headings as sections, paragraphs and metadata from its head", async () => {
  const document = await load(
    `<!doctype html><html lang="zh-CN"><head><title>Keys — Handbook</title>
    <meta name="author" content="Li Lei"><meta property="article:published_time" content="2024-05-01T10:00:00+08:00">
    </head><body><h1>Keys<a class="headerlink" href="#keys">¶</a></h1><p>Rotate them\n  every&nbsp;90 days.<h2>钥匙</h2><p>每九十天
    更换。</body></html>`,
  );
  const markdown = "# Keys\n\nRotate them every 90 days.\n\n## 钥匙\n\n每九十天更换。\n";
  assert.deepEqual(document, {
    text: markdown,
    title: "Keys — Handbook",
    sections: [
      { start: 0, headingEnd: 6, end: markdown.length, level: 1, title: "Keys", path: ["Keys"] },
      { start: 36, headingEnd: 41, end: markdown.length, level: 2, title: "钥匙", path: ["Keys", "钥匙"] },
    ],
    metadata: { authors: ["Li Lei"], published: "2024-05-01T10:00:00+08:00", language: "zh-CN" },
  });
});

Deno.test("navigation, scripts, styles, search, banners and hidden elements are left out", async () => {
  const body = "<p>" + "The pump must be bled before it runs. ".repeat(20).trim() + "</p>";
  const html = `<body class="has-sidebar"><script>var a = "<p>no</p>";</script><style>p { color: red }</style>
    <a class="skip-link" href="#c">Skip to content</a><nav><ul><li><a href="/">Home</a></ul></nav>
    <form role="search"><label>Search</label><input name="q"></form>
    <div id="cookie-banner">We use cookies. <button>Accept</button></div>
    <div class="breadcrumbs"><a href="/">Home</a> &gt; <a href="/p">Pumps</a></div>
    <div class="page-content"><h1>Pumps</h1><div class="toc"><a href="#a">A</a> <a href="#b">B</a></div>${body}
    <p style="display: none">hidden</p><p hidden>hidden</p><span aria-hidden="true">hidden</span><template>no</template></div>
    <aside><h2>Related</h2><a href="/x">Other pumps</a><a href="/y">Valves</a></aside>
    <div class="related-posts"><a href="/1">One</a></div><footer>© 2024 Pumps Ltd</footer></body>`;
  assert.equal(await text(html), `# Pumps\n\n${body.slice(3, -4)}\n`);
});

Deno.test("an element marked as boilerplate stays if it contains most of the text", async () => {
  const listing = Array.from({ length: 9 }, (_, i) => `<li><a href="/${i}">Result ${i}</a></li>`).join("");
  assert.match(await text(`<body><nav><ul>${listing}</ul></nav></body>`), /^- Result 0\n- Result 1\n/);
  assert.equal(
    await text(`<div class="sidebar"><p>${"The only text. ".repeat(50)}</p></div>`),
    `${"The only text. ".repeat(50).trim()}\n`,
  );
});

Deno.test("a heading before the main element, or inside the header of the site, is kept", async () => {
  const body = "<p>" + "Text of the article. ".repeat(30).trim() + "</p>";
  const html = `<header><nav><a href="/">Home</a></nav><h1>Title</h1></header><main>${body}</main>`;
  assert.equal(await text(html), `# Title\n\n${body.slice(3, -4)}\n`);
});

Deno.test("a heading before the main element is kept together with its sibling heading", async () => {
  const body = "<p>" + "Text of the manual. ".repeat(30).trim() + "</p>";
  const html =
    `<div id="header"><h1>stash(1)</h1><h2>NAME</h2><div class="sectionbody"><p>stash - put changes away</p></div>
    </div><div id="content"><h2>USE</h2>${body}</div><div id="footer">Last updated today</div>`;
  assert.equal(
    await text(html),
    `# stash(1)\n\n## NAME\n\nstash - put changes away\n\n## USE\n\n${body.slice(3, -4)}\n`,
  );
  const around = `<h1>Title</h1><h2>Part</h2><div><div id="content">${body}</div></div>`;
  assert.equal(await text(around), `# Title\n\n${body.slice(3, -4)}\n`);
});

Deno.test("titled boxes in a text are not sidebars of the site", async () => {
  const body = "<p>" + "Text of the book. ".repeat(30).trim() + "</p>";
  const box = (title: string) =>
    `<div class="sidebar"><div class="titlepage"><p class="title"><strong>${title}</strong></p></div><p>Worth knowing.</p></div>`;
  const html = `<div class="section"><h1>Book</h1>${body}${
    box("TOOL")
  }<div class="sidebar"><a href="/">Home</a></div>
    <aside class="sidebar"><p class="sidebar-title">NOTE</p><p>A remark.</p></aside></div>`;
  assert.equal(
    await text(html),
    `# Book\n\n${body.slice(3, -4)}\n\n**TOOL**\n\nWorth knowing.\n\nNOTE\n\nA remark.\n`,
  );
});

Deno.test("nested lists keep their depth and numbers, definitions their terms", async () => {
  assert.equal(
    await text(
      `<ul><li>one<ol start="3"><li>a<li><p>b</p><p>more</p></ol></li><li><input type="checkbox" checked>two</ul>
      <dl><dt>term<dd>meaning<dt>other<dd><p>first</p><ul><li>inner</ul></dl>`,
    ),
    "- one\n  3. a\n  4. b\n     more\n- [x] two\n- **term**\n  meaning\n- **other**\n  first\n  - inner\n",
  );
});

Deno.test("tables repeat merged cells, write each cell on one line and keep their caption", async () => {
  assert.equal(
    await text(
      `<table><caption>Birds</caption><thead><tr><th>Name<th colspan="2">Places</tr></thead>
      <tr><td rowspan="2">Teal<td><ul><li>Pond<li>Marsh</ul><td>a|b</tr>
      <tr><td>x<br>y<td><table><tr><td>1<td>2<tr><td>3<td>4</table></tr>
      <tr><td></td><td></td><td></td></tr></table>`,
    ),
    "Birds\n\n| Name | Places | Places |\n| --- | --- | --- |\n| Teal | - Pond - Marsh | a\\|b |\n" +
      "| Teal | x y | 1 2 3 4 |\n",
  );
});

Deno.test("layout tables are read cell by cell", async () => {
  assert.equal(
    await text(
      `<table><tr><td><h1>Old page</h1><p>First.</p></td><td><table border=1><tr><th>k<th>v<tr><td>a<td>1</table></td></tr></table>
      <table border="0" summary="Note"><tr><td rowspan="2"><img src="n.png" alt="[Note]"></td><th>Note</th></tr><tr><td><p>Mind it.</p></td></tr></table>`,
    ),
    "# Old page\n\nFirst.\n\n| k | v |\n| --- | --- |\n| a | 1 |\n\n![Note]()\n\nNote\n\nMind it.\n",
  );
});

Deno.test("code keeps its blanks and its language, without line numbers", async () => {
  const fenced = "```python\nif a:\n    b()\n```\n";
  assert.equal(await text(`<pre><code class="language-python">if a:\n    b()\n</code></pre>`), fenced);
  assert.equal(
    await text(
      `<div class="highlight-python notranslate"><div class="highlight"><pre>if a:<br>    b()</pre></div></div>`,
    ),
    fenced,
  );
  assert.equal(
    await text(
      `<table class="highlighttable" data-lang="python"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>
      <td class="code"><div class="language-python"><pre>if a:\n    b()</pre></div></td></tr></table>`,
    ),
    fenced,
  );
  assert.equal(
    await text(
      `<pre class="brush: python;"><span class="lineno">1 </span>if a:\n<span class="lineno">2 </span>    b()</pre>`,
    ),
    fenced,
  );
  assert.equal(
    await text("<p>Run <code>a `b` <b>c</b></code> or <tt>make</tt>.</p>"),
    "Run `` a `b` c `` or `make`.\n",
  );
});

Deno.test("emphasis is marked unless it splits a word; links to other sites keep their targets", async () => {
  assert.equal(
    await text(
      `<head><link rel="canonical" href="https://a.example/x"></head><p><b>Never</b> do <i>this </i>, 而<strong>不是</strong>那。
      <a href="https://b.example/d">other</a> <a href="https://a.example/e">same</a> <a href="../up.html">near</a>
      <a href="javascript:x()">none</a> <a href="https://b.example">https://b.example</a> 10<sup>5</sup> H<sub>2</sub>O`,
    ),
    "**Never** do *this* , 而不是那。 [other](https://b.example/d) same near none https://b.example 10⁵ H₂O\n",
  );
});

Deno.test("formulas are written as TeX if the page contains it, else on one line", async () => {
  assert.equal(
    await text(
      `<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>,
      <math alttext="{\\displaystyle a}"><mi>a</mi></math>, <script type="math/tex">b_1</script>,
      <math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>=</mo><msqrt><mi>c</mi></msqrt></math></p>`,
    ),
    "$x^2$, $a$, $b_1$, a/(b^2) = √(c)\n",
  );
});

Deno.test("pictures show their descriptions, quotations are marked, ruby keeps its word whole", async () => {
  const document = await load(
    `<figure><img src="a.png" alt="A pump"><figcaption>Figure 1: the pump</figcaption></figure><img src="b.png" alt="b.png">
    <p>See <img src="c.png" alt="arrow"> <ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby></p>
    <blockquote><p>One.</p><pre>two</pre></blockquote>`,
  );
  assert.equal(
    document.text,
    "![A pump]()\n\nFigure 1: the pump\n\nSee ![arrow]() 漢字(かんじ)\n\n> One.\n>\n> ```\n> two\n> ```\n",
  );
  assert.deepEqual(document.images, [{ at: 0, caption: "A pump" }, { at: 32 }, { at: 32 }]);
});

Deno.test("the encoding comes from the byte order mark, the declaration or the bytes", async () => {
  const gbk = [0xd6, 0xd0, 0xce, 0xc4];
  const page = (head: string, bytes: number[]) =>
    loader.load(new Uint8Array([...new TextEncoder().encode(head), ...bytes]), { path: "a.htm" });
  const utf8 = [...new TextEncoder().encode("中文")];
  assert.equal((await page("<meta charset=gb2312><p>", gbk)).text, "中文\n");
  assert.equal(
    (await page(`<meta http-equiv=Content-Type content="text/html; charset=gbk"><p>`, gbk)).text,
    "中文\n",
  );
  assert.equal((await page(`<?xml version="1.0" encoding="GB18030"?><p>`, gbk)).text, "中文\n");
  assert.equal((await page("<meta charset=gb2312><p>", utf8)).text, "中文\n");
  assert.equal(
    (await page("<meta charset=utf-8><p>系统管理员的文档", [...gbk, ...gbk])).text.length > 0,
    true,
  );
  assert.equal((await page("<p>", [...gbk, ...gbk, ...gbk, 0xb5, 0xc4])).text, "中文中文中文的\n");
});

Deno.test("fragments, plain text, templates and framesets keep their text", async () => {
  assert.equal(await text("<li>one<li>two"), "one\n\ntwo\n");
  assert.equal(await text("just 1 < 2 & text"), "just 1 < 2 & text\n");
  assert.equal(
    await text("{% block a %}<p>Hello {{ name }}</p>{% endblock %}"),
    "{% block a %}\n\nHello {{ name }}\n\n{% endblock %}\n",
  );
  assert.equal(
    await text("<title>Shop</title><meta name=description content='All pumps'><div id=app></div>"),
    "# Shop\n\nAll pumps\n",
  );
  assert.equal(
    await text(
      "<title>Old</title><frameset><frame src=a.html><noframes><p>Use <b>frames</b>.</p></noframes></frameset>",
    ),
    "Use **frames**.\n",
  );
  assert.equal(await text("<noscript><p>Turn on scripts.</p></noscript>"), "Turn on scripts.\n");
  assert.deepEqual(await load(""), { text: "", sections: [] });
});

Deno.test("elements with a slash are empty in XHTML, but not in HTML", async () => {
  assert.equal(
    await text(
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p><b/>a <![CDATA[<x>]]></p><h1><a id="k"/>K</h1></body></html>`,
    ),
    "a <x>\n\n# K\n",
  );
  assert.equal(await text("<p><b/>a"), "**a**\n");
});

Deno.test("hostile pages are read in bounded time", async () => {
  const nested = await text("<div>".repeat(100_000) + "deep");
  assert.equal(nested, "deep\n");
  assert.match(await text("<ul><li>x".repeat(5_000)), /x/);
  assert.equal((await text("<".repeat(5_000_000))).length, 5_000_001);
  assert.ok(
    (await text(
      `<table border=1>${"<tr><th rowspan=65534 colspan=1000>a longer text<td>x".repeat(500)}</table>`,
    )).length < 2_000_000,
  );
  await assert.rejects(
    load("<b>".repeat(2_100_000)),
    (error) => error instanceof DocumentError && error.problem === "too_complex",
  );
});

Deno.test("Doxygen's div elements become a title and a listing", async () => {
  assert.equal(
    await text(
      `<div class="header"><div class="headertitle"><div class="title">Test Class Reference</div></div></div>
      <div class="fragment"><div class="line"><a name="l1"></a><span class="lineno">    1</span>&#160;class Test</div>\n<div class="line"><span class="lineno">    2</span>{ };</div></div>`,
    ),
    "# Test Class Reference\n\n```\n class Test\n{ };\n```\n",
  );
});

Deno.test("isHtml() recognises a page by its beginning", () => {
  assert.equal(isHtml("\ufeff<?xml version='1.0'?>\n<!-- saved -->\n<!DOCTYPE html><html>"), true);
  assert.equal(isHtml("<HTML lang=en>"), true);
  assert.equal(isHtml("<!DOCTYPE book><book><html>"), false);
  assert.equal(isHtml("A text about <html>"), false);
});
