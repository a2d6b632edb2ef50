import type { XmlElement } from "../xml/mod.ts";

/** Returns the arguments of a command on one line: `[-v] {file}…`. */
export function synopsis(node: XmlElement): string {
  const write = (one: XmlElement | string): string => {
    if (typeof one === "string") return one.replace(/\s+/g, " ");
    if (one.name === "sbr") return "\n  ";
    const inner = one.children.map(write).join(one.name === "group" ? " | " : "").replace(/ {2,}/g, " ")
      .trim();
    if (one.name !== "arg" && one.name !== "group") {
      return one.name === "funcdef" || one.name === "paramdef" ? `${inner} ` : inner;
    }
    const { choice, rep } = one.attributes;
    const shown = choice === "plain" ? inner : choice === "req" ? `{${inner}}` : `[${inner}]`;
    return ` ${shown}${rep === "repeat" ? "…" : ""} `;
  };
  return node.children.map(write).join("").replace(/ {2,}/g, " ").trim();
}
