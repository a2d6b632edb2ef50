import assert from "node:assert/strict";
import { loader } from "../../../lib/document/ppt/loader.ts";
import { DocumentError } from "../../../lib/document/mod.ts";
import { compound } from "../doc/_make_doc.ts";

const long = (value: number) => [0, 8, 16, 24].map((shift) => value >>> shift & 0xff);
const record = (type: number, data: readonly number[], instance = 0, version = 0) => [
  instance << 4 & 0xff | version,
  instance >> 4,
  type & 0xff,
  type >> 8,
  ...long(data.length),
  ...data,
];
const container = (type: number, ...inner: number[][]) => record(type, inner.flat(), 0, 0xf);
const text = (kind: number, value: string) => [
  ...record(3999, long(kind)),
  ...record(4000, Array.from(value).flatMap((char) => [char.charCodeAt(0) & 0xff, char.charCodeAt(0) >> 8])),
];

/** A presentation of two slides, the second of which has notes. */
function presentation({ token = 0xe391c05f, keys = 0 } = {}): Uint8Array<ArrayBuffer> {
  const persist = (number: number, id: number) =>
    record(1011, [...long(number), ...long(0), ...long(0), ...long(id)]);
  const list = (instance: number, ...inner: number[][]) => record(4080, inner.flat(), instance, 0xf);
  const atom = (notes: number) =>
    record(1007, [...long(0), ...long(0), ...long(0), ...long(0), ...long(notes), ...long(0)]);
  const box = (...inner: number[][]) => container(1036, container(0xf002, container(0xf00d, ...inner)));
  const parts = [
    container(
      1000,
      list(0, persist(2, 256), text(0, "密钥"), text(1, "One\rTwo"), persist(3, 257)),
      list(2, persist(4, 900)),
    ),
    container(1006, atom(0), box(record(3998, long(0))), box(record(4008, [0x63, 0xe9]))),
    container(1006, atom(900), box(text(6, "Locks")), box(text(4, "*"))),
    container(1008, box(text(2, "Said.\vAgain."))),
  ];
  const stream: number[] = [];
  const offsets = parts.map((part) => {
    stream.push(...part);
    return stream.length - part.length;
  });
  const directory = stream.length;
  stream.push(...record(6002, [...long(parts.length << 20 | 1), ...offsets.flatMap(long)]));
  const edit = stream.length;
  stream.push(...record(4085, [0, 0, 0, directory, 1, 5, 0, keys].flatMap(long)));
  return compound({
    "PowerPoint Document": Uint8Array.from(stream),
    "Current User": Uint8Array.from(record(4086, [20, token, edit, 0].flatMap(long))),
  });
}

async function problemOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  try {
    return (await loader.load(bytes, { path: "a.ppt" })).text;
  } catch (error) {
    assert.ok(error instanceof DocumentError, String(error));
    return error.problem;
  }
}

Deno.test("slides are pages with titles, texts and notes", async () => {
  const { text, pages } = await loader.load(presentation(), { path: "a.ppt" });
  assert.deepEqual([text, pages?.map(({ number }) => number)], [
    "# 密钥\n\nOne\n\nTwo\n\ncé\n\n# Locks\n\nSaid.\nAgain.\n",
    [1, 2],
  ]);
});

Deno.test("a presentation that is broken or encrypted is refused with its reason", async () => {
  const whole = presentation();
  assert.deepEqual(
    [
      await problemOf(presentation({ token: 0xf3d1c4df })),
      await problemOf(presentation({ keys: 5 })),
      await problemOf(compound({ Other: new Uint8Array(100) })),
      await problemOf(
        compound({ "PowerPoint Document": new Uint8Array(9), "Current User": new Uint8Array(9) }),
      ),
      await problemOf(new Uint8Array()),
      await problemOf(new TextEncoder().encode("Rotate the keys.")),
      await problemOf(whole.slice(0, 600)),
    ],
    ["encrypted", "encrypted", "damaged", "damaged", "damaged", "damaged", "damaged"],
  );
});

Deno.test("whatever byte of a presentation is changed, it is read or refused", async () => {
  const whole = presentation();
  for (let at = 0; at < whole.length; at += 3) {
    const changed = whole.slice();
    changed[at] = changed[at]! ^ 0xff;
    assert.equal(typeof await problemOf(changed), "string");
  }
});
