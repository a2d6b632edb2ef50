/** Control words that stand for a character. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: " ",
  line: "\n",
  emdash: "—",
  endash: "–",
  emspace: "\u2003",
  enspace: "\u2002",
  qmspace: "\u2005",
  bullet: "•",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  column: " ",
  zwj: "\u200d",
  zwnj: "\u200c",
};

/** Control symbols that stand for a character. */
export const SYMBOLS: Readonly<Record<string, string>> = {
  "~": " ",
  "_": "-",
  "\\": "\\",
  "{": "{",
  "}": "}",
  "\t": " ",
};
