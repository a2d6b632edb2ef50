import { deepEqual } from "node:assert/strict";
import { call, openPipe, search } from "../e2e/_mcp_pipe.ts";
import { indexedArena, SECRET } from "./_arena.ts";
import { attack, ON_LINUX } from "./_attack.ts";

attack(
  "the server refuses or serves what replaces a folder that was moved away",
  async (start, context) => {
    await using arena = await indexedArena(start, { "secret.txt": "harmless\n" });
    const { folder, outside } = arena;
    await using pipe = await openPipe(arena);
    let id = 0;
    const answers = async () => {
      await pipe.send(
        call(++id, "read_raw_file", { file_path: `${folder}/secret.txt` }),
        search(++id, SECRET),
      );
      const [read, found] = (await pipe.receive(2)).sort((a, b) => a.id - b.id)
        .map(({ result }) => result.structuredContent);
      return [read.data?.raw_content ?? read.message, found.data?.match_content ?? found.message];
    };
    const refused = `此路径不在提供的目录中，或位于隐藏目录中。可读取的目录：${folder}`;
    const notReady = "RAG数据库未就绪，请先处理目标目录构建数据库";
    deepEqual(await answers(), ["harmless\n", []]);

    await context.step("moved: nothing is found, and the server does not follow", async () => {
      await Deno.rename(folder, arena.beside("moved"));
      deepEqual(await answers(), ["文件不存在，请检查路径是否正确", notReady]);
    });
    await context.step("a link to a folder elsewhere, with an index of its own: refused", async () => {
      await arena.run("--dir", outside, "--quiet");
      await Deno.symlink(outside, folder);
      deepEqual(await answers(), [refused, notReady]);
    });
    await context.step("a link to where it was moved: refused, too", async () => {
      await Deno.remove(folder);
      await Deno.symlink(arena.beside("moved"), folder);
      deepEqual(await answers(), [refused, notReady]);
    });
    await context.step(
      "Another folder with that name. It has the path that the user named, so it is served.",
      async () => {
        await Deno.remove(folder);
        await Deno.mkdir(folder);
        await Deno.writeTextFile(`${folder}/secret.txt`, "another\n");
        deepEqual(await answers(), ["another\n", notReady]);
      },
    );
    await context.step("the old folder back in its place: as before", async () => {
      await Deno.remove(folder, { recursive: true });
      await Deno.rename(arena.beside("moved"), folder);
      deepEqual(await answers(), ["harmless\n", []]);
    });
  },
  { ignore: !ON_LINUX },
);

attack(
  "a hard link to a file outside is read like a file of the folder",
  async (start) => {
    await using arena = await indexedArena(start, { "notes.md": "tea\n" });
    await Deno.link(`${arena.outside}/secret.txt`, arena.at("hard.txt"));
    await using pipe = await openPipe(arena);
    await pipe.send(call(1, "read_raw_file", { file_path: "hard.txt" }));
    const [{ result: { structuredContent } }] = await pipe.receiveUntil(1);
    // A user who can create the link can read the file anyway (fs.protected_hardlinks), and so can the user of the server.
    deepEqual([structuredContent.code, structuredContent.data.raw_content], [200, `${SECRET}\n`]);
  },
  { ignore: !ON_LINUX },
);
