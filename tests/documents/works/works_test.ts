import { equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { DocumentError } from "#documents/mod.ts";
import { loader } from "#documents/formats/works.ts";
import { compound } from "../doc/make_doc.ts";

const load = async (streams: Record<string, Uint8Array>): Promise<string> => {
  try {
    return (await loader.load(compound(streams), { path: "a.wps" })).text;
  } catch (error) {
    ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
};

/** Returns the stream of Works 2000 and newer with chunks of these names and texts. `next`: offset of the next list. */
function chunks(list: readonly (readonly [name: string, text: string])[], next = 0xffffffff): Uint8Array {
  const data = list.map(([, text]) => Buffer.from(text, "utf16le"));
  const stream = Buffer.alloc(32 + 24 * list.length);
  stream.write("CHNKWKS ", "latin1");
  stream.writeUInt16LE(list.length, 26);
  stream.writeUInt32LE(next, 28);
  let at = stream.length;
  for (const [i, [name]] of list.entries()) {
    stream.writeUInt16LE(24, 32 + 24 * i);
    stream.write(name, 34 + 24 * i, "latin1");
    stream.writeUInt32LE(at, 48 + 24 * i);
    stream.writeUInt32LE(data[i]!.length, 52 + 24 * i);
    at += data[i]!.length;
  }
  return Buffer.concat([stream, ...data]);
}

/** Returns the stream of Works 2 to 4. */
function old(text: Uint8Array): Uint8Array {
  const stream = Buffer.alloc(0x100);
  stream.writeUInt32LE(0x100, 0x22);
  stream.writeUInt32LE(0x100 + text.length, 0x26);
  return Buffer.concat([stream, text, Buffer.from("no text")]);
}

Deno.test("Works 2000 and newer have their text in chunks of UTF-16", async () => {
  equal(
    await load({ CONTENTS: chunks([["FONT", "no"], ["TEXT", "Green tea\r绿茶\x02\r"]]) }),
    "Green tea\n\n绿茶\n",
  );
});

Deno.test("Works 2 to 4 have their text in a code page of Windows", async () => {
  equal(
    await load({ MN0: old(Buffer.from("ColorSet-1ColorPos-1Caf\xe9\r\nna\xefve\r\n", "latin1")) }),
    "Café\n\nnaïve\n",
  );
});

Deno.test("a file without a text of Works is refused, and lists of chunks in a circle end", async () => {
  equal(await load({ CONTENTS: Buffer.from("something else") }), "unsupported");
  equal(await load({ CONTENTS: chunks([["TEXT", "tea"]], 24) }), "tea\n");
  equal(await load({ MN0: new Uint8Array(10) }), "damaged");
});
