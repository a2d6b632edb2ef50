import assert from "node:assert/strict";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/formats/notebook.ts";

const load = (notebook: unknown) =>
  loader.load(new TextEncoder().encode(JSON.stringify(notebook)), { path: "a.ipynb" });
const code = (source: string, ...outputs: unknown[]) => ({ cell_type: "code", source, outputs });

Deno.test("texts, code and printed output follow each other, and headings are sections", async () => {
  const document = await load({
    nbformat: 4,
    metadata: { kernelspec: { language: "R" }, authors: [{ name: "Li Lei" }] },
    cells: [
      {
        cell_type: "markdown",
        source: [
          "# Pumps\n",
          "Some *text* ![x](data:image/png;base64,AAAA).\n",
          "\n",
          "Data\n",
          "----\n",
          "- a\n",
        ],
      },
      code("print(1)\n", { output_type: "stream", name: "stdout", text: ["10%\r100%\n", "done\n"] }),
      code("%%bash\nls", {
        output_type: "error",
        ename: "E",
        evalue: "bad",
        traceback: ["\u001b[0;31mE\u001b[0m: bad"],
      }),
      { cell_type: "raw", source: "raw text" },
    ],
  });
  const text =
    "# Pumps\n\nSome *text* ![x]().\n\n## Data\n\n- a\n\n```r\nprint(1)\n```\n\n```\n100%\ndone\n```\n\n```bash\n%%bash\nls\n```\n\n```\nE: bad\n```\n\nraw text\n";
  assert.equal(document.text, text);
  assert.equal(document.title, "Pumps");
  assert.deepEqual(document.sections.map(({ level, title, start }) => [level, title, start]), [[
    1,
    "Pumps",
    0,
  ], [2, "Data", text.indexOf("## Data")]]);
  assert.deepEqual(document.metadata, { authors: ["Li Lei"] });
});

Deno.test("a result shows its plain text, else its HTML table; a picture is recorded", async () => {
  const { text, images } = await load({
    metadata: { language_info: { name: "python" } },
    cells: [
      code("a", {
        output_type: "execute_result",
        data: { "text/plain": ["  x\n", "0 1"], "text/html": "<table></table>" },
      }),
      code("b", {
        output_type: "display_data",
        data: { "text/html": "<table border=1><tr><th>x<th>y<tr><td>1<td>2</table>" },
      }),
      code("c", {
        output_type: "display_data",
        data: { "text/plain": "<Figure size 640x480>", "image/png": "AAAA" },
      }),
      code("d", {
        output_type: "display_data",
        data: { "application/vnd.jupyter.widget-view+json": {}, "text/plain": "Box()" },
      }),
      code("e", { output_type: "display_data", data: { "text/markdown": "# no section" } }),
    ],
  });
  assert.equal(
    text,
    "```python\na\n```\n\n```\nx\n0 1\n```\n\n```python\nb\n```\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n```python\nc\n```\n\n```python\nd\n```\n\n" +
      "```python\ne\n```\n\n**no section**\n",
  );
  assert.equal(images?.length, 1);
});

Deno.test("format 3 has worksheets, heading cells and inputs", async () => {
  const { text } = await load({
    nbformat: 3,
    worksheets: [{
      cells: [
        { cell_type: "heading", level: 2, source: "Old" },
        {
          cell_type: "code",
          language: "python",
          input: "1+1",
          outputs: [{ output_type: "pyout", text: "2" }],
        },
      ],
    }],
  });
  assert.equal(text, "## Old\n\n```python\n1+1\n```\n\n```\n2\n```\n");
});

Deno.test("a long output is cut with a note; parts of unexpected types count as empty", async () => {
  const { text } = await load({
    cells: [code("x", { output_type: "stream", text: "y".repeat(30_000) }), 5, null, { source: {} }],
  });
  assert.match(text, /y\n… 10000 more characters\n```\n$/);
});

Deno.test("an empty or cut-off file, and one that is not a notebook, is damaged", async () => {
  for (const source of ["", "{", '{"cells": [', '{"a": 1}', "[]", "null"]) {
    await assert.rejects(
      loader.load(new TextEncoder().encode(source), { path: "a.ipynb" }),
      (error) => error instanceof DocumentError && error.problem === "damaged",
      source,
    );
  }
});

Deno.test("titles have characters in place of HTML references, in both formats and the metadata", async () => {
  const titlesOf = async (notebook: unknown) => {
    const { title, sections } = await load(notebook);
    return [title, ...sections.map((section) => section.title)];
  };
  const source = "# R&eacute;sum&#233; &mdash; A &amp; B&#x2122; &nope; &#0; AT&T";
  assert.deepEqual(await titlesOf({ metadata: {}, cells: [{ cell_type: "markdown", source }] }), [
    "Résumé — A & B™ &nope; &#0; AT&T",
    "Résumé — A & B™ &nope; &#0; AT&T",
  ]);
  assert.deepEqual(
    await titlesOf({
      metadata: { title: "Q &amp; A" },
      worksheets: [{ cells: [{ cell_type: "heading", level: 1, source: "&Uuml;ber *us*" }] }],
    }),
    ["Q & A", "Über us"],
  );
});
