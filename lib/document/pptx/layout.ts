import type { Package } from "../ooxml/package.ts";
import { child, children, type XmlElement } from "../xml/mod.ts";
import { type Bullet, type Bullets, styledBullet } from "./text.ts";

/** Position of a shape on its slide, in EMU. */
export interface Position {
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** Placeholders that slides inherit from their layouts and masters. Each layout and master is read once. */
export class Layouts {
  readonly #package: Package;
  readonly #parts = new Map<string, XmlElement | undefined>();

  constructor(file: Package) {
    this.#package = file;
  }

  /** Returns the layout and the master of a slide, in this order. */
  of(slide: string): readonly XmlElement[] {
    const layout = this.#package.related(slide, "slideLayout");
    const master = layout === undefined ? undefined : this.#package.related(layout, "slideMaster");
    return [layout, master].map((name) => this.#part(name)).filter((one) => one !== undefined);
  }

  #part(name: string | undefined): XmlElement | undefined {
    if (name === undefined) return undefined;
    if (!this.#parts.has(name)) this.#parts.set(name, this.#package.part(name));
    return this.#parts.get(name);
  }
}

/** Returns the placeholder that a shape fills, if any. */
export function placeholder(
  shape: XmlElement,
): { readonly type: string; readonly index: string } | undefined {
  for (const part of children(shape)) {
    const found = child(part, "p:nvPr", "p:ph");
    if (found !== undefined) {
      return { type: found.attributes["type"] ?? "body", index: found.attributes["idx"] ?? "0" };
    }
  }
  return undefined;
}

/** Returns the placeholders that a shape inherits from: the layout's by index or type, the master's by type. */
export function inherited(shape: XmlElement, layouts: readonly XmlElement[]): XmlElement[] {
  const wanted = placeholder(shape);
  if (wanted === undefined) return [];
  const type = sameType(wanted.type);
  return layouts.flatMap((layout) => {
    const all = children(child(layout, "p:cSld", "p:spTree"), "p:sp").map((one) => ({
      one,
      ph: placeholder(one),
    }));
    const byIndex = layout.name === "p:sldLayout" && wanted.index !== "0"
      ? all.find(({ ph }) => ph?.index === wanted.index)
      : undefined;
    const found = byIndex ?? all.find(({ ph }) => ph !== undefined && sameType(ph.type) === type);
    return found === undefined ? [] : [found.one];
  });
}

/** Returns the bullets of a shape's text, from its own styles up to those of the master. */
export function bulletsOf(shape: XmlElement, layouts: readonly XmlElement[]): Bullets {
  const ph = placeholder(shape);
  const styles = [shape, ...inherited(shape, layouts)].map((one) => child(one, "p:txBody", "a:lstStyle"));
  const isBody = ph !== undefined && (ph.type === "body" || ph.type === "obj");
  if (isBody) styles.push(child(layouts.at(-1), "p:txStyles", "p:bodyStyle"));
  const known = new Map<number, Bullet>();
  return (level) => {
    let bullet = known.get(level);
    if (bullet === undefined) {
      for (const one of styles) if ((bullet = styledBullet(one, level)) !== undefined) break;
      bullet ??= "none";
      known.set(level, bullet);
    }
    return bullet;
  };
}

/** Returns the position of a shape, or else that of the placeholder it fills. */
export function positionOf(shape: XmlElement, layouts: readonly XmlElement[]): Position | undefined {
  for (const one of [shape, ...inherited(shape, layouts)]) {
    const frame = child(one, "p:spPr", "a:xfrm") ?? child(one, "p:xfrm") ?? child(one, "p:grpSpPr", "a:xfrm");
    const [from, size] = [child(frame, "a:off")?.attributes, child(frame, "a:ext")?.attributes];
    const [x, y, height] = [Number(from?.["x"]), Number(from?.["y"]), Number(size?.["cy"] ?? 0)];
    if (Number.isFinite(x) && Number.isFinite(y)) {
      return { x, y, height: Number.isFinite(height) ? height : 0 };
    }
  }
  return undefined;
}

function sameType(type: string): string {
  return type === "ctrTitle" ? "title" : type === "obj" || type === "subTitle" ? "body" : type;
}
