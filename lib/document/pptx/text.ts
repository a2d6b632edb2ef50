import { mathToLatex } from "../ooxml/math.ts";
import type { BlockSink } from "../writer/cell_builder.ts";
import { countAs } from "../writer/list_numbers.ts";
import { child, children, descendants, textOf, type XmlElement } from "../xml/mod.ts";

/** Beginning of the paragraphs of a level: a bullet, a number in this format, or nothing. */
export type Bullet = "none" | "bullet" | { readonly format: string; readonly start: number };

/** Returns the bullet of a level, from the innermost list of styles that defines it. */
export type Bullets = (level: number) => Bullet;

/** Adds the paragraphs of a text body (`p:txBody`, `a:txBody`). */
export function addBody(body: XmlElement | undefined, bullets: Bullets, sink: BlockSink): void {
  const counts: number[] = [];
  for (const paragraph of children(body, "a:p")) {
    const text = paragraphText(paragraph);
    const properties = child(paragraph, "a:pPr");
    const level = Math.max(0, Math.min(8, Number(properties?.attributes["lvl"] ?? 0) || 0));
    const bullet = bulletOf(properties) ?? bullets(level);
    if (text.trim() === "") continue;
    counts.length = Math.min(counts.length, level + 1);
    if (bullet === "none") {
      counts.length = Math.min(counts.length, level);
      sink.paragraph(text);
    } else if (bullet === "bullet") sink.item({ depth: level, text });
    else {
      const count = counts[level] ?? bullet.start;
      counts[level] = count + 1;
      const label = countAs(count, bullet.format);
      if (label === String(count)) sink.item({ depth: level, number: count, text });
      else sink.item({ depth: level, text: `${label}. ${text}` });
    }
  }
}

/** Returns the text of a paragraph, including line breaks. */
function paragraphText(paragraph: XmlElement): string {
  const parts: string[] = [];
  const visit = (element: XmlElement) => {
    if (element.name === "a:t") parts.push(textOf(element));
    else if (element.name === "a:br") parts.push("\n");
    else if (element.name === "m:oMath") parts.push(`$${mathToLatex(element)}$`);
    // The number of a slide and the date are not text.
    else if (element.name === "a:fld" && /^(?:slidenum|datetime)/.test(element.attributes["type"] ?? "")) {
      return;
    } else if (element.name === "mc:AlternateContent") {
      const chosen = child(element, "mc:Choice") ?? child(element, "mc:Fallback");
      if (chosen !== undefined) children(chosen).forEach(visit);
    } else if (!element.name.endsWith("Pr")) children(element).forEach(visit);
  };
  visit(paragraph);
  return parts.join("").replace(/[\t\v]/g, " ");
}

/** Returns all text of a body on one line. */
export function bodyText(body: XmlElement | undefined): string {
  return children(body, "a:p").map(paragraphText).join(" ").replace(/\s+/g, " ").trim();
}

/** Returns the bullet that paragraph properties set, if any. */
function bulletOf(properties: XmlElement | undefined): Bullet | undefined {
  for (const { name, attributes } of children(properties)) {
    if (name === "a:buNone") return "none";
    if (name === "a:buChar" || name === "a:buBlip") return "bullet";
    if (name === "a:buAutoNum") {
      const type = attributes["type"] ?? "";
      const format = type.startsWith("alphaLc")
        ? "lowerLetter"
        : type.startsWith("alphaUc")
        ? "upperLetter"
        : type.startsWith("romanLc")
        ? "lowerRoman"
        : type.startsWith("romanUc")
        ? "upperRoman"
        : /^ea1(?:Chs|Cht|Jpn)/.test(type)
        ? "chineseCounting"
        : "decimal";
      return { format, start: Number(attributes["startAt"] ?? 1) || 1 };
    }
  }
  return undefined;
}

/** Returns the bullet that a list of styles (`a:lstStyle`, `p:bodyStyle`) defines for a level, if any. */
export function styledBullet(styles: XmlElement | undefined, level: number): Bullet | undefined {
  return bulletOf(child(styles, `a:lvl${level + 1}pPr`));
}

/**
 * Adds a table (`a:tbl`). The text of a merged cell is repeated in every position that it covers, but appears once if it
 * spans the whole row.
 */
export function addTable(table: XmlElement, sink: BlockSink): void {
  const rows: string[][] = [];
  for (const row of children(table, "a:tr")) {
    const line: string[] = [];
    const cells = children(row, "a:tc");
    const above = rows.at(-1) ?? [];
    const whole = Number(cells[0]?.attributes["gridSpan"] ?? 1) >= cells.length && cells.length > 1;
    for (const [i, cell] of cells.entries()) {
      const { hMerge, vMerge } = cell.attributes;
      if (hMerge === "1" || hMerge === "true") line.push(whole ? "" : line[i - 1] ?? "");
      else if (vMerge === "1" || vMerge === "true") line.push(above[i] ?? "");
      else line.push(bodyText(descendants(cell, "a:txBody")[0]));
    }
    rows.push(line);
  }
  if (rows.some((row) => row.some((cell) => cell !== ""))) sink.table(rows);
}
