const ODF = "urn:oasis:names:tc:opendocument:xmlns:";

/** Prefixes of the names of elements and attributes in the loader. */
export const ODF_PREFIXES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["office", "style", "table", "text", "meta", "chart", "manifest"].map((
      name,
    ) => [`${ODF}${name}:1.0`, name]),
  ),
  [`${ODF}drawing:1.0`]: "draw",
  [`${ODF}svg-compatible:1.0`]: "svg",
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://www.w3.org/1999/xlink": "xlink",
};
