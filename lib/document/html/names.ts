const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements without content. */
export const VOID = set(
  "area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr",
);

/** Elements that begin and end a line of text. */
export const BLOCKS = set(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav noframes " +
    "ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp",
);

export const HEADINGS = set("h1 h2 h3 h4 h5 h6");

/** Inline elements whose end tag does not close blocks opened within them. */
export const FORMATTING = set(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark nobr q s samp small span strike strong " +
    "sub sup tt u var",
);

/** Elements whose text a reader never sees. */
export const UNSEEN = set(
  "applet audio base bgsound button canvas command datalist dialog embed head iframe input keygen link meta meter " +
    "noembed noscript object optgroup option param progress rp script select source style svg template textarea title " +
    "track video",
);
