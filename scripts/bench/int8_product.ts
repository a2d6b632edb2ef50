import wabtOf from "wabt";

/** Rows of the left matrix in a tile, and vectors of four columns of the right one: 8 sums, as many as registers allow. */
const ROWS = 4;
const VECTORS = 2;
const COLUMNS = VECTORS * 4;

/** Sizes of a product: `rows` × `inner` of the left matrix, `inner` × `columns` of the right one. */
export interface Sizes {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/**
 * Returns a function that multiplies a matrix of numbers from 0 to 127 by one of int8, by the dot product of relaxed SIMD. It
 * returns milliseconds for one product, the least of many, and whether a sample of the result is right.
 */
export async function relaxedProduct(sizes: Sizes): Promise<() => { ms: number; isRight: boolean }> {
  const { rows, inner, columns } = sizes;
  const { parseWat } = await wabtOf();
  const features = { "relaxed_simd": true, simd: true };
  const { buffer } = parseWat("product.wat", source(sizes), features).toBinary({});
  const { instance } = await WebAssembly.instantiate(buffer as Uint8Array<ArrayBuffer>);
  const { memory, product } = instance.exports as {
    memory: WebAssembly.Memory;
    product: (left: number, right: number, result: number) => void;
  };
  const [left, right, result] = [0, rows * inner, (rows + columns) * inner];
  const a = new Uint8Array(memory.buffer, left, rows * inner).map(() => Math.random() * 128);
  const b = new Int8Array(inner * columns).map(() => Math.random() * 256 - 128);
  new Uint8Array(memory.buffer, left).set(a);
  new Int8Array(memory.buffer, right).set(packed(b, sizes));
  const sums = new Int32Array(memory.buffer, result, rows * columns);
  return () => {
    let ms = Infinity;
    for (let round = 0; round < 300; round++) {
      const began = performance.now();
      product(left, right, result);
      ms = Math.min(ms, performance.now() - began);
    }
    const isRight = [[0, 0], [1, columns - 1], [rows - 1, 7]].every(([row, column]) => {
      let sum = 0;
      for (let k = 0; k < inner; k++) sum += a[row! * inner + k]! * b[k * columns + column!]!;
      return sums[row! * columns + column!] === sum;
    });
    return { ms, isRight };
  };
}

/** The right matrix in the order in which tiles read it: for each group of columns, four numbers of each column in turn. */
function packed(b: Int8Array, { inner, columns }: Sizes): Int8Array {
  const out = new Int8Array(b.length);
  let at = 0;
  for (let group = 0; group < columns; group += COLUMNS) {
    for (let k = 0; k < inner; k += 4) {
      for (let column = group; column < group + COLUMNS; column++) {
        for (let i = 0; i < 4; i++) out[at++] = b[(k + i) * columns + column]!;
      }
    }
  }
  return out;
}

function source({ rows, inner, columns }: Sizes): string {
  const tile = Array.from(
    { length: ROWS },
    (_, row) => Array.from({ length: VECTORS }, (_, at) => [row, at] as const),
  ).flat();
  const sum = (row: number, at: number) => `$sum${row}_${at}`;
  const steps = Array.from(
    { length: ROWS },
    (_, row) =>
      `(local.set $a (v128.load32_splat offset=${row * inner} (local.get $left_at)))` +
      Array.from({ length: VECTORS }, (_, at) =>
        `(local.set ${sum(row, at)} (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (local.get $b${at}) (local.get $a) (local.get ${sum(row, at)})))`).join("\n"),
  ).join("\n");
  return `(module (memory (export "memory") ${
    Math.ceil((rows * inner + inner * columns + rows * columns * 4) / 65536)
  })
  (func (export "product") (param $left i32) (param $right i32) (param $result i32)
    (local $left_at i32) (local $right_at i32) (local $row i32) (local $column i32) (local $k i32) (local $out i32)
    (local $a v128) ${Array.from({ length: VECTORS }, (_, at) => `(local $b${at} v128)`).join(" ")}
    ${tile.map(([row, at]) => `(local ${sum(row, at)} v128)`).join(" ")}
    (loop $columns
      (local.set $row (i32.const 0))
      (loop $rows
        (local.set $left_at (i32.add (local.get $left) (i32.mul (local.get $row) (i32.const ${inner}))))
        (local.set $right_at (i32.add (local.get $right) (i32.mul (local.get $column) (i32.const ${inner}))))
        ${tile.map(([row, at]) => `(local.set ${sum(row, at)} (v128.const i32x4 0 0 0 0))`).join("\n")}
        (local.set $k (i32.const ${inner / 4}))
        (loop $inner
          ${
    Array.from({ length: VECTORS }, (_, at) =>
      `(local.set $b${at} (v128.load offset=${at * 16} (local.get $right_at)))`).join("\n")
  }
          ${steps}
          (local.set $left_at (i32.add (local.get $left_at) (i32.const 4)))
          (local.set $right_at (i32.add (local.get $right_at) (i32.const ${VECTORS * 16})))
          (br_if $inner (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
        (local.set $out (i32.add (local.get $result) (i32.mul (i32.const 4)
          (i32.add (i32.mul (local.get $row) (i32.const ${columns})) (local.get $column)))))
        ${
    tile.map(([row, at]) =>
      `(v128.store offset=${(row * columns + at * 4) * 4} (local.get $out) (local.get ${sum(row, at)}))`
    ).join("\n")
  }
        (br_if $rows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const ${ROWS}))) (i32.const ${rows}))))
      (br_if $columns
        (i32.lt_u (local.tee $column (i32.add (local.get $column) (i32.const ${COLUMNS}))) (i32.const ${columns}))))))`;
}
