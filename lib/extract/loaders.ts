import { loader as code } from "../document/code/loader.ts";
import { loader as docbook } from "../document/docbook/loader.ts";
import { loader as html } from "../document/html/loader.ts";
import { loader as jats } from "../document/jats/loader.ts";
import { loader as pdf } from "../document/pdf/loader.ts";
import type { Loader } from "../document/mod.ts";

/** Loaders that run in an extractor process, by the name of their format. */
export const LOADERS: Readonly<Record<string, Loader>> = { code, docbook, html, jats, pdf };
