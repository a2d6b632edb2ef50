import { equal } from "node:assert/strict";
import { errorLine } from "#library/answer/mod.ts";
import { UserError } from "#foundation/errors.ts";

const OUTSIDE = new UserError("no_permission", { path: "/etc/passwd", served: "/notes" });

Deno.test("errorLine says one thing of a path outside of the served folders", async () => {
  equal(
    await errorLine(OUTSIDE, "en"),
    "This path is outside of the served folders, or hidden. Folders served: /notes",
  );
  equal(
    await errorLine(OUTSIDE, "zh"),
    "此路径不在提供的目录中，或位于隐藏目录中。可读取的目录：/notes",
  );
});

Deno.test("errorLine of an error without hints is its message", async () => {
  equal(
    await errorLine(new UserError("file_not_found", { path: "a" }), "zh"),
    "文件不存在，请检查路径是否正确",
  );
});
