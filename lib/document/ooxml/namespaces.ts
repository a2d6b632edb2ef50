const TRANSITIONAL = "http://schemas.openxmlformats.org/";
const STRICT = "http://purl.oclc.org/ooxml/";

/**
 * Maps prefixes to the paths of the namespaces below the roots of the transitional and the strict variant of the standard.
 */
const PATHS: Readonly<Record<string, readonly [string, string?]>> = {
  w: ["wordprocessingml/2006/main", "wordprocessingml/main"],
  p: ["presentationml/2006/main", "presentationml/main"],
  x: ["spreadsheetml/2006/main", "spreadsheetml/main"],
  a: ["drawingml/2006/main", "drawingml/main"],
  c: ["drawingml/2006/chart", "drawingml/chart"],
  dgm: ["drawingml/2006/diagram", "drawingml/diagram"],
  pic: ["drawingml/2006/picture", "drawingml/picture"],
  wp: ["drawingml/2006/wordprocessingDrawing", "drawingml/wordprocessingDrawing"],
  xdr: ["drawingml/2006/spreadsheetDrawing", "drawingml/spreadsheetDrawing"],
  m: ["officeDocument/2006/math", "officeDocument/math"],
  r: ["officeDocument/2006/relationships", "officeDocument/relationships"],
  rel: ["package/2006/relationships"],
  cp: ["package/2006/metadata/core-properties"],
  mc: ["markup-compatibility/2006"],
};

/** Prefixes of the names of elements and attributes in the loaders of Office files. */
export const PREFIXES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(PATHS).flatMap(([prefix, [path, strict]]) => [
      [TRANSITIONAL + path, prefix],
      ...(strict === undefined ? [] : [[STRICT + strict, prefix]]),
    ]),
  ),
  "http://purl.org/dc/elements/1.1/": "dc",
  "http://purl.org/dc/terms/": "dcterms",
  "urn:schemas-microsoft-com:vml": "v",
  "urn:schemas-microsoft-com:office:office": "o",
  "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
  "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup": "wpg",
  "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments": "tc",
  "http://schemas.microsoft.com/office/powerpoint/2018/8/main": "p188",
};
