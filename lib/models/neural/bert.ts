/** Runs a BERT-like encoder of int8 by the arithmetic of `bert.wat`. The vectors are those of ONNX Runtime, but for rounding. */
import type { Bert, Embedding, Layer, Linear, Normalization } from "./bert_graph.ts";
import { BERT_MODULE } from "./bert_module.ts";
import type { Tokens } from "./tokenizer.ts";

/** Rows of a tile in products: matrices have a multiple of them. */
const TILE = 4;
/** Columns of a panel of weights. */
const PANEL = 8;
/** Bytes for a panel's columns: their sums, scales and biases, 8 of each. */
const COLUMN_DATA = 3 * PANEL * 4;
/** Rows whose attention is computed at once, so that their scores stay in the cache. */
const ROWS = 32;
/** Bytes of a page of WebAssembly memory. */
const PAGE = 65_536;

/** The functions of `bert.wat`. Addresses are in bytes. */
export interface Kernels {
  // deno-fmt-ignore
  product(a: number, weights: number, columnData: number, rows: number, inner: number, columns: number,
    out: number, residual: number, scale: number, zero: number): void;
  productOfPairs: Kernels["product"];
  widen(x: number, count: number, out: number, zero: number): void;
  // deno-fmt-ignore
  productOfFloats(a: number, stride: number, panels: number, rows: number, inner: number, columns: number,
    out: number, outStride: number, scale: number): void;
  softmax(x: number, rows: number, length: number, stride: number): void;
  gelu(x: number, count: number): void;
  normalize(x: number, rows: number, width: number, gamma: number, beta: number, epsilon: number): void;
  range(x: number, count: number): [least: number, most: number];
  quantize(x: number, count: number, out: number, scale: number, zero: number, flip: number): void;
  packTransposed(x: number, stride: number, rows: number, columns: number, out: number): void;
  pack(x: number, stride: number, rows: number, columns: number, out: number): void;
  dot(signed: number, other: number): number;
}

/**
 * How a machine multiplies bytes. `bytes`: four at once, where its dot product of relaxed SIMD is exact; `flip`: the bits of an activation
 * that change because the machine takes it as signed. `pairs`: as two numbers of 16 bits, at about half the speed. The results are the same.
 */
export type Arithmetic = { readonly kind: "bytes"; readonly flip: number } | { readonly kind: "pairs" };

/** A matrix in memory. */
interface Placed {
  readonly inner: number;
  readonly columns: number;
  readonly weights: number;
  readonly columnData: number;
}

interface PlacedNorm {
  readonly gamma: number;
  readonly beta: number;
  readonly epsilon: number;
}

interface PlacedLayer {
  /** Queries, keys and values in one product. */
  readonly heads: Placed;
  readonly attended: Placed;
  readonly attendedNorm: PlacedNorm;
  readonly up: Placed;
  readonly down: Placed;
  readonly norm: PlacedNorm;
}

/** An encoder whose weights are in the memory of the module. */
export class BertEncoder {
  readonly #bert: Omit<Bert, "layers">;
  readonly #memory: WebAssembly.Memory;
  readonly #kernels: Kernels;
  readonly #norm: PlacedNorm;
  readonly #layers: readonly PlacedLayer[];
  /** The largest width between two layers' products. */
  readonly #widest: number;
  readonly #arithmetic: Arithmetic;
  /** Address after the weights. */
  readonly #free: number;

  private constructor(
    { layers, ...bert }: Bert,
    memory: WebAssembly.Memory,
    kernels: Kernels,
    arithmetic: Arithmetic,
  ) {
    // The tables are part of the model's file, which is not kept.
    const copy = (table: Embedding): Embedding => ({ ...table, values: table.values.slice() });
    const [words, types, positions] = [copy(bert.words), copy(bert.types), copy(bert.positions)];
    this.#bert = { ...bert, words, types, positions };
    this.#memory = memory;
    this.#kernels = kernels;
    this.#arithmetic = arithmetic;
    this.#widest = Math.max(3 * bert.width, ...layers.map(({ up }) => up.columns));
    const shelf = new Shelf(memory, arithmetic.kind === "bytes" ? 4 : 2);
    this.#norm = shelf.norm(bert.norm);
    this.#layers = layers.map((layer) => shelf.layer(layer));
    this.#free = shelf.end;
  }

  /** Returns `undefined` if the machine has no relaxed SIMD. `memory`: most bytes. Default of `arithmetic`: the fastest. */
  static async load(bert: Bert, memory: number, arithmetic?: Arithmetic): Promise<BertEncoder | undefined> {
    const pages = new WebAssembly.Memory({ initial: 1, maximum: Math.ceil(memory / PAGE) });
    const kernels = await bertKernels(pages);
    if (kernels === undefined) return undefined;
    return new BertEncoder(bert, pages, kernels, arithmetic ?? arithmeticOf(kernels));
  }

  /** Returns the vectors of the tokens, one after another, until the next call. Throws a `RangeError` beyond the model's tables. */
  run({ ids, types }: Tokens): Float32Array {
    const { width, headWidth } = this.#bert;
    const kernels = this.#kernels;
    const length = ids.length;
    if (length === 0) throw new Error("the text has no tokens");
    const rows = Math.ceil(length / TILE) * TILE;
    const padded = Math.ceil(length / PANEL) * PANEL;
    let end = this.#free;
    const take = (bytes: number) => {
      const at = end;
      end += Math.ceil(bytes / 64) * 64;
      return at;
    };
    const x = take(rows * width * 4);
    const wide = take(rows * this.#widest * 4);
    const bytes = take(rows * this.#widest);
    const pairs = this.#arithmetic.kind === "pairs" ? take(rows * this.#widest * 2) : 0;
    const context = take(rows * width * 4);
    const scores = take(ROWS * padded * 4);
    const keys = take((padded + PANEL) * headWidth * 4);
    const values = take(padded * headWidth * 4);
    grow(this.#memory, end);

    /** The product of the activations at `from` and a matrix, with what is added to it. */
    const multiply = (from: number, matrix: Placed, out: number, residual: number) => {
      const { weights, columnData, inner, columns } = matrix;
      const count = length * inner;
      const [least, most] = kernels.range(from, count);
      const [scale, zero] = quantization(least, most);
      if (this.#arithmetic.kind === "bytes") {
        const { flip } = this.#arithmetic;
        kernels.quantize(from, count, bytes, scale, zero, flip);
        // deno-fmt-ignore
        kernels.product(bytes, weights, columnData, rows, inner, columns, out, residual, scale, zero - flip);
      } else {
        kernels.quantize(from, count, bytes, scale, zero, 0);
        kernels.widen(bytes, count, pairs, zero);
        // deno-fmt-ignore
        kernels.productOfPairs(pairs, weights, columnData, rows, inner, columns, out, residual, scale, 0);
      }
    };
    const normalize = ({ gamma, beta, epsilon }: PlacedNorm) =>
      kernels.normalize(x, length, width, gamma, beta, epsilon);

    this.#embed(ids, types, new Float32Array(this.#memory.buffer, x, length * width));
    normalize(this.#norm);
    const stride = 3 * width * 4;
    const scoreStride = padded * 4;
    for (const layer of this.#layers) {
      multiply(x, layer.heads, wide, 0);
      for (let head = 0; head < width; head += headWidth) {
        const query = wide + head * 4;
        kernels.packTransposed(query + width * 4, stride, length, headWidth, keys);
        kernels.pack(query + width * 8, stride, length, headWidth, values);
        for (let row = 0; row < rows; row += ROWS) {
          const count = Math.min(ROWS, rows - row);
          // deno-fmt-ignore
          kernels.productOfFloats(query + row * stride, stride, keys, count, headWidth, padded,
            scores, scoreStride, 1 / Math.sqrt(headWidth));
          kernels.softmax(scores, count, length, scoreStride);
          // deno-fmt-ignore
          kernels.productOfFloats(scores, scoreStride, values, count, length, headWidth,
            context + (row * width + head) * 4, width * 4, 1);
        }
      }
      multiply(context, layer.attended, x, x);
      normalize(layer.attendedNorm);
      multiply(x, layer.up, wide, 0);
      kernels.gelu(wide, length * layer.up.columns);
      multiply(wide, layer.down, x, x);
      normalize(layer.norm);
    }
    return new Float32Array(this.#memory.buffer, x, length * width);
  }

  #embed(ids: readonly number[], types: readonly number[], out: Float32Array): void {
    const { width, ...tables } = this.#bert;
    out.fill(0);
    for (let at = 0; at < ids.length; at++) {
      for (
        const [name, { rows, values, scale, zero }, row] of [
          ["token", tables.words, ids[at]!],
          ["token type", tables.types, types[at]!],
          ["position", tables.positions, at],
        ] as const
      ) {
        if (!(row >= 0 && row < rows)) {
          throw new RangeError(`${name} ${row} is not one of the model's ${rows}`);
        }
        for (let i = 0; i < width; i++) {
          out[at * width + i]! += Math.fround((values[row * width + i]! - zero) * scale);
        }
      }
    }
  }
}

/** Returns the functions of `bert.wat` for this memory, or `undefined` if the machine has no relaxed SIMD. */
export async function bertKernels(memory: WebAssembly.Memory): Promise<Kernels | undefined> {
  const bytes = Uint8Array.fromBase64(BERT_MODULE);
  if (!WebAssembly.validate(bytes)) return undefined;
  const { instance } = await WebAssembly.instantiate(bytes, { bert: { memory } });
  return instance.exports as unknown as Kernels;
}

/** Returns the fastest arithmetic that is exact on this machine. */
function arithmeticOf({ dot }: Kernels): Arithmetic {
  const isExact = (flip: number) =>
    [-128, 127].every((signed) =>
      [0, 1, 127, 128, 255].every((byte) => dot(signed, byte ^ flip) === 4 * signed * (byte - flip))
    );
  const flip = [0, 128].find(isExact);
  return flip === undefined ? { kind: "pairs" } : { kind: "bytes", flip };
}

/** Scale and zero of activations from `least` to `most`, in the arithmetic of ONNX Runtime's DynamicQuantizeLinear. */
function quantization(least: number, most: number): [scale: number, zero: number] {
  const scale = most === least ? 1 : Math.fround(Math.fround(most - least) / 255);
  const zero = Math.fround(-least / scale);
  const below = Math.floor(zero);
  const rounded = zero - below === 0.5 ? below + below % 2 : Math.round(zero);
  return [scale, Math.min(255, Math.max(0, rounded))];
}

function grow(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE);
  if (missing <= 0) return;
  try {
    memory.grow(missing);
  } catch (error) {
    throw new Error("it needs too much memory", { cause: error });
  }
}

/** Puts weights into memory, one after another. */
class Shelf {
  readonly #memory: WebAssembly.Memory;
  /** Numbers of a column that stand beside each other in a panel. */
  readonly #beside: number;
  end = 64;

  constructor(memory: WebAssembly.Memory, beside: number) {
    this.#memory = memory;
    this.#beside = beside;
  }

  layer({ query, key, value, attended, attendedNorm, up, down, norm }: Layer): PlacedLayer {
    return {
      heads: this.#matrices([query, key, value]),
      attended: this.#matrices([attended]),
      attendedNorm: this.norm(attendedNorm),
      up: this.#matrices([up]),
      down: this.#matrices([down]),
      norm: this.norm(norm),
    };
  }

  norm({ gamma, beta, epsilon }: Normalization): PlacedNorm {
    const put = (values: Float32Array) => {
      const at = this.#take(values.length * 4);
      new Float32Array(this.#memory.buffer, at).set(values);
      return at;
    };
    return { gamma: put(gamma), beta: put(beta), epsilon };
  }

  /** Matrices with the same rows, their columns one after another. */
  #matrices(parts: readonly Linear[]): Placed {
    const { inner } = parts[0]!;
    const columns = parts.reduce((sum, part) => sum + part.columns, 0);
    const weights = this.#take(inner * columns);
    const columnData = this.#take(columns / PANEL * COLUMN_DATA);
    const packed = new Int8Array(this.#memory.buffer, weights, inner * columns);
    const sums = new Int32Array(this.#memory.buffer), floats = new Float32Array(this.#memory.buffer);
    let at = 0, data = columnData / 4;
    for (const part of parts) {
      for (let panel = 0; panel < part.columns; panel += PANEL) {
        for (let k = 0; k < inner; k += this.#beside) {
          for (let column = panel; column < panel + PANEL; column++) {
            for (let i = 0; i < this.#beside; i++) {
              packed[at++] = part.weights[(k + i) * part.columns + column]!;
            }
          }
        }
        for (let column = panel; column < panel + PANEL; column++, data++) {
          let sum = 0;
          for (let k = 0; k < inner; k++) sum += part.weights[k * part.columns + column]!;
          sums[data] = sum;
          floats[data + PANEL] = part.scales[column]!;
          floats[data + 2 * PANEL] = part.bias[column]!;
        }
        data += 2 * PANEL;
      }
    }
    return { inner, columns, weights, columnData };
  }

  /** The address of memory that is not used yet. */
  #take(bytes: number): number {
    const at = this.end;
    this.end += Math.ceil(bytes / 64) * 64;
    grow(this.#memory, this.end);
    return at;
  }
}
