import { loader as code } from "../code/loader.ts";
import { loader as csv } from "../csv/loader.ts";
import { loader as doc } from "../doc/loader.ts";
import { loader as docbook } from "../docbook/loader.ts";
import { loader as docx } from "../docx/loader.ts";
import { loader as epub } from "../epub/loader.ts";
import { loader as html } from "../html/loader.ts";
import { loader as jats } from "../jats/loader.ts";
import { loader as mail } from "../mail/loader.ts";
import { loader as mhtml } from "../mhtml/loader.ts";
import { loader as notebook } from "../notebook/loader.ts";
import { loader as odf } from "../odf/loader.ts";
import { loader as pdf } from "../pdf/loader.ts";
import { loader as pptx } from "../pptx/loader.ts";
import { loader as ppt } from "../ppt/loader.ts";
import { loader as rtf } from "../rtf/loader.ts";
import { loader as subtitles } from "../subtitles/loader.ts";
import { loader as xls } from "../xls/loader.ts";
import { loader as xlsx } from "../xlsx/loader.ts";
import type { Loader } from "../types.ts";

/** Loaders that run in an extractor process, by the name of their format. */
export const LOADERS: Readonly<Record<string, Loader>> = {
  code,
  csv,
  doc,
  docbook,
  docx,
  epub,
  html,
  jats,
  mail,
  mhtml,
  msg: mail,
  notebook,
  odf,
  pdf,
  pptx,
  ppt,
  rtf,
  subtitles,
  xls,
  xlsx,
};
