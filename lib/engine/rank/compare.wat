;; Compares words by the rows of the built-in table, in the memory where they lie. Compiled by scripts/build_simd.ts.
(module
  (import "env" "memory" (memory 1 65536 shared))
  ;; Adds $count rows of int8 to the float64 numbers at $sums, in their order: $rows has the address of each (i32), $weights its
  ;; float32 weight. A step takes 16 numbers of a row, so $sums has room for a multiple of 16; those from $dimensions on have no meaning.
  (func (export "sum")
    (param $rows i32) (param $weights i32) (param $count i32) (param $sums i32) (param $dimensions i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $weight v128) (local $bytes v128) (local $half v128) (local $four v128)
    (local $k i32) (local $i i32) (local $out i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $numbers
      (local.set $out (i32.add (local.get $sums) (i32.shl (local.get $k) (i32.const 3))))
      (local.set $a (v128.load (local.get $out)))
      (local.set $b (v128.load offset=16 (local.get $out)))
      (local.set $c (v128.load offset=32 (local.get $out)))
      (local.set $d (v128.load offset=48 (local.get $out)))
      (local.set $e (v128.load offset=64 (local.get $out)))
      (local.set $f (v128.load offset=80 (local.get $out)))
      (local.set $g (v128.load offset=96 (local.get $out)))
      (local.set $h (v128.load offset=112 (local.get $out)))
      (local.set $i (i32.const 0))
      (loop $words
        (local.set $weight
          (f64x2.promote_low_f32x4 (v128.load32_splat (i32.add (local.get $weights) (i32.shl (local.get $i) (i32.const 2))))))
        (local.set $bytes (v128.load (i32.add (local.get $k)
          (i32.load (i32.add (local.get $rows) (i32.shl (local.get $i) (i32.const 2)))))))
        (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
        (local.set $four (i32x4.extend_low_i16x8_s (local.get $half)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s (local.get $four)))))
        (local.set $b (f64x2.add (local.get $b) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))
        (local.set $four (i32x4.extend_high_i16x8_s (local.get $half)))
        (local.set $c (f64x2.add (local.get $c) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s (local.get $four)))))
        (local.set $d (f64x2.add (local.get $d) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))
        (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
        (local.set $four (i32x4.extend_low_i16x8_s (local.get $half)))
        (local.set $e (f64x2.add (local.get $e) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s (local.get $four)))))
        (local.set $f (f64x2.add (local.get $f) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))
        (local.set $four (i32x4.extend_high_i16x8_s (local.get $half)))
        (local.set $g (f64x2.add (local.get $g) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s (local.get $four)))))
        (local.set $h (f64x2.add (local.get $h) (f64x2.mul (local.get $weight)
          (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))
        (br_if $words (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $count))))
      (v128.store (local.get $out) (local.get $a))
      (v128.store offset=16 (local.get $out) (local.get $b))
      (v128.store offset=32 (local.get $out) (local.get $c))
      (v128.store offset=48 (local.get $out) (local.get $d))
      (v128.store offset=64 (local.get $out) (local.get $e))
      (v128.store offset=80 (local.get $out) (local.get $f))
      (v128.store offset=96 (local.get $out) (local.get $g))
      (v128.store offset=112 (local.get $out) (local.get $h))
      (br_if $numbers
        (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $dimensions)))))
  ;; For each of $count words (i32 at $ids), its cosines with $width others go as float32 to $out, $most at most. The rows of int8 at $vectors
  ;; have $dimensions numbers, those of the others are int16 at $factors, $stride numbers (a multiple of 16) each, the last ones 0.
  ;; The factor of each row is a float32 at $scales, or at $factor_scales. A step may read numbers of the next row: times 0.
  (func (export "cosines")
    (param $ids i32) (param $count i32) (param $vectors i32) (param $scales i32) (param $dimensions i32)
    (param $factors i32) (param $factor_scales i32) (param $width i32) (param $out i32) (param $most f32)
    (local $sum v128) (local $bytes v128) (local $last i32) (local $row i32) (local $at i32) (local $end i32)
    (local $q i32) (local $other i32) (local $scale f64) (local $id i32)
    (local.set $last (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $words
        (br_if $done (i32.ge_u (local.get $ids) (local.get $last)))
        (local.set $id (i32.load (local.get $ids)))
        (local.set $row (i32.add (local.get $vectors) (i32.mul (local.get $id) (local.get $dimensions))))
        (local.set $end (i32.add (local.get $row) (local.get $dimensions)))
        (local.set $scale
          (f64.promote_f32 (f32.load (i32.add (local.get $scales) (i32.shl (local.get $id) (i32.const 2))))))
        (local.set $other (i32.const 0))
        (local.set $q (local.get $factors))
        (loop $others
          (local.set $sum (v128.const i32x4 0 0 0 0))
          (local.set $at (local.get $row))
          (loop $numbers
            (local.set $bytes (v128.load (local.get $at)))
            (local.set $sum (i32x4.add (local.get $sum)
              (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $q)))))
            (local.set $sum (i32x4.add (local.get $sum)
              (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $q)))))
            (local.set $q (i32.add (local.get $q) (i32.const 32)))
            (br_if $numbers
              (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
          (f32.store (local.get $out)
            (f32.min (local.get $most)
              (f32.demote_f64
                (f64.mul
                  (f64.mul
                    (f64.convert_i32_s
                      (i32.add
                        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
                        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
                    (local.get $scale))
                  (f64.promote_f32
                    (f32.load (i32.add (local.get $factor_scales) (i32.shl (local.get $other) (i32.const 2)))))))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (br_if $others
            (i32.lt_u (local.tee $other (i32.add (local.get $other) (i32.const 1))) (local.get $width))))
        (local.set $ids (i32.add (local.get $ids) (i32.const 4)))
        (br $words)))))
