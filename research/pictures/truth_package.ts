/** The pictures of Office files, OpenDocument, EPUB and HTML, by plain searches in their XML. */
import { comparableText, output, sha256Of, type TruePicture } from "./truth.ts";

/** An element without its namespace's prefix, or a text. */
interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
  readonly text: string;
}

/** Letters that are compared before and after a picture. */
const LETTERS = 12;

/** Returns the pictures of a document in its order. `kind`: its extension. */
export async function picturesInPackage(path: string, kind: string): Promise<TruePicture[]> {
  if (/^html?$/.test(kind)) return await picturesInHtml(new TextDecoder().decode(await Deno.readFile(path)));
  const zip = new Zip(path);
  if (/^doc[xm]$/.test(kind)) return await inWord(zip);
  if (/^ppt[xm]$/.test(kind)) return await inSlides(zip);
  if (/^xls[xm]$/.test(kind)) return await inSheets(zip);
  if (/^od[tps]$/.test(kind)) return await inOpenDocument(zip, kind);
  if (kind === "epub") return await inBook(zip);
  return [];
}

/** The files of an archive, read by `unzip`. */
class Zip {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  async bytes(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const bytes = await output("unzip", "-p", this.path, name.replace(/[[\]*?]/g, "?"));
    return bytes?.length === 0 ? undefined : bytes;
  }

  async text(name: string): Promise<string> {
    const bytes = await this.bytes(name);
    if (bytes === undefined) return "";
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
    return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
  }

  async tree(name: string): Promise<Node> {
    return treeOf(await this.text(name));
  }

  /** Relations of a part: their ids with type and target. */
  async relations(part: string): Promise<Map<string, { type: string; target: string; isExternal: boolean }>> {
    const at = part.lastIndexOf("/");
    const tree = await this.tree(`${part.slice(0, at + 1)}_rels/${part.slice(at + 1)}.rels`);
    return new Map(
      all(tree, "Relationship").map(({ attributes: { Id, Type, Target, TargetMode } }) => {
        const isExternal = TargetMode === "External";
        return [Id!, {
          type: Type!.split("/").at(-1)!,
          target: isExternal ? Target! : resolved(part, Target!),
          isExternal,
        }];
      }),
    );
  }
}

function resolved(part: string, target: string): string {
  return decodeURIComponent(new URL(target.replaceAll("\\", "/"), `file:///${part}`).pathname.slice(1));
}

function treeOf(xml: string): Node {
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const stack = [root];
  for (const [part] of xml.matchAll(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<[^>]+>|[^<]+/g)) {
    const top = stack.at(-1)!;
    if (/^<[!?]/.test(part)) continue;
    if (part.startsWith("</")) {
      if (stack.length > 1) stack.pop();
    } else if (part.startsWith("<")) {
      const attributes: Record<string, string> = {};
      for (const [, name, value, other] of part.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
        attributes[local(name!)] ??= decoded(value ?? other ?? "");
      }
      const node = { name: local(/^<([^\s/>]+)/.exec(part)![1]!), attributes, children: [], text: "" };
      top.children.push(node);
      if (!part.endsWith("/>")) stack.push(node);
    } else top.children.push({ name: "#", attributes: {}, children: [], text: decoded(part) });
  }
  return root;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function decoded(text: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " " };
  return text.replace(
    /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
    (whole, hex, number, name) =>
      hex
        ? String.fromCodePoint(parseInt(hex, 16))
        : number
        ? String.fromCodePoint(+number)
        : named[name] ?? whole,
  );
}

function all(node: Node, ...names: string[]): Node[] {
  return [
    ...(names.includes(node.name) ? [node] : []),
    ...node.children.flatMap((one) => all(one, ...names)),
  ];
}

function textIn(node: Node): string {
  return node.text + node.children.map(textIn).join("");
}

/** Collects pictures and the text around them. */
class Story {
  readonly found: TruePicture[] = [];
  text = "";
  heading: string | undefined;
  #open: TruePicture[] = [];

  add({ alt, ...picture }: TruePicture): void {
    const words = alt?.replace(/\s*(?:Description .*generated|AI-generated)[^]*$/, "").trim();
    // A program wrote the name of the file.
    const own = /\.\w{3,4}$|^(?:picture|image|graphic|图片|图像|grafik|bild|) ?\d*$/i.test(words ?? "")
      ? undefined
      : words;
    const before = comparableText(this.text.slice(-200)).slice(-LETTERS);
    const one = {
      before,
      ...picture,
      ...(own ? { alt: own } : {}),
      ...(this.heading === undefined ? {} : { heading: this.heading }),
    };
    this.found.push(one);
    if (one.box === undefined && one.cell === undefined) this.#open.push(one);
  }

  write(text: string): void {
    this.text += text;
    this.#open = this.#open.filter((one) => {
      one.after = (one.after ?? "") + comparableText(text);
      if (one.after.length < LETTERS) return true;
      one.after = one.after.slice(0, LETTERS);
      return false;
    });
  }
}

/** The picture of a relation. */
async function ofRelation(zip: Zip, part: string, id: string | undefined): Promise<TruePicture | undefined> {
  const relation = (await zip.relations(part)).get(id ?? "");
  if (relation === undefined) return undefined;
  if (relation.isExternal) return { link: relation.target };
  return await ofFile(zip, relation.target);
}

async function ofFile(zip: Zip, name: string): Promise<TruePicture> {
  const bytes = await zip.bytes(name);
  return bytes === undefined ? { name, isMissing: true } : { name, bytes, sha256: await sha256Of(bytes) };
}

/** Elements that show a picture by the id of a relation. */
const SHOWS = ["pic", "imagedata"];

/** Of alternatives, the first one that has pictures. */
function alternativeIn(node: Node): readonly Node[] {
  const chosen = node.children.find((one) => all(one, ...SHOWS).length > 0) ??
    node.children.find(({ name }) => name === "Choice");
  return chosen?.children ?? [];
}

async function inWord(zip: Zip): Promise<TruePicture[]> {
  const story = new Story();
  const relations = await zip.relations("");
  const main = [...relations.values()].find(({ type }) => type === "officeDocument")!.target;
  const styles = new Map(
    all(await zip.tree(`${main.slice(0, main.lastIndexOf("/"))}/styles.xml`), "style").map((
      { attributes, children },
    ) => [
      attributes["styleId"] ?? "",
      children.find(({ name }) => name === "name")?.attributes["val"] ?? "",
    ]),
  );
  const visit = async (node: Node, isInTable: boolean): Promise<void> => {
    if (node.name === "AlternateContent") {
      for (const one of alternativeIn(node)) await visit(one, isInTable);
    } else if (SHOWS.includes(node.name)) {
      const blip = all(node, "blip", "imagedata")[0]?.attributes;
      const alt = all(node, "cNvPr")[0]?.attributes["descr"];
      const found = await ofRelation(zip, main, blip?.["embed"] ?? blip?.["id"] ?? blip?.["link"]);
      if (found !== undefined) story.add({ ...found, isInTable, ...(alt ? { alt } : {}) });
    } else if (node.name === "t") story.write(textIn(node));
    else if (!["del", "moveFrom", "instrText"].includes(node.name)) {
      for (const one of node.children) await visit(one, isInTable || node.name === "tbl");
      if (node.name === "p") {
        story.write("\n");
        const style = styles.get(all(node, "pStyle")[0]?.attributes["val"] ?? "") ?? "";
        const text = all(node, "t").map(textIn).join("");
        if (/^heading [1-9]$/i.test(style) && text.trim() !== "") story.heading = text;
      }
    }
  };
  await visit(await zip.tree(main), false);
  return [...story.found, ...await inHeaders(zip, main)];
}

/** The pictures in headers and footers, each once. */
async function inHeaders(zip: Zip, main: string): Promise<TruePicture[]> {
  const found = new Map<string, TruePicture>();
  const relations = [...(await zip.relations(main)).values()];
  for (const { target } of relations.filter(({ type }) => type === "header" || type === "footer")) {
    for (const { attributes } of all(await zip.tree(target), "blip", "imagedata")) {
      const id = attributes["embed"] ?? attributes["id"] ?? attributes["link"];
      const picture = await ofRelation(zip, target, id);
      if (picture !== undefined) found.set(picture.sha256 ?? picture.link ?? "", picture);
    }
  }
  return [...found.values()];
}

/** EMU in a point. */
const EMU = 12_700;
/** An affine transformation without turns: x' = scaleX·x + x0. */
type Scaling = readonly [scaleX: number, x0: number, scaleY: number, y0: number];

async function inSlides(zip: Zip): Promise<TruePicture[]> {
  const main = [...(await zip.relations("")).values()].find(({ type }) => type === "officeDocument")!.target;
  const relations = await zip.relations(main);
  const story = new Story();
  const list = all(await zip.tree(main), "sldId").map(({ attributes }) => attributes);
  for (const [i] of list.entries()) {
    const ids = [...(await zip.text(main)).matchAll(/<p:sldId\b[^>]*\br:id="([^"]*)"/g)].map(([, id]) => id!);
    const part = relations.get(ids[i]!)?.target;
    if (part === undefined) continue;
    const visit = async (node: Node, [sx, x0, sy, y0]: Scaling): Promise<void> => {
      let inner: Scaling = [sx, x0, sy, y0];
      if (node.name === "AlternateContent") {
        for (const one of alternativeIn(node)) await visit(one, inner);
        return;
      }
      if (node.name === "grpSp") {
        const own = node.children.find(({ name }) => name === "grpSpPr");
        const frame = own && all(own, "xfrm")[0];
        const of = (name: string, key: string) =>
          Number(frame?.children.find((one) => one.name === name)?.attributes[key] ?? 0);
        if (frame !== undefined && of("chExt", "cx") > 0 && of("chExt", "cy") > 0) {
          const [ax, ay] = [of("ext", "cx") / of("chExt", "cx"), of("ext", "cy") / of("chExt", "cy")];
          inner = [
            sx * ax,
            x0 + sx * (of("off", "x") - ax * of("chOff", "x")),
            sy * ay,
            y0 + sy * (of("off", "y") - ay * of("chOff", "y")),
          ];
        }
      }
      const isFilled = node.name === "sp" &&
        all(node, "spPr").some((one) =>
          one.children.some((fill) => fill.name === "blipFill" && all(fill, "stretch").length > 0)
        );
      if (node.name === "pic" || isFilled) {
        // The last of alternatives is the one that all programs can show.
        const blip = all(node, "blip").at(-1)?.attributes;
        const found = await ofRelation(zip, part, blip?.["embed"] ?? blip?.["link"]);
        const frame = all(node, "xfrm")[0];
        const number = (name: string, key: string) =>
          Number(frame?.children.find((one) => one.name === name)?.attributes[key]);
        const box = {
          left: (number("off", "x") * sx + x0) / EMU,
          top: (number("off", "y") * sy + y0) / EMU,
          width: number("ext", "cx") * sx / EMU,
          height: number("ext", "cy") * sy / EMU,
        };
        const alt = all(node, "cNvPr")[0]?.attributes["descr"];
        const place = Number.isFinite(box.left) ? { box } : {};
        if (found !== undefined) story.add({ page: i + 1, ...found, ...place, ...(alt ? { alt } : {}) });
        return;
      }
      for (const one of node.children) await visit(one, inner);
    };
    await visit(await zip.tree(part), [1, 0, 1, 0]);
  }
  return story.found.map(({ before: _before, after: _after, ...one }) => one);
}

async function inSheets(zip: Zip): Promise<TruePicture[]> {
  const main = [...(await zip.relations("")).values()].find(({ type }) => type === "officeDocument")!.target;
  const relations = await zip.relations(main);
  const found: TruePicture[] = [];
  const sheets = [...(await zip.text(main)).matchAll(/<(?:\w+:)?sheet\b[^>]*?\br:id="([^"]*)"/g)];
  for (const [i, [, id]] of sheets.entries()) {
    const part = relations.get(id!)?.target;
    if (part === undefined) continue;
    for (const { type, target } of (await zip.relations(part)).values()) {
      if (type !== "drawing") continue;
      for (const anchor of all(await zip.tree(target), "twoCellAnchor", "oneCellAnchor", "absoluteAnchor")) {
        const from = anchor.children.find(({ name }) => name === "from");
        const number = (name: string) => Number(textIn(from!.children.find((one) => one.name === name)!));
        const cell = from === undefined ? undefined : `${column(number("col"))}${number("row") + 1}`;
        const visit = async (node: Node): Promise<void> => {
          const parts = node.name === "AlternateContent" ? alternativeIn(node) : node.children;
          if (node.name !== "pic") {
            for (const one of parts) await visit(one);
            return;
          }
          const blip = all(node, "blip")[0]?.attributes;
          const picture = await ofRelation(zip, target, blip?.["embed"] ?? blip?.["link"]);
          const alt = all(node, "cNvPr")[0]?.attributes["descr"];
          if (picture === undefined) return;
          found.push({ page: i + 1, ...picture, ...(cell ? { cell } : {}), ...(alt ? { alt } : {}) });
        };
        await visit(anchor);
      }
    }
  }
  return found;
}

function column(index: number): string {
  return (index >= 26 ? column(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + index % 26);
}

async function inOpenDocument(zip: Zip, kind: string): Promise<TruePicture[]> {
  const story = new Story();
  let page = 0;
  const points = (text = "") => {
    const units: Record<string, number> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1 };
    const [, number, unit] = /^(-?[\d.]+)(\w+)$/.exec(text) ?? [];
    return number === undefined ? NaN : +number * (units[unit!] ?? NaN);
  };
  const visit = async (node: Node, isInTable: boolean): Promise<void> => {
    if (["page", kind === "ods" ? "table" : "page"].includes(node.name)) page++;
    if (node.name === "frame") {
      const images = node.children.filter(({ name }) => name === "image");
      // Other pictures of a frame are the same in other formats; a picture beside an object is its preview.
      const isTable = node.children.some(({ name }) => name === "table");
      const image = isTable ? undefined : images[0];
      const { x, y, width, height } = node.attributes;
      const box = { left: points(x), top: points(y), width: points(width), height: points(height) };
      if (image !== undefined) {
        const href = image.attributes["href"];
        const alt = all(node, "desc", "title").map(textIn).at(-1);
        const place = kind === "odp" && Number.isFinite(box.left + box.width) ? { box } : {};
        if (href !== undefined) {
          const isLink = /^[a-z]+:|^\.\.\//i.test(href);
          story.add({
            ...(isLink ? { link: href } : await ofFile(zip, href.replace(/^\.\//, ""))),
            ...(kind === "odt" ? {} : { page }),
            ...place,
            isInTable,
            ...(alt ? { alt } : {}),
          });
        }
      }
    }
    if (node.name === "#") story.write(node.text);
    for (const one of node.children) await visit(one, isInTable || node.name === "table");
    if (node.name === "h" && textIn(node).trim() !== "") story.heading = textIn(node);
  };
  for (const body of all(await zip.tree("content.xml"), "body")) await visit(body, false);
  return kind === "ods" ? story.found.map(({ before: _before, after: _after, ...one }) => one) : story.found;
}

async function inBook(zip: Zip): Promise<TruePicture[]> {
  const opf = all(await zip.tree("META-INF/container.xml"), "rootfile")[0]!.attributes["full-path"]!;
  const tree = await zip.tree(opf);
  const items = new Map(all(tree, "item").map(({ attributes }) => [attributes["id"]!, attributes["href"]!]));
  const found: TruePicture[] = [];
  for (const { attributes } of all(tree, "itemref")) {
    const href = items.get(attributes["idref"]!);
    if (href === undefined) continue;
    const part = resolved(opf, href);
    for (const picture of await picturesInHtml(await zip.text(part))) {
      const { link, ...place } = picture;
      if (link === undefined) found.push(picture);
      else if (/^[a-z]+:/i.test(link)) found.push(picture);
      else found.push({ ...place, ...await ofFile(zip, resolved(part, link)) });
    }
  }
  return found;
}

/** Pictures of the body, without those in comments and scripts. */
async function picturesInHtml(html: string): Promise<TruePicture[]> {
  const story = new Story();
  const body = html.replace(/^[^]*?<body\b/i, "<body").replace(
    /<!--[^]*?-->|<(script|style|noscript|template)\b[^]*?<\/\1>/gi,
    "",
  );
  for (const [part, tag] of body.matchAll(/<(\/?[\w:]+)[^>]*>|[^<]+/g)) {
    if (tag === undefined) {
      story.write(decoded(part));
      continue;
    }
    if (!/^(?:img|(?:svg:)?image)$/i.test(tag)) continue;
    const attribute = (name: string) => {
      const found = new RegExp(`[\\s:]${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, "i").exec(part);
      return found === null ? undefined : decoded(found[1] ?? found[2] ?? found[3]!).trim();
    };
    const src = attribute("data-src") || attribute("data-original") || attribute("src") || attribute("href");
    // A point counts readers.
    if (!src || Number(attribute("width")) <= 1 && Number(attribute("height")) <= 1) continue;
    const alt = attribute("alt");
    const data = /^data:[^,]*;base64,([^]*)$/.exec(src)?.[1];
    const bytes = data === undefined
      ? undefined
      : Uint8Array.from(atob(data.replace(/\s+/g, "")), (c) => c.charCodeAt(0));
    story.add({
      ...(bytes === undefined ? { link: src } : { bytes, sha256: await sha256Of(bytes) }),
      ...(alt ? { alt } : {}),
    });
  }
  return story.found;
}
