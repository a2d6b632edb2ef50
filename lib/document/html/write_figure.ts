import { MarkdownBuilder } from "../writer/markdown_builder.ts";
import { alternativeOf, isOnlyChild, isWithin } from "./image.ts";
import { tex } from "./math.ts";
import { attribute, type Element, find, lineOf } from "./tree.ts";
import type { Walk } from "./walk.ts";

/** Writes `<figure>`: a picture with its caption, or any other content as blocks. */
export function writeFigure(element: Element, walk: Walk): void {
  walk.writer.endItem();
  const caption = find(element, "figcaption");
  const image = find(element, "img");
  const hasMore = ["pre", "table", "ul", "ol", "blockquote", "p"].some((name) => {
    const found = find(element, name);
    return found !== undefined && !isWithin(found, caption);
  });
  if (image === undefined || hasMore) return walk.block(element);
  const alternative = alternativeOf(image);
  const text = caption === undefined ? "" : lineOf(caption);
  if (text === "" || (alternative !== "" && !text.includes(alternative))) walk.sink.image(alternative);
  else walk.sink.image();
  if (caption !== undefined) walk.block(caption);
}

/** Writes `<img>`: a rendered formula as TeX, any other picture by its alternative text. */
export function writeImage(element: Element, { sink, writer }: Walk): void {
  const text = alternativeOf(element);
  if (text === "") return;
  if (/\b(?:tex|latex|math|mwe-math-fallback-image-inline)\b/.test(attribute(element, "class"))) {
    return writer.push(tex(text));
  }
  const isAlone = !writer.inItem && writer.isBlank && sink instanceof MarkdownBuilder && isOnlyChild(element);
  if (isAlone) sink.image(text);
  else writer.push(`![${text}]()`);
}
