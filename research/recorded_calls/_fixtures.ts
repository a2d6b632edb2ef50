/**
 * The folders, configuration files and the local server of models that the recorded calls work on.
 * @module
 */
import { basename, dirname, extname, join, relative } from "node:path";
import { HOME, PLACE } from "./_recorder.ts";

/** The guide of the program, as it was when the first record was made. */
export const NOTES = join(PLACE, "notes");
/** All documents. */
export const DOCUMENTS = join(PLACE, "documents");
/** Some of them: real documents of many formats, some of them broken. */
export const MIXED = join(PLACE, "mixed");
/** A test collection as a folder of Chinese text files, asked in English. */
export const PARAGRAPHS = join(PLACE, "paragraphs");
/** The same collection in the layout of BEIR, with a fifth of its queries. */
export const JUDGED = join(PLACE, "judged");
/** A few short texts in both languages, which the calls change. */
export const SMALL = join(PLACE, "small");
/** The same texts, which stay as they are. */
export const SMALL_COPY = join(PLACE, "unchanged");
export const SETTINGS = join(PLACE, "settings");
/** The option that names a file of {@linkcode SETTINGS}. */
export const settings = (name: string) => `--config ${SETTINGS}/${name}`;
/** Pictures of text. */
export const SCANS = join(PLACE, "scans");
/** The archives of models, if there are any. */
export const ARCHIVES = join(PLACE, "archives");
/** A line for each question about {@linkcode NOTES}. */
export const QUESTIONS = join(PLACE, "questions.jsonl");
export const MODEL_PORT = 17311;

/** The commit whose guide is searched, and whose pictures of text are recognised. */
const BASE_COMMIT = "4a2616f1cf";

/** Where the fixtures come from. */
export interface Sources {
  /** A checkout. */
  readonly root: string;
  /** A checkout of {@linkcode BASE_COMMIT}; without it, the commit in the history of `root`. */
  readonly base: string | undefined;
  /** A folder with `documents` and `eval`. */
  readonly shared: string;
  /** A folder with archives of models. */
  readonly models: string | undefined;
}

/** Makes all fixtures anew. Returns some queries of the test collection. */
export function makeFixtures({ root, base, shared, models }: Sources): { queries: string[] } {
  Deno.mkdirSync(PLACE, { recursive: true });
  for (const { name } of Deno.readDirSync(PLACE)) Deno.removeSync(join(PLACE, name), { recursive: true });
  Deno.umask(0o022);
  for (const folder of [HOME, join(PLACE, "tmp"), SETTINGS]) Deno.mkdirSync(folder, { recursive: true });
  const checkout = base ?? baseOf(root);
  copyAll(join(checkout, "examples/docs"), NOTES);
  copyAll(join(checkout, SAMPLES), SCANS);
  if (models !== undefined) copyAll(models, ARCHIVES);
  const documents = join(shared, "documents");
  copyAll(documents, DOCUMENTS);
  for (const path of mixedDocuments()) write(join(MIXED, relative(DOCUMENTS, path)), Deno.readFileSync(path));
  for (const folder of [SMALL, SMALL_COPY]) {
    for (const [path, text] of Object.entries(SMALL_TEXTS)) write(join(folder, path), text);
  }
  write(QUESTIONS, QUESTION_LINES.map((line) => JSON.stringify(line) + "\n").join(""));
  for (const [name, text] of Object.entries(SETTING_FILES)) write(join(SETTINGS, name), text);
  const lines = (name: string) =>
    Deno.readTextFileSync(join(shared, "eval/xquad-en2zh", name)).split("\n").filter((line) => line !== "");
  const corpus = lines("corpus.jsonl");
  for (const line of corpus) {
    const { _id: id, title, text } = JSON.parse(line);
    write(join(PARAGRAPHS, `${id}.txt`), `${title === "" ? "" : `${title}\n\n`}${text}\n`);
  }
  const asked = lines("queries.jsonl").filter((_, i) => i % 20 === 0);
  const ids = new Set(asked.map((line) => JSON.parse(line)._id));
  const [head, ...judgements] = lines("qrels.tsv");
  const judged = judgements.filter((line) => ids.has(line.split("\t")[0]));
  write(join(JUDGED, "corpus.jsonl"), corpus.join("\n") + "\n");
  write(join(JUDGED, "queries.jsonl"), asked.join("\n") + "\n");
  write(join(JUDGED, "qrels.tsv"), [head, ...judged].join("\n") + "\n");
  Deno.removeSync(join(PLACE, "tmp"), { recursive: true });
  Deno.mkdirSync(join(PLACE, "tmp"));
  return { queries: asked.map((line) => JSON.parse(line).text) };
}

const SAMPLES = "tests/document/recognition/samples";

/** Extracts what is needed of {@linkcode BASE_COMMIT} from the history of a checkout. Returns the folder. */
function baseOf(root: string): string {
  const { success, stdout } = new Deno.Command("git", {
    args: ["-C", root, "archive", BASE_COMMIT, "examples/docs", SAMPLES],
  }).outputSync();
  if (!success) throw new Error(`no commit ${BASE_COMMIT} in ${root}: name a checkout of it with --base`);
  const folder = join(PLACE, "tmp/base");
  Deno.mkdirSync(folder);
  Deno.writeFileSync(join(folder, "base.tar"), stdout);
  new Deno.Command("tar", { args: ["-xf", join(folder, "base.tar"), "-C", folder] }).outputSync();
  return folder;
}

/** All files of a folder, sorted. */
export function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)]
    .flatMap(({ name, isDirectory }) => isDirectory ? filesBelow(join(folder, name)) : [join(folder, name)])
    .sort((a, b) => a < b ? -1 : 1);
}

/** The pairs without their expected text, each fifteenth odd PDF, and a sample of every format. */
function mixedDocuments(): string[] {
  const all = filesBelow(DOCUMENTS).filter((path) => !path.includes(".expected."));
  const below = (folder: string) => all.filter((path) => path.startsWith(join(DOCUMENTS, folder) + "/"));
  const formats = new Map(below("formats").map((path) => [dirname(path), path]));
  return [
    ...below("pairs"),
    ...below("odd-pdfs").filter((_, i) => i % 15 === 0),
    ...formats.values(),
  ];
}

const writes = new Map<string, number>();

/** Writes a file. Its time of modification, in January 2024 at first and later with each write, follows from its path. */
export function write(path: string, content: string | Uint8Array): void {
  const before = writes.get(path) ?? 0;
  writes.set(path, before + 1);
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeFileSync(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  const sum = [...path].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_003, 0) % 100;
  const time = Date.UTC(2024, 0, 1, 12) / 1000 + 7_201 * sum + 86_400 * 40 * before;
  Deno.utimeSync(path, time, time);
}

function copyAll(from: string, to: string): void {
  for (const path of filesBelow(from)) write(join(to, relative(from, path)), Deno.readFileSync(path));
}

/** Copies a folder with its times, its index included. */
export function copyFolder(from: string, to: string): void {
  for (const path of filesBelow(from)) {
    const target = join(to, relative(from, path));
    Deno.mkdirSync(dirname(target), { recursive: true });
    Deno.copyFileSync(path, target);
    const { mtime } = Deno.statSync(path);
    Deno.utimeSync(target, mtime!, mtime!);
  }
}

/** The bytes of a text of characters below 256. */
function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const SMALL_TEXTS: Readonly<Record<string, string | Uint8Array>> = {
  "tea.md":
    "# Tea\n\nGreen tea wants water of 80 degrees.\n\n# Coffee\n\nCoffee wants water of 93 degrees.\n\n" +
    "## Beans\n\nGrind the beans shortly before brewing, not the day before.\n",
  "kettle.md":
    "---\ntitle: The kettle\ntags: [kitchen, water]\nauthor: Ann\n---\n\n# Kettle\n\nThe kettle heats water for " +
    "green tea and for coffee. Descale it every month.\n",
  "备份.md":
    "# 备份\n\n每周把全部数据备份到移动硬盘，并检查备份能否恢复。\n\n## 密钥\n\n密钥每九十天更换一次，旧密钥保留三十天。\n",
  "ops/keys.md":
    "# Keys\n\nRotate the keys every ninety days. Keep the old key for thirty days.\n\n![Diagram](plan.png)\n",
  "ops/draft.md": "# Draft\n\nThis draft says how to rotate the keys. It is not finished.\n",
  "src/keyring.py": 'class KeyRing:\n    """Keeps the keys."""\n\n    def rotate_keys(self, days=90):\n' +
    "        for key in self.keys:\n            key.rotate(days)\n\n    def getUserName(self):\n        return self.user_name\n",
  "src/test_keyring.py": "def test_rotate_keys():\n    assert KeyRing().rotate_keys(90) is None\n",
  "table.csv":
    "item,price,amount\npen,1.20,14\npencil,0.80,30\neraser,0.50,12\nruler,2.10,5\nnotebook,3.40,9\n" +
    "marker,1.90,21\nstapler,6.30,3\n",
  "settings.json": '{"server": {"port": 5432, "host": "db.example.org"}, "retries": 3}\n',
  "page.html":
    "<html lang='en'><head><title>Opening hours</title></head><body><nav>Home | About</nav><h1>Opening hours</h1>" +
    "<p>The library is open from nine to five.</p><table><tr><th>Day</th><th>Hours</th></tr><tr><td>Monday</td>" +
    "<td>closed</td></tr></table></body></html>\n",
  "letter.eml":
    "From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nSubject: =?utf-8?B?6aG555uu6L+b5bqm?=\n" +
    "Date: Fri, 01 Mar 2024 09:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\nThe project is on schedule.\n",
  "empty.md": "",
  "picture.png": bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
  "bundle.min.js": "var a=1;".repeat(2_000),
  "a <b> & 'c'.md": "# Odd name\n\nA file with an odd name, about marmalade.\n",
  ".muxueragignore": "secret/\n",
  "secret/pin.md": "# PIN\n\nNobody may find this PIN by a search: 4711.\n",
  "same.md":
    "# Keys\n\nRotate the keys every ninety days. Keep the old key for thirty days.\n\n![Diagram](plan.png)\n",
};

const QUESTION_LINES = [
  { query: "how do I leave drafts out", files: ["en/indexing.md", "zh/indexing.md"] },
  {
    query: "can it read spreadsheets",
    files: ["en/indexing.md", "zh/indexing.md", "en/faq.txt", "zh/faq.txt"],
  },
  { query: "undo a deletion from a saved copy", files: ["en/maintenance.md", "zh/maintenance.md"] },
  { query: "哪些数据会离开我的电脑", files: { "zh/privacy.md": 2, "en/privacy.md": 1 } },
  { query: "怎么把服务接到编辑器里", files: ["zh/mcp-clients.md", "en/mcp-clients.md"] },
  { query: "measure the quality of answers", files: ["en/evaluating.md", "zh/evaluating.md"] },
];

const server = `http://127.0.0.1:${MODEL_PORT}`;
const remote = (path: string, more = "") =>
  `language: en\nembedding:\n  provider: openai-compatible\n  base_url: ${server}${path}\n  model: letters\n` +
  `  max_retries: 0\n  concurrency: 1\n${more}`;
const rerank = (provider: string, path: string) =>
  `language: en\nrerank:\n  provider: ${provider}\n  base_url: ${server}${path}\n  model: judge\n  top_m: 5\n`;

/** Configuration files by name. */
const SETTING_FILES: Readonly<Record<string, string | Uint8Array>> = {
  "english.yaml": "language: en\n",
  "many.yaml":
    "language: zh\nchunking: {strategy: structure, max_chars: 600, overlap: 0}\nfiles: {include: ['*.md'], exclude: [ops/draft.md]}\n" +
    "search: {mode: keyword, top_k: 3, per_doc_limit: 1, synonyms: [[kettle, boiler]]}\nmcp: {tools: all, answer: both}\n" +
    "log: {level: warning, retention_days: 2}\nembedding: {api_key: env:SOME_KEY}\n",
  "recursive.json": '{"chunking": {"strategy": "recursive", "max_chars": 500, "overlap": 50}}\n',
  "fixed.yaml": "chunking: {strategy: fixed, max_chars: 300, overlap: 30}\n",
  "semantic.yaml": "chunking: {strategy: semantic}\n",
  "few.yaml": "chunking: {chunks_per_file: 3}\n",
  "no-vectors.yaml": "embedding: {provider: none}\n",
  "rrf.yaml": "search: {fusion: rrf, alpha: 0.3}\n",
  "no-legs.yaml": "search: {legs: [], rerank: false}\n",
  "no-rerank.yaml": "rerank: {provider: none}\n",
  "synonyms.yaml": "search: {synonyms: [[marmalade, jam], [电脑, 计算机, computer]]}\n",
  "short.yaml": "search: {max_chars: 900, top_k: 20, per_doc_limit: 10}\n",
  "ocr.yaml": "files: {ocr: tesseract}\n",
  "local.yaml": "language: en\nembedding: {provider: local}\n",
  "collections.yaml":
    `language: en\ncollections:\n  guide: {path: ${NOTES}/en, description: The guide in English}\n` +
    `  small: {path: ${SMALL}, description: 小文本, files: {exclude: [ops/]}, chunking: {max_chars: 400}}\n`,
  "remote.yaml": remote("/v1"),
  "remote-rrf.yaml": remote("/v1", "search: {fusion: weighted, alpha: 0.8}\n"),
  "remote-broken.yaml": remote("/broken"),
  "remote-short.yaml": remote("/short"),
  "remote-refused.yaml": remote("/refused", "log: {level: error}\n"),
  "remote-gone.yaml":
    "language: en\nembedding: {provider: openai-compatible, base_url: 'http://127.0.0.1:17313/v1', model: m, max_retries: 0}\n",
  "rerank-remote.yaml": rerank("remote", "/v1"),
  "rerank-llm.yaml": rerank("llm", "/v1"),
  "rerank-broken.yaml": rerank("remote", "/broken"),
  "bad-keys.yaml":
    "langauge: en\nsearch:\n  top_k: 500\n  mode: fuzzy\nchunking: {overlap: -1}\nlog: {level: loud}\n",
  "bad-syntax.yaml": "search: {top_k: 3\n  mode: [\n",
  "bad-syntax.json": '{"search": {"top_k": 3,}\n',
  "bad-type.yaml": "- a list\n- of things\n",
  "bad-cross.yaml": "embedding: {provider: openai-compatible}\nchunking: {max_chars: 300, overlap: 200}\n",
  "bad-collection.yaml": `collections: {nothing: {path: ${PLACE}/nothing}, "a/b": {path: ${SMALL}}}\n`,
  "bad-encoding.yaml": bytes("language: en # \xff\n"),
  "empty.yaml": "",
};

/** A server of models whose answers follow from the text alone. */
export function startModelServer(): { requests: string[] } & AsyncDisposable {
  const requests: string[] = [];
  const http = Deno.serve({ port: MODEL_PORT, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    requests.push(`${request.method} ${pathname} ${text}`);
    const body = text === "" ? {} : JSON.parse(text);
    if (pathname.startsWith("/broken")) {
      return Response.json({ error: { message: "out of memory" } }, { status: 500 });
    }
    if (pathname.startsWith("/refused")) {
      return Response.json({ error: { message: "no such key" } }, { status: 401 });
    }
    if (pathname.endsWith("/embeddings")) {
      const inputs: string[] = [body.input].flat();
      const kept = pathname.startsWith("/short") ? inputs.slice(1) : inputs;
      return Response.json({
        object: "list",
        model: body.model,
        data: kept.map((input, index) => ({ object: "embedding", index, embedding: letterVector(input) })),
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    }
    if (pathname.endsWith("/rerank")) {
      const results = body.documents.map((document: string, index: number) => ({
        index,
        relevance_score: shared(body.query, document),
      }));
      return Response.json({ results });
    }
    if (pathname.endsWith("/chat/completions")) {
      const asked = JSON.stringify(body.messages);
      const count = Number(/Judge the passages 1 to (\d+)/.exec(asked)?.[1] ?? 1);
      const judgements = Array.from({ length: count }, (_, i) => [i + 1, (i * 3) % 10]);
      return Response.json({
        id: "1",
        object: "chat.completion",
        created: 0,
        model: body.model,
        choices: [{
          index: 0,
          message: { role: "assistant", content: JSON.stringify(Object.fromEntries(judgements)) },
          finish_reason: "stop",
        }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    }
    return Response.json({ error: { message: "not found" } }, { status: 404 });
  });
  return { requests, [Symbol.asyncDispose]: () => http.shutdown() };
}

/** Counts letters and pairs of letters, in 16 buckets. */
function letterVector(text: string): number[] {
  const vector = new Array<number>(16).fill(1);
  const letters = [...text.toLowerCase()];
  letters.forEach((letter, i) => {
    const code = letter.codePointAt(0)!;
    vector[code % 16]! += 1;
    vector[(code * 31 + (letters[i + 1]?.codePointAt(0) ?? 0)) % 16]! += 1;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.round(value / length * 1e6) / 1e6);
}

/** Share of the words of a question that a passage has. */
function shared(question: string, passage: string): number {
  const words = question.toLowerCase().split(/\s+/);
  const found = words.filter((word) => passage.toLowerCase().includes(word)).length;
  return Math.round((found / words.length - passage.length / 1e6) * 1e6) / 1e6;
}

/** A name for the record of a document. */
export function documentName(path: string): string {
  return `${relative(DOCUMENTS, dirname(path)).replaceAll("/", " ")} ${basename(path)}`;
}

/** Whether a document is of a format whose plain text is recorded, too. */
export function isPair(path: string): boolean {
  return path.includes("/pairs/") && extname(path) !== ".md";
}
