import { deepEqual } from "node:assert/strict";
import { makeSandbox, output } from "./_program.ts";

Deno.test("a full disk for the output is reported with a message", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using sandbox = await makeSandbox({});
  for (const command of [["--version"], ["status", "--dir", sandbox.folder]]) {
    const { cmd, args } = sandbox.start(command);
    const { env, cwd } = sandbox;
    const { code, stderr } = await output("sh", ["-c", 'exec "$@" > /dev/full', "sh", cmd, ...args], {
      ...{ env, cwd, clearEnv: true },
    });
    deepEqual([code, stderr], [1, "错误：输出不完整：磁盘空间不足\n"]);
  }
});
