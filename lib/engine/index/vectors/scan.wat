;; Dot products of one query with rows of int8, 16 numbers a step. Compiled by scripts/build_simd.ts.
(module
  (import "env" "memory" (memory 1))
  ;; For each of $count rows of $stride bytes (a multiple of 16) at $row: its dot product with the int16 numbers at
  ;; $query, times the float32 at $scale, goes as float32 to $out.
  (func (export "scan")
    (param $query i32) (param $row i32) (param $scale i32) (param $out i32) (param $count i32) (param $stride i32)
    (local $sum v128) (local $bytes v128) (local $q i32) (local $end i32) (local $last i32)
    (local.set $last (i32.add (local.get $scale) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $scale) (local.get $last)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        (loop $numbers
          (local.set $bytes (v128.load (local.get $row)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $q)))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $q)))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $numbers (i32.lt_u (local.get $row) (local.get $end))))
        (f32.store (local.get $out)
          (f32.mul
            (f32.load (local.get $scale))
            (f32.convert_i32_s
              (i32.add
                (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))))
        (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows))))
  ;; Writes the places of the float32 numbers at $out that are at least $least to $places (i32), and returns how many there are. It looks at
  ;; $count numbers, rounded up to a multiple of 4.
  (func (export "above")
    (param $out i32) (param $count i32) (param $least f32) (param $places i32) (result i32)
    (local $at i32) (local $found i32) (local $bits i32)
    (block $done
      (loop $numbers
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (local.set $bits (i32x4.bitmask (f32x4.ge (v128.load (local.get $out)) (f32x4.splat (local.get $least)))))
        (block $none
          (loop $each
            (br_if $none (i32.eqz (local.get $bits)))
            (i32.store
              (i32.add (local.get $places) (i32.shl (local.get $found) (i32.const 2)))
              (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (local.set $found (i32.add (local.get $found) (i32.const 1)))
            (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
            (br $each)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $numbers)))
    (local.get $found)))
