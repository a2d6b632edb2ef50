/** Parts of a book that have a heading. */
export const COMPONENTS = new Set(
  ("set book part reference preface chapter appendix article section sect1 sect2 sect3 sect4 sect5 simplesect refentry refsect1 " +
    "refsect2 refsect3 refsection glossary glossdiv bibliography bibliodiv colophon dedication partintro topic acknowledgements " +
    "qandaset qandadiv task")
    .split(" "),
);
/** Elements that are left out: information about the text, indexes and media. */
export const OMITTED = new Set(
  ("title titleabbrev indexterm remark anchor info bookinfo articleinfo chapterinfo sectioninfo sect1info sect2info sect3info " +
    "partinfo prefaceinfo appendixinfo setinfo refentryinfo refsect1info glossaryinfo bibliographyinfo blockinfo objectinfo refmeta toc lot index setindex " +
    "areaspec alt videoobject audioobject xref-label").split(" "),
);
/** Elements that become inline code. */
export const CODE = new Set(
  ("literal command option filename varname envar function parameter constant systemitem userinput computeroutput code type " +
    "classname methodname structname structfield symbol token sgmltag tag prompt property uri package returnvalue errorcode " +
    "exceptionname interfacename markup keycode").split(" "),
);
/** Elements whose line breaks are kept. */
export const PREFORMATTED = new Set(
  "programlisting screen literallayout synopsis funcsynopsisinfo classsynopsisinfo programlistingco screenco"
    .split(" "),
);
/** Elements that have a counterpart in HTML. */
export const HTML_NAMES: Readonly<Record<string, string>> = {
  para: "p",
  simpara: "p",
  blockquote: "blockquote",
  epigraph: "blockquote",
  attribution: "p",
  quote: "q",
  subscript: "sub",
  superscript: "sup",
  replaceable: "i",
  citetitle: "i",
  foreignphrase: "i",
  firstterm: "i",
  step: "li",
  member: "li",
  callout: "li",
  subtitle: "p",
  caption: "p",
  refpurpose: "span",
  guibutton: "b",
  guilabel: "b",
  keycap: "b",
};
/** Boxes that get their kind as a title unless they have one. */
export const ADMONITIONS = new Set(["note", "tip", "warning", "caution", "important", "danger"]);
