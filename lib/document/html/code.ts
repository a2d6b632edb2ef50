import { BLOCKS } from "./names.ts";
import { attribute, classes, type Element, elements } from "./tree.ts";

const NO_LANGUAGE = new Set([
  "",
  "none",
  "default",
  "text",
  "txt",
  "plain",
  "plaintext",
  "nohighlight",
  "notranslate",
  "guess",
  "code",
  "true",
  "highlight",
]);
const LANGUAGE =
  /^(?:language|lang|highlight|highlight-source|brush|syntax|code-language|sourcecode)[-:]([\w+#.-]{1,20})$/;
const LINE_NUMBERS =
  /^(?:line-?nos?|line-?numbers?|ln|lnt|ln-num|gutter|blob-num|hljs-ln-(?:numbers|n|line-numbers)|line-numbers-rows|rouge-gutter|code-line-number|lines?-?no|src-line-numbers|coderef-off)$/;

/** Returns whether an element contains line numbers of code. */
export function isLineNumbers(element: Element): boolean {
  if (element.name === "pre" || element.name === "code") {
    return isNumbersOnly(element) && hasNumbersName(element);
  }
  return hasNumbersName(element) && isNumbersOnly(element);
}

function hasNumbersName(element: Element): boolean {
  return element.attributes["data-line-number"] !== undefined ||
    classes(element).some((name) => LINE_NUMBERS.test(name));
}

function isNumbersOnly(element: Element): boolean {
  for (const child of element.children) {
    if (typeof child === "string" ? !/^[\s\d:|.\u00a0]*$/.test(child) : !isNumbersOnly(child)) return false;
  }
  return true;
}

/** Returns the language of a code block, as named by the block, an element in it, or one of the two elements around it. */
export function codeLanguage(pre: Element): string {
  const inner = [...elements(pre)].find((child) => child.name === "code");
  const around = [pre.parent, pre.parent?.parent].filter((element) =>
    element?.name === "div" || element?.name === "figure" || element?.name === "td" ||
    element?.name === "span"
  );
  for (const element of [inner, pre, ...around]) {
    if (element === undefined) continue;
    const said = attribute(element, "data-lang") || attribute(element, "data-language");
    const names = classes(element);
    const brush = names[names.indexOf("brush:") + 1];
    const found = [
      said.toLowerCase(),
      ...names.map((name) => LANGUAGE.exec(name)?.[1] ?? ""),
      names.includes("brush:") ? brush ?? "" : "",
      // Pandoc and highlight.js write `sourceCode python` and `hljs python`.
      names.includes("sourcecode") || names.includes("hljs")
        ? names.find((name) => name !== "sourcecode" && name !== "hljs") ?? ""
        : "",
    ].map((name) => name.replace(/[;].*$/, "")).find((name) => !NO_LANGUAGE.has(name));
    if (found !== undefined) return found;
  }
  return "";
}

/**
 * Returns the text of a code block with its blanks and line ends, without line numbers and the elements for which `skip` is
 * true.
 */
export function codeText(pre: Element, skip: (element: Element) => boolean): string {
  const parts: string[] = [];
  let atLineStart = true;
  const push = (text: string) => {
    if (text === "") return;
    parts.push(text);
    atLineStart = text.endsWith("\n");
  };
  const visit = (parent: Element) => {
    let isAfterBlock = false;
    for (const child of parent.children) {
      if (typeof child === "string") push(isAfterBlock ? child.replace(/^\r?\n/, "") : child);
      else if (child.name === "br") push("\n");
      else if (!skip(child) && !isLineNumbers(child)) {
        const isBlock = BLOCKS.has(child.name) && child.name !== "td";
        if (isBlock && !atLineStart) push("\n");
        const before = parts.length;
        visit(child);
        // A line in a block element, which may be empty.
        if (isBlock && (!atLineStart || parts.length === before)) push("\n");
        isAfterBlock = isBlock;
        continue;
      }
      isAfterBlock = false;
    }
  };
  visit(pre);
  return parts.join("").replace(/\r\n?/g, "\n").replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "");
}
