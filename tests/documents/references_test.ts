import assert from "node:assert/strict";
import { readReferences } from "#documents/text/references.ts";
import { loadDocument } from "#documents/read_document.ts";

Deno.test("inline tags may be nested or Chinese; headings, numbers, colours, code and anchors are none", () => {
  const text = `# Heading #real
#start and #项目/预算, (#no) a#no &#8217; [x](#no) #2024 #issue-12 #y2024
## No
The colour is #a1b2c3 or color: #fff; but #cafe is a tag, and #end.
\`#no\` \`\`a \` #no\`\` <!-- #no --> %% #no %%

\`\`\`css
a { color: #no }
#no { }
\`\`\`
~~~
#no
\`\`\`
#no
~~~

    #no is code

- item
    - #deeper
<style>
 #no { color: red }
</style>
#START again, #last/
[\`definition\`]: #no
`;
  assert.deepEqual(readReferences(text).tags, [
    "real",
    "start",
    "项目/预算",
    "issue-12",
    "y2024",
    "cafe",
    "end",
    "deeper",
    "last",
  ]);
});

Deno.test("links to notes and files are kept without aliases and headings; addresses and media are not", () => {
  const text = `See [[Keys]], [[notes/锁|the lock]], [[Keys#Rotation]] and ![[Plan^a1]]. | [[In table\\|x]] |
[a](./sub/a%20b.md) [b](../c.md#x) [d](<d e.md>) [root](/e.md) [bare](f.md "title") ![p](p.png) ![[p.png]]
[web](https://a.example/x.md) [mail](mailto:x@a.example) [here](#x) [[#only]] \`[[no]]\`
[defined]: ./g.md#x "title"
[other]: https://a.example/x
`;
  assert.deepEqual(readReferences(text).links, [
    "Keys",
    "notes/锁",
    "Plan",
    "In table",
    "./sub/a b.md",
    "../c.md",
    "./d e.md",
    "/e.md",
    "./f.md",
    "./g.md",
  ]);
});

Deno.test("a Markdown document has the tags of its front matter and of its text, aliases and links", () => {
  const text = `---\ntitle: Keys\ntags: [ops]\naliases:\n  - Key ring\n---\n\n#Ops #预算 See [[Locks]].\n`;
  const { metadata, links } = loadDocument("a.md", text);
  assert.deepEqual(metadata, { tags: ["ops", "预算"], extra: { aliases: ["Key ring"] } });
  assert.deepEqual(links, ["Locks"]);
  assert.deepEqual(loadDocument("a.txt", "#ops [[Locks]]"), { text: "#ops [[Locks]]", sections: [] });
});

Deno.test("marks repeated 200,000 times are read in linear time, and a text has a limited number of references", () => {
  const marks = [
    "#",
    "#a ",
    "[[",
    "[[a",
    "[[a]] ",
    "](",
    "](a.md)",
    "[a]: ",
    "[a]: b\n",
    "[\n",
    "`",
    "``` ",
    "```\n",
    "~~~\n",
    "<!--",
    "<style",
    "%%",
    "[[a|",
    " #a/",
    "\t#a\n",
  ];
  for (const mark of marks) readReferences(mark.repeat(200_000));
  const many = Array.from({ length: 5_000 }, (_, i) => `#tag${i} [[note${i}]] ${"`".repeat(i % 300)}x`).join(
    "\n",
  );
  const { tags, links } = readReferences(many);
  assert.ok(tags.length <= 100 && links.length <= 500);
});
