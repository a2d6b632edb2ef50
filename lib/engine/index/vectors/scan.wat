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
  ;; The same for short rows. Four are multiplied at a time, so that the numbers of the query are read once for them, and their sums are added
  ;; up together. Of 400,000 rows it reads 25 GB/s where the loop above reads 19 if they have 96 numbers, 25 instead of 20 if they have 128, but
  ;; 16 instead of 21 if they have 256, and 8 instead of 20 if they have 384. The last step reads four numbers at $scale and writes four at
  ;; $out too. It reads its first row again in place of missing ones.
  (func (export "scan_short")
    (param $query i32) (param $row i32) (param $scale i32) (param $out i32) (param $count i32) (param $stride i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $bytes v128) (local $low v128) (local $high v128)
    (local $row2 i32) (local $row3 i32) (local $row4 i32) (local $next i32)
    (local $q i32) (local $end i32) (local $last i32)
    (local.set $last (i32.add (local.get $scale) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $scale) (local.get $last)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        (local.set $next (i32.add (local.get $row) (i32.shl (local.get $stride) (i32.const 2))))
        (local.set $row2 (select (local.get $end) (local.get $row)
          (i32.lt_u (i32.add (local.get $scale) (i32.const 4)) (local.get $last))))
        (local.set $row3 (select (i32.add (local.get $end) (local.get $stride)) (local.get $row)
          (i32.lt_u (i32.add (local.get $scale) (i32.const 8)) (local.get $last))))
        (local.set $row4 (select (i32.sub (local.get $next) (local.get $stride)) (local.get $row)
          (i32.lt_u (i32.add (local.get $scale) (i32.const 12)) (local.get $last))))
        (loop $numbers
          (local.set $low (v128.load (local.get $q)))
          (local.set $high (v128.load offset=16 (local.get $q)))
          (local.set $bytes (v128.load (local.get $row)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))
          (local.set $bytes (v128.load (local.get $row2)))
          (local.set $b (i32x4.add (local.get $b) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))
          (local.set $bytes (v128.load (local.get $row3)))
          (local.set $c (i32x4.add (local.get $c) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))
          (local.set $bytes (v128.load (local.get $row4)))
          (local.set $d (i32x4.add (local.get $d) (i32x4.add
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (local.get $low))
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (local.get $high)))))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $row4 (i32.add (local.get $row4) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $numbers
            (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
        ;; The four numbers of each sum are added up: first a0+a2 b0+b2 a1+a3 b1+b3, and the same of c and d.
        (local.set $a (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
        (local.set $c (i32x4.add
          (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
          (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
        (v128.store (local.get $out)
          (f32x4.mul
            (v128.load (local.get $scale))
            (f32x4.convert_i32x4_s
              (i32x4.add
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
                (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))))
        (local.set $row (local.get $next))
        (local.set $scale (i32.add (local.get $scale) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
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
