import { deepEqual, equal, match, ok } from "node:assert/strict";
import { svgLines, terminalSvg } from "../../scripts/pictures/terminal_svg.ts";

Deno.test("svgLines() returns the lines that terminalSvg() drew, without their colours", () => {
  const lines = ["$ search <词> & more", "", "   \u001b[2m│\u001b[22m  \u001b[1ma.md:1-2\u001b[22m  高  "];
  deepEqual(svgLines(terminalSvg(lines, { title: "title" })), [
    "$ search <词> & more",
    "",
    "   │  a.md:1-2  高  ",
  ]);
});

Deno.test("terminalSvg() places each style at its column, and wide characters take two columns", () => {
  const svg = terminalSvg(["中文\u001b[1mbold\u001b[22m"], { title: "title" });
  match(svg, /<tspan class="w" x="16\.0" textLength="31\.2">中文<\/tspan>/);
  match(svg, /<tspan class="b" x="47\.2" textLength="31\.2">bold<\/tspan>/);
});

Deno.test("terminalSvg() escapes the title", () => {
  equal(terminalSvg(["a"], { title: "1 < 2" }).includes("<title>1 &lt; 2</title>"), true);
});

Deno.test("terminalSvg() has the colours of the theme and the width of the terminal", () => {
  const light = terminalSvg(["a"], { title: "a", theme: "light", columns: 60 });
  ok(light.includes('width="500"') && light.includes('fill="#ffffff"'), light);
});
