import { child, children, type XmlElement } from "../xml/mod.ts";
import { formulaIn, formulaText } from "./formula.ts";
import type { Package } from "./package.ts";

/** Most objects that are read from one file. */
const MOST_OBJECTS = 5000;

/** Embedded formulas and charts, which are documents of their own. */
export class EmbeddedObjects {
  readonly #package: Package;
  #count = 0;

  constructor(file: Package) {
    this.#package = file;
  }

  /** Returns the formula in a frame as TeX; empty for any other frame. */
  formula(frame: XmlElement): string {
    const object = child(frame, "draw:object");
    return object === undefined ? "" : formulaText(formulaIn(this.root(object)));
  }

  /** Returns the root of an embedded document: a part of the ZIP archive, or a child of the element in flat files. */
  root(object: XmlElement): XmlElement | undefined {
    const inside = children(object).find(({ name }) => name === "math:math" || name === "office:document");
    if (inside !== undefined) return inside;
    const folder = (object.attributes["xlink:href"] ?? "").replace(/^\.\//, "").replace(/\/$/, "");
    if (folder === "" || ++this.#count > MOST_OBJECTS) return undefined;
    return this.#package.part(`${folder}/content.xml`);
  }
}
