/** Attributes that are kept. The text does not depend on any other. */
export const ATTRIBUTES: ReadonlySet<string> = new Set(
  ("alt alttext aria-hidden aria-label aria-level border checked class colspan content data-lang data-language " +
    "data-line-number datetime dir encoding epub:type headers hidden href id itemprop lang name property rel role " +
    "rowspan scope start style title type value width height xml:lang xmlns action").split(" "),
);

/** Optional end tags: the open elements that a start tag closes, and the elements that protect those around them. */
export const IMPLIED: Readonly<Record<string, { ends: readonly string[]; within: readonly string[] }>> = {
  li: { ends: ["li"], within: ["ul", "ol", "menu", "dir", "table"] },
  dt: { ends: ["dt", "dd"], within: ["dl", "table"] },
  dd: { ends: ["dt", "dd"], within: ["dl", "table"] },
  tr: { ends: ["tr", "caption", "colgroup"], within: ["table"] },
  td: { ends: ["td", "th"], within: ["table", "tr"] },
  th: { ends: ["td", "th"], within: ["table", "tr"] },
  thead: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  tbody: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  tfoot: { ends: ["thead", "tbody", "tfoot", "caption", "colgroup"], within: ["table"] },
  option: { ends: ["option"], within: ["select"] },
  rt: { ends: ["rt", "rp"], within: ["ruby"] },
  rp: { ends: ["rt", "rp"], within: ["ruby"] },
};

/** Elements that the end tags of other elements cannot cross. */
export const SCOPES: ReadonlySet<string> = new Set([
  "table",
  "td",
  "th",
  "caption",
  "template",
  "svg",
  "math",
]);
/** Elements whose end tags apply up to the table that contains them. */
export const TABLE_PARTS: ReadonlySet<string> = new Set([
  "table",
  "thead",
  "tbody",
  "tfoot",
  "tr",
  "td",
  "th",
  "caption",
]);

/** Elements that do not end the head. */
export const IN_HEAD: ReadonlySet<string> = new Set(
  "base basefont bgsound link meta noframes noscript object script style template title".split(" "),
);
