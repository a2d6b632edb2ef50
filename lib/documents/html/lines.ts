/** Reads the lines of text in short pieces of HTML, as the labels of drawings and outlines contain them. */
import { Tokenizer } from "htmlparser2";
import { words } from "../types.ts";

const BLOCKS = words(
  "address article blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul",
);
const LEFT_OUT = words("script style title");

/** Returns the lines of text, without empty ones. Takes linear time for any nesting, since it builds no tree. */
export function htmlLines(html: string): string[] {
  let text = "";
  let hidden = "";
  const tag = (start: number, end: number): string => {
    const name = html.slice(start, end).toLowerCase();
    if (BLOCKS.has(name)) text += "\n";
    else if (name === "td" || name === "th") text += " ";
    return name;
  };
  const nothing = () => {};
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, {
    onopentagname(start, end) {
      const name = tag(start, end);
      if (hidden === "" && LEFT_OUT.has(name)) hidden = name;
    },
    onclosetag(start, end) {
      if (tag(start, end) === hidden) hidden = "";
    },
    ontext(start, end) {
      if (hidden === "") text += html.slice(start, end).replace(/[\s\u00a0]+/g, " ");
    },
    ontextentity(code) {
      if (hidden === "") text += code === 160 ? " " : String.fromCodePoint(code);
    },
    onattribdata: nothing,
    onattribentity: nothing,
    onattribend: nothing,
    onattribname: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onopentagend: nothing,
    onprocessinginstruction: nothing,
    onselfclosingtag: nothing,
  });
  tokenizer.write(html);
  tokenizer.end();
  return text.split("\n").map((line) => line.replace(/ {2,}/g, " ").trim()).filter((line) => line !== "");
}
