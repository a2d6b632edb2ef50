/**
 * References to images in markup: `![](a.png)`, `<img src="a.png">`, `.. image:: a.png`, `image::a.png[]`. The lengths are
 * limited, so that each takes time in proportion to the text.
 */
const REFERENCES = [
  /!\[[^\]\n]{0,500}\]\(\s{0,9}(?:<([^>\n]{1,1000})>|([^)\s]{1,1000}))/g,
  /<img\b[^<>]{0,1000}?\ssrc\s{0,9}=\s{0,9}["']?([^"'\s>]{1,1000})/gi,
  /^\s{0,99}\.\. (?:\|[^|\n]{1,200}\| )?(?:image|figure)::\s{1,9}(\S{1,1000})/gm,
  /\bimage::?([^\s[:]{1,1000})\[/g,
  /\[\[(?:file:)?([^[\]\s]{1,1000})\]\]/g,
];

/** An image of an HTML page. */
export interface HtmlImage {
  readonly reference: string;
  /** The alternative text, with single spaces. */
  readonly alternative: string;
}

/** The local paths of the images that a text refers to, relative to its file, in the order of the text. */
export function imageReferences(text: string): string[] {
  const found = REFERENCES.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), (match) => ({ at: match.index, reference: match[1] ?? match[2]! }))
  );
  return found.sort((a, b) => a.at - b.at).flatMap(({ reference }) => localPath(reference) ?? []);
}

/** UTF-16 units of an HTML source that are searched for images. */
const MAX_HTML = 1_000_000;

/** The local images of an HTML source. */
export function htmlImages(source: string): HtmlImage[] {
  return Array.from(source.slice(0, MAX_HTML).matchAll(/<img\b[^<>]{0,2000}>/gi), ([tag]) => {
    const reference = localPath(attribute(tag, "src"));
    const alternative = attribute(tag, "alt").replace(/\s+/g, " ").trim();
    return reference === undefined ? [] : [{ reference, alternative }];
  }).flat();
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag);
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? "")
    .replace(/&(amp|quot|lt|gt|#39);/g, (_, entity: string) => ENTITIES[entity]!);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', lt: "<", gt: ">", "#39": "'" };

/** The path of a reference; `undefined` for addresses, data and absolute paths. */
function localPath(reference: string): string | undefined {
  const path = reference.replace(/[?#].*$/s, "");
  if (path === "" || /^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
