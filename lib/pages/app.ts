/** The calls of all pages. */
import { Hono } from "hono/tiny";
import { message } from "#foundation/messages/mod.ts";
import { errorOf, languageOf } from "./answers.ts";
import { documentsRoutes } from "./api/documents.ts";
import { evaluationRoutes } from "./api/evaluation.ts";
import { ingestionRoutes } from "./api/ingestion.ts";
import { originalsRoutes } from "./api/originals.ts";
import { overviewRoutes } from "./api/overview.ts";
import { searchRoutes } from "./api/search.ts";
import { sessionRoutes } from "./api/session.ts";
import { whyNotRoutes } from "./api/why_not.ts";
import { tracesRoutes } from "./api/traces.ts";
import type { PagesParts } from "./parts.ts";

/** The routes of each page, below `/api/PAGE`. */
const PAGES: Readonly<Record<string, (parts: PagesParts) => Hono>> = {
  session: sessionRoutes,
  search: searchRoutes,
  "why-not": whyNotRoutes,
  overview: overviewRoutes,
  documents: documentsRoutes,
  ingestion: ingestionRoutes,
  originals: originalsRoutes,
  traces: tracesRoutes,
  evaluation: evaluationRoutes,
};

/** The calls of clients with the same rights. Who may call was decided before. */
export function pagesApp(parts: PagesParts): Hono {
  const app = new Hono();
  for (const [page, routes] of Object.entries(PAGES)) {
    app.route(`/api/${page}`, routes(parts));
  }
  app.notFound((c) => {
    const text = message(languageOf(c), "pages_no_call");
    return c.json({ error: { key: "pages_no_call", message: text } }, 404);
  });
  app.onError((error, c) => {
    const { status, answer } = errorOf(error, languageOf(c), parts.log);
    return c.json(answer, status);
  });
  return app;
}
