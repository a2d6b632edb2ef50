import { loader as code } from "../code/loader.ts";
import { loader as docbook } from "../docbook/loader.ts";
import { loader as html } from "../html/loader.ts";
import { loader as jats } from "../jats/loader.ts";
import { loader as pdf } from "../pdf/loader.ts";
import type { Loader } from "../types.ts";

/** Loaders that run in an extractor process, by the name of their format. */
export const LOADERS: Readonly<Record<string, Loader>> = { code, docbook, html, jats, pdf };
