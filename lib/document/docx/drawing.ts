import { alternative } from "../writer/alternative_text.ts";
import { child, children, descendants, type XmlElement } from "../xml/mod.ts";

/** Content inside a paragraph that becomes a block. */
export type Attachment =
  | { readonly kind: "text box"; readonly content: XmlElement }
  | { readonly kind: "image"; readonly caption: string | undefined }
  | { readonly kind: "chart" | "diagram"; readonly relation: string | undefined }
  | { readonly kind: "note" | "endnote" | "comment"; readonly id: string };

/** Returns the text boxes, pictures, charts and diagrams in a drawing of either kind (DrawingML, VML), in their order. */
export function attachmentsIn(drawing: XmlElement): Attachment[] {
  const found: Attachment[] = [];
  const alt = descendants(drawing, "wp:docPr")[0]?.attributes;
  const visit = (element: XmlElement) => {
    const { name, attributes } = element;
    if (name === "w:txbxContent") found.push({ kind: "text box", content: element });
    else if (name === "mc:AlternateContent") {
      const chosen = child(element, "mc:Choice") ?? child(element, "mc:Fallback");
      if (chosen !== undefined) visit(chosen);
    } else if (name === "pic:pic" || name === "v:imagedata") {
      const own = descendants(element, "pic:cNvPr")[0]?.attributes;
      const caption = alternative(own?.["descr"] ?? "") ?? alternative(alt?.["descr"] ?? "") ??
        alternative(attributes["o:title"] ?? "");
      found.push({ kind: "image", caption });
    } else if (name === "c:chart") found.push({ kind: "chart", relation: attributes["r:id"] });
    else if (name === "dgm:relIds") found.push({ kind: "diagram", relation: attributes["r:dm"] });
    else children(element).forEach(visit);
  };
  visit(drawing);
  return found;
}
