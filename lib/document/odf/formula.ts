import { element, mathText } from "../html/mod.ts";
import { child, type XmlElement } from "../xml/mod.ts";

/** Returns a MathML formula on one line: `a^2 + b^2`. Empty if there is none. */
export function formulaText(math: XmlElement | undefined): string {
  return math === undefined ? "" : mathText(converted(math));
}

/** Returns the formula in an object, or the object itself if it is one. */
export function formulaIn(object: XmlElement | undefined): XmlElement | undefined {
  return object?.name === "math:math" ? object : child(object, "math:math");
}

function converted({ name, attributes, children }: XmlElement): ReturnType<typeof element> {
  return element(
    name.replace(/^\w+:/, ""),
    children.map((one) => typeof one === "string" ? one : converted(one)),
    attributes,
  );
}
