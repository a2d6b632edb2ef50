import assert from "node:assert/strict";
import { openInside, resolveInside } from "#foundation/boundary/mod.ts";
import { playground } from "./_playground.ts";
import { assertUserError, ON_WINDOWS, textOf } from "./helpers.ts";

Deno.test({
  name: "openInside() refuses pipes, folders and devices without waiting",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = playground();
    await new Deno.Command("mkfifo", { args: [temp.at("root/pipe")] }).output();
    await assertUserError(() => resolveInside("pipe", [temp.at("root")]), "not_a_file");
    await assertUserError(() => openInside({ real: temp.at("root/pipe") }), "not_a_file");
    await assertUserError(() => openInside({ real: temp.at("root/sub") }), "not_a_file");
    await assertUserError(() => openInside({ real: "/dev/zero" }), "not_a_file");
  },
});

Deno.test("openInside() opens a resolved file for reading", async () => {
  using temp = playground();
  const resolved = await resolveInside("a.txt", [temp.at("root")]);
  using file = await openInside(resolved);
  assert.equal(await textOf(file), "text\n");
});

Deno.test({
  name: "openInside() refuses a file or folder that became a link after it was resolved",
  ignore: ON_WINDOWS,
  async fn() {
    using temp = playground();
    temp.write("root-secret/日记 100% 🎉.txt", "secret");
    const resolved = await resolveInside("sub/日记 100% 🎉.txt", [temp.at("root")]);
    Deno.renameSync(temp.at("root/sub"), temp.at("root/old"));
    Deno.symlinkSync("../root-secret", temp.at("root/sub"));
    await assertUserError(() => openInside(resolved), "no_permission");

    const file = await resolveInside("a.txt", [temp.at("root")]);
    Deno.removeSync(file.real);
    Deno.symlinkSync("../root-secret/key.txt", file.real);
    await assertUserError(() => openInside(file), "no_permission");
  },
});
