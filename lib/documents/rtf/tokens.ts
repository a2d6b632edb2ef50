/**
 * The syntax of RTF: splits the bytes into groups, control words and text.
 * Below it: the meaning of control words: destinations, state of a group, characters.
 */
import { byWord, pairs, words } from "../types.ts";

/** Receives the tokens of an RTF file. */
export interface Handler {
  /** A group begins; `at`: the offset behind its brace. */
  open(at: number): void;
  /** It ends; `at`: the offset of its brace. Returns `false` at the end of the document. */
  close(at: number): boolean;
  /** A control word with its parameter: `\name12`. */
  word(name: string, value: number | undefined): void;
  /** A control symbol, such as `\~`. */
  symbol(char: string): void;
  /** A byte of text, as it is or written as `\'d6`. */
  byte(value: number): void;
}

const [OPEN, CLOSE, BACKSLASH] = [0x7b, 0x7d, 0x5c];
const MINUS = 0x2d;
/** Longest control word in characters. Real ones have about thirty letters. */
const LONGEST = 40;

/** Scans an RTF file once, up to the end of its outermost group. */
export function scan(bytes: Uint8Array, handler: Handler): void {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === OPEN) handler.open(at + 1);
    else if (byte === CLOSE) {
      if (!handler.close(at)) return;
    } else if (byte === BACKSLASH) {
      at = control(bytes, at + 1, handler);
      continue;
      // Line ends and zeros are not text.
    } else if (byte !== 0x0a && byte !== 0x0d && byte !== 0) handler.byte(byte);
    at++;
  }
}

/** Reads a control word or symbol after a backslash. Returns the offset behind it. */
function control(bytes: Uint8Array, at: number, handler: Handler): number {
  const first = bytes[at];
  if (first === undefined) return at;
  if (first === 0x27) {
    const value = parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16);
    if (!Number.isNaN(value)) handler.byte(value);
    return at + 3;
  }
  if (!isLetter(first)) {
    // An escaped line end ends a paragraph.
    if (first === 0x0a || first === 0x0d) handler.word("par", undefined);
    else handler.symbol(String.fromCharCode(first));
    return at + 1;
  }
  let end = at;
  while (end < bytes.length && isLetter(bytes[end]!) && end - at < LONGEST) end++;
  const name = String.fromCharCode(...bytes.subarray(at, end));
  let digits = end;
  if (bytes[digits] === MINUS) digits++;
  const from = digits;
  while (digits < bytes.length && isDigit(bytes[digits]!) && digits - from < 12) digits++;
  const value = digits > from ? Number(String.fromCharCode(...bytes.subarray(end, digits))) : undefined;
  const next = digits > from ? digits : end;
  const after = bytes[next] === 0x20 ? next + 1 : next;
  // Pictures may contain raw bytes.
  if (name === "bin") return after + Math.max(0, value ?? 0);
  handler.word(name, value);
  return after;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** The use of a group's text. */
export type Destination =
  /** Text of the document, or of the note or text box that contains the group. */
  | "text"
  /** Hidden, including nested groups. */
  | "skip"
  /** Hidden, but nested groups may be shown. */
  | "quiet"
  | "font"
  | "style sheet"
  | "style"
  | "info"
  | "label"
  | "field"
  | "instruction"
  | "note"
  | "comment"
  | "comment author"
  | "text box"
  | "picture"
  | "property"
  | "property name"
  | "property value"
  | `info ${string}`;

/** Destinations by the control word that begins them. */
const BY_WORD: Readonly<Record<string, Destination>> = byWord({
  font: "fonttbl",
  "style sheet": "stylesheet",
  info: "info userprops",
  "info title": "title",
  "info author": "author",
  "info keywords": "keywords",
  "info subject": "subject",
  "info description": "doccomm",
  "info manager": "manager",
  "info company": "company",
  "info category": "category",
  "info property": "propname",
  "info value": "staticval",
  "info created": "creatim",
  "info saved": "revtim",
  label: "listtext pntext",
  field: "field",
  instruction: "fldinst",
  note: "footnote",
  comment: "annotation",
  "comment author": "atnauthor",
  "text box": "shptxt",
  picture: "pict",
  property: "sp",
  "property name": "sn",
  "property value": "sv",
  quiet: "shpinst shppict shpgrp picprop object upr",
  text: "fldrslt result ud moMath moMathPara mmath",
});

const SKIPPED = words(
  "colortbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn",
  "nonshppict shprslt objdata objclass objname objalias mmathPict listtable listoverridetable listpicture pn pnseclvl",
  "revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl operator",
  "comment hlinkbase printim buptim version vern edmins nofpages nofwords nofchars id template private",
  "xe tc tcn rxe bkmkstart bkmkend filetbl fchars lchars fontemb fontfile falt panose background nextfile",
  "wgrffmtfilter passwordhash protusertbl defchp defpap",
);

/**
 * Returns the destination that a control word begins, if any. `starred`: whether `\*` precedes the word, which tells
 * programs to skip an unknown destination.
 */
export function destinationOf(word: string, starred: boolean): Destination | undefined {
  if (Object.hasOwn(BY_WORD, word)) return BY_WORD[word];
  if (SKIPPED.has(word) || /^m\w+Pr$/.test(word)) return "skip";
  return starred ? "skip" : undefined;
}

/** State that a group inherits from its parent, and that ends with the group. */
export interface State {
  destination: Destination;
  font: number | undefined;
  /** Characters after a `\u` that replace it in programs without Unicode. */
  fallback: number;
  hidden: boolean;
  script: "superscript" | "subscript" | undefined;
  style: number;
  outline: number | undefined;
  inTable: boolean;
  level: number;
  /** Called at the end of the group. */
  onClose: (() => void) | undefined;
}

export const FIRST_STATE: State = {
  destination: "text",
  font: undefined,
  fallback: 1,
  hidden: false,
  script: undefined,
  style: 0,
  outline: undefined,
  inTable: false,
  level: 0,
  onClose: undefined,
};

/** Applies a control word that only changes the state. Returns false for any other. `font`: default font of the document. */
export function changeState(
  state: State,
  word: string,
  value: number | undefined,
  font: number | undefined,
): boolean {
  const isOn = value !== 0;
  const isScript = word === "nosupersub" || Object.hasOwn(SCRIPTS, word);
  if (isScript) state.script = isOn ? SCRIPTS[word] : undefined;
  else if (word === "pard") Object.assign(state, { style: 0, outline: undefined, inTable: false, level: 0 });
  else if (word === "plain") Object.assign(state, { hidden: false, script: undefined, font });
  else if (word === "s") state.style = value ?? 0;
  else if (word === "outlinelevel") state.outline = value;
  else if (word === "intbl") state.inTable = isOn;
  else if (word === "ilvl") state.level = Math.max(0, Math.min(8, value ?? 0));
  else if (word === "f") state.font = value ?? 0;
  else if (word === "uc") state.fallback = Math.max(0, Math.min(10, value ?? 1));
  else if (word === "v" || word === "deleted") state.hidden = isOn;
  else return false;
  return true;
}

/** Text is raised or lowered by name, or by half points, six by default. */
const SCRIPTS = byWord({ superscript: "up super", subscript: "dn sub" });

/** Control words that stand for a character. */
export const CHARACTERS: Readonly<Record<string, string>> = {
  tab: " ",
  column: " ",
  line: "\n",
  emspace: "\u2003",
  enspace: "\u2002",
  qmspace: "\u2005",
  ...pairs("emdash — endash – bullet • lquote ‘ rquote ’ ldblquote “ rdblquote ” zwj \u200d zwnj \u200c"),
};

/** Control symbols that stand for a character. */
export const SYMBOLS: Readonly<Record<string, string>> = {
  "~": " ",
  "\t": " ",
  ...pairs("_ - \\ \\ { { } }"),
};
