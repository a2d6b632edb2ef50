import { deepEqual } from "node:assert/strict";
import { makeSandbox } from "./_program.ts";

Deno.test("a full disk for the output is reported with a message", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using sandbox = await makeSandbox({});
  for (const command of [["--version"], ["status", "--dir", sandbox.folder]]) {
    const { cmd, args } = sandbox.start(command);
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", 'exec "$@" > /dev/full', "sh", cmd, ...args],
      env: sandbox.env,
      cwd: sandbox.cwd,
      clearEnv: true,
    }).output();
    deepEqual([code, new TextDecoder().decode(stderr)], [1, "错误：输出不完整：磁盘空间不足\n"]);
  }
});
