import { deepEqual, equal } from "node:assert/strict";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type Message, openPipe } from "../e2e/_mcp_pipe.ts";
import { writeFiles } from "../e2e/_program.ts";
import { type Arena, attackOnLinux, indexedArena, SECRET } from "./_arena.ts";

/** The whole answer: it names the served folder and nothing that is elsewhere. */
const refusedIn = (dir: string) => `此路径不在提供的目录中，或位于隐藏目录中。可读取的目录：${dir}`;
const MISSING = "文件不存在，请检查路径是否正确";
const NO_FILE = / 不是普通文件。请指定文件/;

/** A folder with every kind of link that leads out. */
async function arenaWithLinks(arena: Arena): Promise<void> {
  const { outside, at, beside } = arena;
  await writeFiles(arena.folder, { ["Résumé.txt".normalize("NFC")]: "composed" });
  await writeFiles(`${arena.folder}-secret`, { "secret.txt": SECRET });
  for (
    const [name, target] of Object.entries({
      "link.txt": `${outside}/secret.txt`,
      "relative.txt": "../outside/secret.txt",
      "link": outside,
      "sub/link": outside,
      "chain1.txt": at("chain2.txt"),
      "chain2.txt": at("chain3/secret.txt"),
      "chain3": "sub/link",
      "loop1": at("loop2"),
      "loop2": at("loop1"),
      "self": "self",
      "nowhere.txt": beside("nothing.txt"),
      "environ.txt": "/proc/self/environ",
      "input.txt": "/dev/stdin",
      "zero.txt": "/dev/zero",
      "proc": "/proc/self",
      "root": "/",
      "data.txt": ".muxue_rag/index.bin",
    })
  ) await Deno.symlink(target, at(name));
}

/** An answer, and paths that are answered so: DIR stands for the folder, URL for its URL. */
type Refusal = readonly [answer: string | RegExp, text: string, ...more: readonly string[]];

/** All paths to try on the folder `dir`. */
const refusals = (dir: string): Record<string, Refusal> => ({
  "leave by dots": [
    refusedIn(dir),
    `../outside/secret.txt ../../../../../../etc/passwd sub/../../outside/secret.txt DIR/../outside/secret.txt
      DIR/sub/../../outside/secret.txt DIR/./.././outside/secret.txt DIR//..//outside//secret.txt .. DIR/..`,
  ],
  "full paths outside": [
    refusedIn(dir),
    "/etc/passwd //etc/passwd /etc/../etc/passwd /etc/no-such-file /no/such/folder / ~/.ssh/id_rsa ~root/.bashrc",
  ],
  "folders whose names begin alike": [
    refusedIn(dir),
    "DIR-secret/secret.txt DIR-secret DIR-secre",
    "../文档 docs-secret/secret.txt",
  ],
  "links": [
    refusedIn(dir),
    `link.txt DIR/link.txt relative.txt link/secret.txt link/no-such-file sub/link/secret.txt chain1.txt chain2.txt
      chain3/secret.txt nowhere.txt root/etc/passwd data.txt`,
  ],
  "links in a circle": [
    /^无法读取文件：Too many levels of symbolic links/,
    "loop1 DIR/loop2 self loop1/secret.txt",
  ],
  "the process's own files and devices": [
    refusedIn(dir),
    `/proc/self/environ /proc/self/cmdline /proc/self/cwd/notes.md /proc/self/fd/0 /proc/1/environ /dev/stdin
      /dev/zero /dev/fd/0 environ.txt input.txt zero.txt proc/environ proc/fd/0`,
  ],
  "NUL bytes": [
    refusedIn(dir),
    "notes.md\0.txt \0 /etc/passwd\0DIR/notes.md DIR/notes.md\0 URL/notes.md%00",
  ],
  "URLs": [
    refusedIn(dir),
    `file:///etc/passwd FILE:///etc/passwd URL/%2e%2e/outside/secret.txt URL/%2e%2e%2foutside%2fsecret.txt
      URL/../outside/secret.txt file://localhost/etc/passwd file://elsewhere.example/notes.md file:notes.md file:`,
  ],
  "names below the folder that are no more than names": [
    MISSING,
    `%2e%2e/outside/secret.txt %2e%2e%2foutside%2fsecret.txt link/../outside/secret.txt %252e%252e/outside/secret.txt
      sub%2f..%2f..%2foutside/secret.txt sub\\..\\..\\outside\\secret.txt http://127.0.0.1/notes.md
      \u2025/outside/secret.txt \uff0e\uff0e/outside/secret.txt a..\u2215outside\u2215secret.txt`,
    "x".repeat(250),
  ],
  "mixed case": [MISSING, "NOTES.md DIR/Notes.MD SUB/inner.md"],
  "encoded dots, which make a hidden name": [
    refusedIn(dir),
    "..%2foutside%2fsecret.txt ..%c0%afoutside/secret.txt ..\\outside\\secret.txt",
  ],
  "hidden files": [refusedIn(dir), ".muxue_rag/index.bin DIR/.env .git/config sub/.hidden/x ./.env"],
  "folders": [NO_FILE, ". DIR sub sub/ DIR/sub/.."],
});

/** The files that a client may read, and that answers may name. */
const SERVED = ["notes.md", "sub/inner.md"];

attackOnLinux("no path leads out of the folder, and the error names only files in it", async (context) => {
  await using arena = await indexedArena({ "notes.md": "tea\n", "sub/inner.md": "in\n", ".env": SECRET });
  const { folder } = arena;
  await arenaWithLinks(arena);
  await using pipe = await openPipe(arena);
  const ask = async (name: string, args: Record<string, unknown>): Promise<Message> => {
    const answer = await pipe.call(name, args);
    equal(JSON.stringify(answer).includes(SECRET), false);
    return answer;
  };
  const read = async (path: string) => {
    const { result } = await ask("read_raw_file", { file_path: path });
    const { code, message, data, hints = [] } = result.structuredContent;
    const [text, ...more] = result.content[0].text.split("\n");
    if (code === 500) equal(more.join("\n"), hints.join("\n"));
    for (const [, named] of hints.join("\n").matchAll(/<quoted-1>(\/.*?)<\/quoted-1>/g)) {
      equal(SERVED.includes(named.slice(folder.length + 1)), true, named);
    }
    return { code, message, data, text, isError: result.isError };
  };

  const url = pathToFileURL(folder).href;
  for (const [name, [expected, text, ...more]] of Object.entries(refusals(folder))) {
    await context.step(`read_raw_file: ${name}`, async () => {
      const paths = text.split(/\s+/).map((path) => path.replace("DIR", folder).replace("URL", url));
      for (const path of [...paths, ...more]) {
        const { message, ...rest } = await read(path);
        deepEqual({ path, ...rest }, { path, code: 500, data: null, text: message, isError: true });
        const same = typeof expected === "string" ? message === expected : expected.test(message);
        equal(same, true, `${JSON.stringify(path)}: ${message}`);
      }
    });
  }

  await context.step("read_raw_file: what is in the folder is read, by either form of its name", async () => {
    const paths = [
      ...["notes.md", "./notes.md", `../${basename(folder)}/notes.md`, `${folder}/sub/../notes.md`],
      pathToFileURL(arena.at("notes.md")).href,
      ...["NFD", "NFC"].map((form) => "Résumé.txt".normalize(form)),
    ];
    for (const path of paths) {
      const { code, message } = await read(path);
      deepEqual([path, code, message], [path, 200, "读取成功"]);
    }
  });

  await context.step("search_rag and explain_search: no folder but those served", async () => {
    const paths = [
      ...["/", "/etc", "..", "../outside", `${folder}-secret`, arena.outside, `${folder}/..`],
      ...["link", "sub/link", "chain3", "proc", "\0"],
    ];
    for (const path of paths) {
      for (const tool of ["search_rag", "explain_search"]) {
        const { result } = await ask(tool, { keyword: SECRET, dir_path: path });
        const { code, message, data } = result.structuredContent;
        deepEqual([path, code, data], [path, 500, null]);
        equal(message.startsWith("目录不在检索范围内："), true, `${path}: ${message}`);
      }
    }
  });
});

attackOnLinux("the server refuses or serves what replaces a folder that was moved away", async (context) => {
  await using arena = await indexedArena({ "secret.txt": "harmless\n" });
  const { folder, outside, run } = arena;
  const moved = arena.beside("moved");
  await using pipe = await openPipe(arena);
  const answers = async () => {
    const [read, found] = [
      await pipe.call("read_raw_file", { file_path: `${folder}/secret.txt` }),
      await pipe.search(SECRET),
    ].map(({ result }) => result.structuredContent);
    return [read.data?.raw_content ?? read.message, found.data?.match_content ?? found.message];
  };
  const notReady = "RAG数据库未就绪，请先处理目标目录构建数据库";
  deepEqual(await answers(), ["harmless\n", []]);

  await context.step("moved: nothing is found, and the server does not follow", async () => {
    await Deno.rename(folder, moved);
    deepEqual(await answers(), [MISSING, notReady]);
  });
  await context.step("a link to a folder elsewhere, with an index of its own: refused", async () => {
    await run`--dir ${outside} --quiet`;
    await Deno.symlink(outside, folder);
    deepEqual(await answers(), [refusedIn(folder), notReady]);
  });
  await context.step("a link to where it was moved: refused, too", async () => {
    await Deno.remove(folder);
    await Deno.symlink(moved, folder);
    deepEqual(await answers(), [refusedIn(folder), notReady]);
  });
  await context.step(
    "another folder with that name: it has the path that the user named, so it is served",
    async () => {
      await Deno.remove(folder);
      await writeFiles(folder, { "secret.txt": "another\n" });
      deepEqual(await answers(), ["another\n", notReady]);
    },
  );
  await context.step("the old folder back in its place: as before", async () => {
    await Deno.remove(folder, { recursive: true });
    await Deno.rename(moved, folder);
    deepEqual(await answers(), ["harmless\n", []]);
  });
});

attackOnLinux("a hard link to a file outside is read like a file of the folder", async () => {
  await using arena = await indexedArena({ "notes.md": "tea\n" });
  await Deno.link(`${arena.outside}/secret.txt`, arena.at("hard.txt"));
  await using pipe = await openPipe(arena);
  const { result: { structuredContent } } = await pipe.call("read_raw_file", { file_path: "hard.txt" });
  // A user who can create the link can read the file anyway (fs.protected_hardlinks), and so can the user of the server.
  deepEqual([structuredContent.code, structuredContent.data.raw_content], [200, `${SECRET}\n`]);
});
