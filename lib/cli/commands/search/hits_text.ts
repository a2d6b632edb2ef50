import { alsoText } from "../../../answer/mod.ts";
import { type Language, message, printable, printableText } from "../../../messages.ts";
import type { SearchAnswer } from "../../../search/mod.ts";
import { fileLink } from "../../hyperlinks.ts";
import { formatDuration } from "../../format.ts";
import { linesAround } from "./best_part.ts";
import { linesText, pageText, sectionText } from "./heading.ts";

/** Options of {@linkcode hitsText}. */
export interface HitsTextOptions {
  readonly language: Language;
  /** Shortens a file's path. */
  readonly nameOf: (path: string) => string;
  /** Lines before and after the best match. Without it, whole passages are shown. */
  readonly context?: number | undefined;
  /** Whether paths are links (OSC 8), as `FORCE_HYPERLINK` asks for. */
  readonly links?: boolean;
}

/** The hits of a search for a file or a pipe: best first, since it is read from its start, and in lines of any length. */
export function hitsText(
  answer: SearchAnswer,
  { language, nameOf, context, links = false }: HitsTextOptions,
): string {
  const hits = answer.hits.map((hit, at) => {
    const path = printable(nameOf(hit.filePath));
    const heading = [
      `${at + 1}. ${links ? fileLink(path, hit.filePath) : path}${linesText(hit)}${pageText(hit, language)}`,
      message(language, `degree_${hit.degree}`),
      hit.recognised ? message(language, "hit_recognised") : "",
      hit.outdated ? message(language, "hit_outdated") : "",
      sectionText(hit),
    ].filter((part) => part !== "").join("  ");
    const content = linesAround(hit, context).map(({ start, end }) =>
      `   │ ${printableText(hit.content.slice(start, end))}`.trimEnd()
    );
    const also = hit.also?.map((place) => ({ ...place, filePath: nameOf(place.filePath) }));
    return [
      heading,
      ...content,
      ...(also === undefined
        ? []
        : [`   ${message(language, "also_in", { places: printable(alsoText(also, language)) })}`]),
    ].map((line) => `${line}\n`).join("");
  });
  return `${hits.join("\n")}\n${statsText(answer, language)}\n`;
}

/** `2 files, 3 chunks, 0.012 s` */
export function statsText(answer: SearchAnswer, language: Language): string {
  return message(language, "cli_search_stats", {
    files: new Set(answer.hits.map((hit) => hit.filePath)).size,
    chunks: answer.hits.length,
    time: formatDuration(answer.seconds),
  });
}
