import { dateProperty } from "../ooxml/package.ts";
import type { Metadata } from "../types.ts";
import { child, children, textOf, type XmlElement } from "../xml/mod.ts";

/** Returns title and metadata in an `office:meta` element. */
export function readMetadata(
  meta: XmlElement | undefined,
): { readonly title?: string; readonly metadata: Metadata } {
  const value = (name: string) => textOf(child(meta, name)).replace(/\s+/g, " ").trim();
  const [title, language] = [value("dc:title"), value("dc:language")];
  const author = value("meta:initial-creator") || value("dc:creator");
  const created = day(value("meta:creation-date"));
  const date = day(value("dc:date")) ?? created;
  const tags = children(meta, "meta:keyword").flatMap((one) => textOf(one).split(/[,;，；、]/))
    .map((tag) => tag.trim()).filter((tag) => tag !== "");
  return {
    ...(title === "" ? {} : { title }),
    metadata: {
      ...(author === "" ? {} : { author }),
      ...(date === undefined ? {} : { date }),
      ...(created === undefined ? {} : { created }),
      ...(language === "" ? {} : { language }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  };
}

/** Returns a date or time without the nanoseconds that LibreOffice writes. */
function day(value: string): string | undefined {
  return dateProperty(value.replace(/(T\d\d:\d\d:\d\d)[.,]\d+/, "$1"));
}
