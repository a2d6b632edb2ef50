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
const BY_WORD: Readonly<Record<string, Destination>> = {
  fonttbl: "font",
  stylesheet: "style sheet",
  info: "info",
  title: "info title",
  author: "info author",
  keywords: "info keywords",
  creatim: "info created",
  revtim: "info saved",
  listtext: "label",
  pntext: "label",
  field: "field",
  fldinst: "instruction",
  fldrslt: "text",
  footnote: "note",
  annotation: "comment",
  atnauthor: "comment author",
  shptxt: "text box",
  pict: "picture",
  sp: "property",
  sn: "property name",
  sv: "property value",
  shpinst: "quiet",
  shppict: "quiet",
  shpgrp: "quiet",
  picprop: "quiet",
  object: "quiet",
  result: "text",
  upr: "quiet",
  ud: "text",
  moMath: "text",
  moMathPara: "text",
  mmath: "text",
};

const SKIPPED = new Set(
  ("colortbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn " +
    "nonshppict shprslt objdata objclass objname objalias mmathPict listtable listoverridetable listpicture pn pnseclvl " +
    "revtbl rsidtbl generator themedata colorschememapping latentstyles datastore xmlnstbl operator company doccomm subject " +
    "comment category manager hlinkbase printim buptim version vern edmins nofpages nofwords nofchars id template private " +
    "xe tc tcn rxe bkmkstart bkmkend filetbl fchars lchars fontemb fontfile falt panose background userprops nextfile " +
    "wgrffmtfilter passwordhash protusertbl defchp defpap").split(" "),
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
