const OASIS = "urn:oasis:names:tc:opendocument:xmlns:";

/** Prefixes of the names of elements and attributes in the loaders of OpenDocument files. */
export const PREFIXES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["office", "text", "table", "style", "meta", "presentation", "manifest", "chart"].map((
      name,
    ) => [`${OASIS}${name}:1.0`, name]),
  ),
  [`${OASIS}drawing:1.0`]: "draw",
  [`${OASIS}datastyle:1.0`]: "number",
  [`${OASIS}svg-compatible:1.0`]: "svg",
  [`${OASIS}xsl-fo-compatible:1.0`]: "fo",
  "http://www.w3.org/1999/xlink": "xlink",
  "http://www.w3.org/1998/Math/MathML": "math",
  "http://purl.org/dc/elements/1.1/": "dc",
};
