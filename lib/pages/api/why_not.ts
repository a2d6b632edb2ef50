/** The call of the page Why not: a file through the gates of a search. Nothing is written. */
import { Hono } from "hono/tiny";
import * as z from "zod";
import type { Language } from "#foundation/messages/mod.ts";
import { present } from "#foundation/present.ts";
import { whyNotAnswer } from "#library/answer/mod.ts";
import { GATES, type Library, type WhyNot } from "#library/search/mod.ts";
import { bodyOf, languageOf, placeIn } from "../answers.ts";
import { PATH, RANKING } from "../forms.ts";
import type { PagesParts } from "../parts.ts";
import type { WhyNotAnswer, WhyNotCall } from "../wire/why_not.ts";
import { requestOf, SEARCH_CALL } from "./search.ts";

const CALL = z.object({
  search: SEARCH_CALL.omit({ offset: true, firstTopK: true }).extend({
    ranking: RANKING,
  }),
  file: PATH.optional(),
  chunk: z.string().max(64).optional(),
  text: z.string().max(20_000).optional(),
});

export function whyNotRoutes({ library }: PagesParts): Hono {
  return new Hono().post("/ask", async (c) => {
    const { search, file: path, chunk, text } = present(await bodyOf(c, CALL)) as WhyNotCall;
    const request = { search: requestOf(search), path, chunk, text };
    return c.json(pageAnswer(await library.whyNot(request, c.req.raw.signal), library, languageOf(c)));
  });
}

/** A result as the page shows it: every gate in its order, those behind the one that stopped it included. */
function pageAnswer(
  result: WhyNot,
  { collections }: Pick<Library, "collections">,
  language: Language,
): WhyNotAnswer {
  const nameOf = (path: string) => placeIn(collections, path).shownPath;
  const { data } = whyNotAnswer(result, language, nameOf);
  const { gate, reason, text, hint, by, setting, path, place, passed } = data;
  const behind = gate === "shown" ? [] : GATES.slice(GATES.indexOf(gate) + 1);
  const words = by.words ?? passed.find((one) => one.gate === "terms")?.by.words ?? [];
  const legs = by.legs ?? passed.find((one) => one.gate === "candidates")?.by.legs ?? [];
  return present({
    ...{ gate, reason, text, hint, words, legs, setting },
    gates: [
      ...passed.map(({ gate, name, text }) => ({ gate, name, text, state: "passed" as const })),
      { gate, name: data.name, text, state: gate === "shown" ? "passed" as const : "stopped" as const },
      ...behind.map((gate) => ({
        ...{ gate, name: data.names[gate], text: "", state: "not_reached" as const },
      })),
    ],
    file: path === undefined ? undefined : present({
      path,
      shownPath: nameOf(path),
      section: place?.section ?? [],
      chunk: place?.chunk,
      startLine: place?.startLine,
      endLine: place?.endLine,
    }),
  });
}
