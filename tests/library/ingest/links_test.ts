import { deepEqual, equal } from "node:assert/strict";
import { backupIndex, cleanIndex, folderStatus, restoreIndex } from "#library/ingest/mod.ts";
import { assertUserError, ON_WINDOWS } from "../../foundation/boundary/helpers.ts";
import { config, Place, storeAt } from "./_place.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";

const backupAt = (place: Place) => ({ path: place.beside("backup"), temporary: place.beside("backup.tmp") });

Deno.test("every command refuses a link or a file in the place of .muxue_rag, and leaves it as it is", {
  ignore: ON_WINDOWS,
}, async () => {
  using place = new Place();
  place.write({ "a.txt": "alpha" });
  Deno.mkdirSync(place.beside("elsewhere"));
  Deno.writeTextFileSync(place.beside("elsewhere/lock"), "precious");
  for (
    const make of [
      () => Deno.symlinkSync(place.beside("elsewhere"), place.at(".muxue_rag")),
      () => Deno.symlinkSync(place.beside("nothing"), place.at(".muxue_rag")),
      () => Deno.writeTextFileSync(place.at(".muxue_rag"), "a file"),
    ]
  ) {
    make();
    for (
      const action of [
        () => place.ingest(),
        () => storeAt(place.root).open(),
        () => place.store.exists(),
        () => cleanIndex(place.store, place.context),
        () => backupIndex(place.store, backupAt(place), place.context),
        async () => await folderStatus(place.root, await config(), { indexKey: KEY }),
      ]
    ) {
      const error = await assertUserError(action, "data_folder_unsafe");
      deepEqual(error.params, { path: place.at(".muxue_rag") });
    }
    deepEqual([...Deno.readDirSync(place.beside("elsewhere"))].map(({ name }) => name), ["lock"]);
    equal(Deno.readTextFileSync(place.beside("elsewhere/lock")), "precious");
    Deno.removeSync(place.at(".muxue_rag"));
  }
});

for (const name of ["lock", "index.bin"]) {
  Deno.test(
    `a link in the place of ${name} is replaced, with a warning, and what it points to is not touched`,
    {
      ignore: ON_WINDOWS,
    },
    async () => {
      using place = await Place.indexed({ "a.txt": "alpha" });
      await backupIndex(place.store, backupAt(place), place.context);
      place.write({ "b.txt": "beta" });
      const path = place.at(`.muxue_rag/${name}`);
      for (const target of ["precious", "nothing"]) {
        Deno.writeTextFileSync(place.beside("precious"), "precious");
        const link = () => {
          Deno.removeSync(path);
          Deno.symlinkSync(place.beside(target), path);
        };
        link();
        const { warnings = [], files } = await place.ingest();
        deepEqual([files, warnings.length, warnings[0]?.startsWith(`${path} `)], [2, 1, true]);
        equal((await place.ingest()).warnings, undefined);
        link();
        await restoreIndex(place.store, place.beside("backup"), place.context);
        equal((await place.ingest()).new, 1);
        equal(Deno.readTextFileSync(place.beside("precious")), "precious");
        deepEqual(place.dataFolder(), [".gitignore", "index.bin", "lock"]);
        equal(Deno.lstatSync(path).isFile, true);
      }
    },
  );
}

Deno.test("cleaning a data folder with links in it removes the links, not what they point to", {
  ignore: ON_WINDOWS,
}, async () => {
  using place = new Place();
  await place.ingest();
  Deno.mkdirSync(place.beside("elsewhere"));
  Deno.writeTextFileSync(place.beside("elsewhere/precious"), "precious");
  Deno.symlinkSync(place.beside("elsewhere"), place.at(".muxue_rag/link"));
  equal(await cleanIndex(place.store, place.context), true);
  equal(Deno.readTextFileSync(place.beside("elsewhere/precious")), "precious");
});
