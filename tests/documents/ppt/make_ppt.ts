import { compound } from "../doc/make_doc.ts";

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

/** Returns a presentation (MS-PPT) with two slides. The second has notes. */
export function presentation(
  { token = 0xe391c05f, keys = 0, last = "Said.\vAgain." } = {},
): Uint8Array<ArrayBuffer> {
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
    container(1008, box(text(2, last))),
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
