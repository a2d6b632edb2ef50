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
  ;; Adds $count rows of int8, an even number, each times its int16 weight at $weights, to sums of int32; $rows has the address of each (i32).
  ;; Writes four float32 numbers to $out that add up to the product of the sums with the float32 numbers at $question, and after them four that
  ;; add up to the squares of the sums, each first multiplied by its number at $mask. A step takes 16 numbers of a row: $question and $mask
  ;; have a 0 for those from $dimensions on.
  (func (export "near")
    (param $rows i32) (param $weights i32) (param $count i32) (param $question i32) (param $mask i32) (param $dimensions i32) (param $out i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $weight v128) (local $one v128) (local $other v128)
    (local $pairs v128) (local $product v128) (local $squares v128) (local $k i32) (local $at i32) (local $weight_at i32) (local $end i32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (loop $numbers
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $rows))
      (local.set $weight_at (local.get $weights))
      (loop $words
        ;; The numbers of two rows are put beside each other, and a step multiplies and adds both.
        (local.set $weight (v128.load32_splat (local.get $weight_at)))
        (local.set $one (v128.load (i32.add (local.get $k) (i32.load (local.get $at)))))
        (local.set $other (v128.load (i32.add (local.get $k) (i32.load offset=4 (local.get $at)))))
        (local.set $pairs
          (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $other)))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $pairs)) (local.get $weight))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $pairs)) (local.get $weight))))
        (local.set $pairs
          (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $other)))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $pairs)) (local.get $weight))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $pairs)) (local.get $weight))))
        (local.set $weight_at (i32.add (local.get $weight_at) (i32.const 4)))
        (br_if $words (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end))))
      (local.set $a (f32x4.mul (f32x4.convert_i32x4_s (local.get $a)) (v128.load (local.get $mask))))
      (local.set $product (f32x4.add (local.get $product) (f32x4.mul (local.get $a) (v128.load (local.get $question)))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $a) (local.get $a))))
      (local.set $b (f32x4.mul (f32x4.convert_i32x4_s (local.get $b)) (v128.load offset=16 (local.get $mask))))
      (local.set $product (f32x4.add (local.get $product) (f32x4.mul (local.get $b) (v128.load offset=16 (local.get $question)))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $b) (local.get $b))))
      (local.set $c (f32x4.mul (f32x4.convert_i32x4_s (local.get $c)) (v128.load offset=32 (local.get $mask))))
      (local.set $product (f32x4.add (local.get $product) (f32x4.mul (local.get $c) (v128.load offset=32 (local.get $question)))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $c) (local.get $c))))
      (local.set $d (f32x4.mul (f32x4.convert_i32x4_s (local.get $d)) (v128.load offset=48 (local.get $mask))))
      (local.set $product (f32x4.add (local.get $product) (f32x4.mul (local.get $d) (v128.load offset=48 (local.get $question)))))
      (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $d) (local.get $d))))
      (local.set $question (i32.add (local.get $question) (i32.const 64)))
      (local.set $mask (i32.add (local.get $mask) (i32.const 64)))
      (br_if $numbers
        (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 16))) (local.get $dimensions))))
    (v128.store (local.get $out) (local.get $product))
    (v128.store offset=16 (local.get $out) (local.get $squares)))
  ;; For each of $count words (i32 at $ids), its cosines with $width others go as float32 to $out, $most at most. The rows of int8 at $vectors
  ;; have $dimensions numbers, those of the others are int16 at $factors, $stride numbers (a multiple of 16) each, the last ones 0.
  ;; The factor of each row is a float32 at $scales, or at $factor_scales. A step may read numbers of the next row: times 0.
  ;; Four others are compared at a time, so that their sums are added up and scaled together: there is room for numbers of up to three more
  ;; others after the last ones, and after the last cosine.
  (func (export "cosines")
    (param $ids i32) (param $count i32) (param $vectors i32) (param $scales i32) (param $dimensions i32)
    (param $factors i32) (param $factor_scales i32) (param $width i32) (param $out i32) (param $most f32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $low v128) (local $high v128)
    (local $bytes v128) (local $last i32) (local $row i32) (local $at i32) (local $end i32)
    (local $q i32) (local $q2 i32) (local $q3 i32) (local $q4 i32)
    (local $other i32) (local $scale v128) (local $id i32) (local $stride i32) (local $place i32)
    (local.set $last (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $stride
      (i32.shl (i32.and (i32.add (local.get $dimensions) (i32.const 15)) (i32.const -16)) (i32.const 1)))
    (block $done
      (loop $words
        (br_if $done (i32.ge_u (local.get $ids) (local.get $last)))
        (local.set $id (i32.load (local.get $ids)))
        (local.set $row (i32.add (local.get $vectors) (i32.mul (local.get $id) (local.get $dimensions))))
        (local.set $end (i32.add (local.get $row) (local.get $dimensions)))
        (local.set $scale (f64x2.promote_low_f32x4
          (v128.load32_splat (i32.add (local.get $scales) (i32.shl (local.get $id) (i32.const 2))))))
        (local.set $other (i32.const 0))
        (local.set $q (local.get $factors))
        (local.set $place (local.get $out))
        (loop $others
          (local.set $a (v128.const i32x4 0 0 0 0))
          (local.set $b (v128.const i32x4 0 0 0 0))
          (local.set $c (v128.const i32x4 0 0 0 0))
          (local.set $d (v128.const i32x4 0 0 0 0))
          (local.set $q2 (i32.add (local.get $q) (local.get $stride)))
          (local.set $q3 (i32.add (local.get $q2) (local.get $stride)))
          (local.set $q4 (i32.add (local.get $q3) (local.get $stride)))
          (local.set $at (local.get $row))
          (loop $numbers
            (local.set $bytes (v128.load (local.get $at)))
            (local.set $low (i16x8.extend_low_i8x16_s (local.get $bytes)))
            (local.set $high (i16x8.extend_high_i8x16_s (local.get $bytes)))
            (local.set $a (i32x4.add (local.get $a) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $q)))
              (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $q))))))
            (local.set $b (i32x4.add (local.get $b) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $q2)))
              (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $q2))))))
            (local.set $c (i32x4.add (local.get $c) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $q3)))
              (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $q3))))))
            (local.set $d (i32x4.add (local.get $d) (i32x4.add
              (i32x4.dot_i16x8_s (local.get $low) (v128.load (local.get $q4)))
              (i32x4.dot_i16x8_s (local.get $high) (v128.load offset=16 (local.get $q4))))))
            (local.set $q (i32.add (local.get $q) (i32.const 32)))
            (local.set $q2 (i32.add (local.get $q2) (i32.const 32)))
            (local.set $q3 (i32.add (local.get $q3) (i32.const 32)))
            (local.set $q4 (i32.add (local.get $q4) (i32.const 32)))
            (br_if $numbers
              (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
          ;; The four numbers of each sum are added up: first a0+a2 b0+b2 a1+a3 b1+b3, and the same of c and d.
          (local.set $a (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
          (local.set $c (i32x4.add
            (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
            (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
          (local.set $a (i32x4.add
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
            (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))
          (local.set $b (v128.load (i32.add (local.get $factor_scales) (i32.shl (local.get $other) (i32.const 2)))))
          (local.set $c (f32x4.demote_f64x2_zero (f64x2.mul
            (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $a)) (local.get $scale))
            (f64x2.promote_low_f32x4 (local.get $b)))))
          (local.set $d (f32x4.demote_f64x2_zero (f64x2.mul
            (f64x2.mul
              (f64x2.convert_low_i32x4_s
                (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $a) (local.get $a)))
              (local.get $scale))
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $b) (local.get $b))))))
          (v128.store (local.get $place) (f32x4.min (f32x4.splat (local.get $most))
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $c) (local.get $d))))
          (local.set $place (i32.add (local.get $place) (i32.const 16)))
          (local.set $q (local.get $q4))
          (br_if $others
            (i32.lt_u (local.tee $other (i32.add (local.get $other) (i32.const 4))) (local.get $width))))
        ;; The numbers of the next word replace what the last step wrote after the last other.
        (local.set $out (i32.add (local.get $out) (i32.shl (local.get $width) (i32.const 2))))
        (local.set $ids (i32.add (local.get $ids) (i32.const 4)))
        (br $words)))))
