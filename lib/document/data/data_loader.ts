import type { TextLoader } from "../loader.ts";
import { fileName } from "../reader/file_name.ts";
import { loadJson, loadJsonLines } from "./json.ts";
import { loadLog, looksLikeLog } from "./log.ts";
import { loadTables } from "./tables.ts";
import { loadXml } from "./xml.ts";
import { loadYaml } from "./yaml.ts";

const LOADERS: Readonly<Record<string, TextLoader>> = Object.fromEntries(
  ([
    ["json jsonc json5 geojson webmanifest har", loadJson],
    ["jsonl ndjson", loadJsonLines],
    ["yaml yml", loadYaml],
    [
      "xml xsd xsl xslt rss atom opml plist config csproj vbproj fsproj props targets resx xaml wsdl pom kml gpx",
      loadXml,
    ],
    ["toml ini cfg conf desktop editorconfig service reg properties", loadTables],
    ["log", loadLog],
  ] as const).flatMap(([extensions, loader]) =>
    extensions.split(" ").map((extension) => [extension, loader])
  ),
);

/** Matches the beginning of JSON and XML in files with other extensions: `.conf`, `.config`, `.txt`. */
const STARTS: readonly [RegExp, TextLoader][] = [
  [/^\s*(?:\{\s*["}]|\[\s*[[{"\d\]])/, loadJson],
  [/^\s*<\?xml\s/, loadXml],
];

/**
 * Returns the loader for data and logs by the extension of `path` and by the beginning of the text, or `undefined` for other
 * texts. Rotated logs (`app.log.1`) are logs, and so are texts in which most lines have a time.
 */
export function dataLoader(path: string, text: string): TextLoader | undefined {
  const name = fileName(path).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  if (/\.log(?:[._-][\w-]+)*$/.test(name)) return loadLog;
  const byName = Object.hasOwn(LOADERS, extension) ? LOADERS[extension] : undefined;
  const isOpen = byName === undefined || byName === loadTables || byName === loadXml;
  if (isOpen) {
    const head = text.slice(0, 200);
    // `[section]` in an INI file is not an array.
    const begun = STARTS.find(([start]) => start.test(head))?.[1];
    if (begun !== undefined && !(byName !== undefined && head.trimStart().startsWith("["))) {
      return begun === loadXml && byName === undefined && !["txt", name].includes(extension)
        ? undefined
        : begun;
    }
    if (byName === undefined && ["txt", "out", "text", name].includes(extension) && looksLikeLog(text)) {
      return loadLog;
    }
  }
  return byName;
}
