;; Adds rows of the built-in table, in the memory where they lie. Compiled by scripts/build_simd.ts.
(module
  (import "env" "own" (memory $own 1))
  (import "env" "memory" (memory $table 1 65536 shared))
  ;; Adds $count rows of int8 to the float32 numbers at $sums, in their order and rounded after each: $rows has the address of each in
  ;; $table (i32), $weights its float32 weight. A step takes 16 numbers of a row, so $sums has room for a multiple of 16; those from
  ;; $dimensions on have no meaning.
  (func (export "sum")
    (param $rows i32) (param $weights i32) (param $count i32) (param $sums i32) (param $dimensions i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local $weight v128) (local $bytes v128) (local $half v128) (local $four v128)
    (local $k i32) (local $i i32) (local $out i32)
    (if (i32.eqz (local.get $count)) (then (return)))
    (loop $numbers
      (local.set $out (i32.add (local.get $sums) (i32.shl (local.get $k) (i32.const 2))))
      (local.set $a (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $out))))
      (local.set $b (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 (local.get $out))))
      (local.set $c (f64x2.promote_low_f32x4 (v128.load64_zero offset=16 (local.get $out))))
      (local.set $d (f64x2.promote_low_f32x4 (v128.load64_zero offset=24 (local.get $out))))
      (local.set $e (f64x2.promote_low_f32x4 (v128.load64_zero offset=32 (local.get $out))))
      (local.set $f (f64x2.promote_low_f32x4 (v128.load64_zero offset=40 (local.get $out))))
      (local.set $g (f64x2.promote_low_f32x4 (v128.load64_zero offset=48 (local.get $out))))
      (local.set $h (f64x2.promote_low_f32x4 (v128.load64_zero offset=56 (local.get $out))))
      (local.set $i (i32.const 0))
      (loop $words
        (local.set $weight
          (f64x2.promote_low_f32x4 (v128.load32_splat (i32.add (local.get $weights) (i32.shl (local.get $i) (i32.const 2))))))
        (local.set $bytes (v128.load $table (i32.add (local.get $k)
          (i32.load (i32.add (local.get $rows) (i32.shl (local.get $i) (i32.const 2)))))))
        (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
        (local.set $four (i32x4.extend_low_i16x8_s (local.get $half)))
        (local.set $a (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $a)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s (local.get $four)))))))
        (local.set $b (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $b)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))))
        (local.set $four (i32x4.extend_high_i16x8_s (local.get $half)))
        (local.set $c (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $c)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s (local.get $four)))))))
        (local.set $d (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $d)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))))
        (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
        (local.set $four (i32x4.extend_low_i16x8_s (local.get $half)))
        (local.set $e (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $e)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s (local.get $four)))))))
        (local.set $f (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $f)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))))
        (local.set $four (i32x4.extend_high_i16x8_s (local.get $half)))
        (local.set $g (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $g)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s (local.get $four)))))))
        (local.set $h (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (f64x2.add (local.get $h)
          (f64x2.mul (local.get $weight) (f64x2.convert_low_i32x4_s
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))))))
        (br_if $words (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $count))))
      (v128.store64_lane 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $a)))
      (v128.store64_lane offset=8 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $b)))
      (v128.store64_lane offset=16 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $c)))
      (v128.store64_lane offset=24 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $d)))
      (v128.store64_lane offset=32 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $e)))
      (v128.store64_lane offset=40 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $f)))
      (v128.store64_lane offset=48 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $g)))
      (v128.store64_lane offset=56 0 (local.get $out) (f32x4.demote_f64x2_zero (local.get $h)))
      (br_if $numbers
        (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $dimensions))))))
