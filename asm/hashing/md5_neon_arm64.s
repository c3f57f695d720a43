//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The kernel hashes sixteen keys at a time, in four groups of four: one group computes while the
// others wait. V0 to V3 hold a to d of the first group, V4 to V7 those of the second, V8 to V11
// those of the third, and V12 to V15 those of the fourth. V16, V18, V20 and V22 hold word 0 of the
// groups' keys, and V17, V19, V21 and V23 word 1. V24 holds the number that a step adds, V27 holds
// ones, and V28 to V31 hold the initial values of a to d.

// The functions of the rounds store their results in V25.
#define CHOOSE(b, c, d) \
	VORR b.B16, b.B16, V25.B16; \
	VBSL d.B16, c.B16, V25.B16

#define CHOOSE_BY_LAST(b, c, d) \
	VORR d.B16, d.B16, V25.B16; \
	VBSL c.B16, b.B16, V25.B16

#define PARITY(b, c, d) \
	VEOR c.B16, d.B16, V25.B16; \
	VEOR b.B16, V25.B16, V25.B16

#define OTHERWISE(b, c, d) \
	VORR d.B16, d.B16, V25.B16; \
	VBSL V27.B16, b.B16, V25.B16; \
	VEOR c.B16, V25.B16, V25.B16

// STEP computes a = b + (a + function(b, c, d) + number, rotated left) for one group.
#define STEP(function, a, b, c, d, by) \
	VADD V24.S4, a.S4, a.S4; \
	function(b, c, d); \
	VADD V25.S4, a.S4, a.S4; \
	ROTATE(by, a, V26); \
	VADD b.S4, V26.S4, a.S4

// STEP_A to STEP_D compute a step of all groups. They are named after the variable that they
// replace.
#define STEP_A(function, by) \
	VLD1R.P 4(R5), [V24.S4]; \
	STEP(function, V0, V1, V2, V3, by); \
	STEP(function, V4, V5, V6, V7, by); \
	STEP(function, V8, V9, V10, V11, by); \
	STEP(function, V12, V13, V14, V15, by)

#define STEP_D(function, by) \
	VLD1R.P 4(R5), [V24.S4]; \
	STEP(function, V3, V0, V1, V2, by); \
	STEP(function, V7, V4, V5, V6, by); \
	STEP(function, V11, V8, V9, V10, by); \
	STEP(function, V15, V12, V13, V14, by)

#define STEP_C(function, by) \
	VLD1R.P 4(R5), [V24.S4]; \
	STEP(function, V2, V3, V0, V1, by); \
	STEP(function, V6, V7, V4, V5, by); \
	STEP(function, V10, V11, V8, V9, by); \
	STEP(function, V14, V15, V12, V13, by)

#define STEP_B(function, by) \
	VLD1R.P 4(R5), [V24.S4]; \
	STEP(function, V1, V2, V3, V0, by); \
	STEP(function, V5, V6, V7, V4, by); \
	STEP(function, V9, V10, V11, V8, by); \
	STEP(function, V13, V14, V15, V12, by)

// WORD_0 and WORD_1 add words of the keys to the variables that the next step replaces.
#define WORD_0(first, second, third, fourth) \
	VADD V16.S4, first.S4, first.S4; \
	VADD V18.S4, second.S4, second.S4; \
	VADD V20.S4, third.S4, third.S4; \
	VADD V22.S4, fourth.S4, fourth.S4

#define WORD_1(first, second, third, fourth) \
	VADD V17.S4, first.S4, first.S4; \
	VADD V19.S4, second.S4, second.S4; \
	VADD V21.S4, third.S4, third.S4; \
	VADD V23.S4, fourth.S4, fourth.S4

#define BEGIN(a, b, c, d) \
	VORR V28.B16, V28.B16, a.B16; \
	VORR V29.B16, V29.B16, b.B16; \
	VORR V30.B16, V30.B16, c.B16; \
	VORR V31.B16, V31.B16, d.B16

// END stores a digest's word 0 at (R0) and its word 1 at (R2).
#define END(a, b, c, d) \
	VADD V28.S4, a.S4, a.S4; \
	VADD V29.S4, b.S4, b.S4; \
	VADD V30.S4, c.S4, c.S4; \
	VADD V31.S4, d.S4, d.S4; \
	VST2.P [a.S4, b.S4], 32(R0); \
	VST2.P [c.S4, d.S4], 32(R2)

// func md5SixteensNEON(dst, keys []uint64, stride int, numbers *[64]uint32)
// Requires: ASIMD
TEXT ·md5SixteensNEON(SB), NOSPLIT, $0-64
	MOVD dst_base+0(FP), R0
	MOVD keys_base+24(FP), R1
	MOVD keys_len+32(FP), R3
	MOVD stride+48(FP), R2
	MOVD numbers+56(FP), R4
	ADD R2<<3, R0, R2
	MOVD $0x67452301, R5
	VDUP R5, V28.S4
	MOVD $0xEFCDAB89, R5
	VDUP R5, V29.S4
	MOVD $0x98BADCFE, R5
	VDUP R5, V30.S4
	MOVD $0x10325476, R5
	VDUP R5, V31.S4
	VMOVI $255, V27.B16
	LSR $4, R3
	CBZ R3, done

sixteen:
	MOVD R4, R5
	VLD2.P 32(R1), [V16.S4, V17.S4]
	VLD2.P 32(R1), [V18.S4, V19.S4]
	VLD2.P 32(R1), [V20.S4, V21.S4]
	VLD2.P 32(R1), [V22.S4, V23.S4]
	BEGIN(V0, V1, V2, V3)
	BEGIN(V4, V5, V6, V7)
	BEGIN(V8, V9, V10, V11)
	BEGIN(V12, V13, V14, V15)

	// Round 1: c or d, by b.
	WORD_0(V0, V4, V8, V12)
	STEP_A(CHOOSE, 7)
	WORD_1(V3, V7, V11, V15)
	STEP_D(CHOOSE, 12)
	STEP_C(CHOOSE, 17)
	STEP_B(CHOOSE, 22)
	STEP_A(CHOOSE, 7)
	STEP_D(CHOOSE, 12)
	STEP_C(CHOOSE, 17)
	STEP_B(CHOOSE, 22)
	STEP_A(CHOOSE, 7)
	STEP_D(CHOOSE, 12)
	STEP_C(CHOOSE, 17)
	STEP_B(CHOOSE, 22)
	STEP_A(CHOOSE, 7)
	STEP_D(CHOOSE, 12)
	STEP_C(CHOOSE, 17)
	STEP_B(CHOOSE, 22)

	// Round 2: b or c, by d.
	WORD_1(V0, V4, V8, V12)
	STEP_A(CHOOSE_BY_LAST, 5)
	STEP_D(CHOOSE_BY_LAST, 9)
	STEP_C(CHOOSE_BY_LAST, 14)
	WORD_0(V1, V5, V9, V13)
	STEP_B(CHOOSE_BY_LAST, 20)
	STEP_A(CHOOSE_BY_LAST, 5)
	STEP_D(CHOOSE_BY_LAST, 9)
	STEP_C(CHOOSE_BY_LAST, 14)
	STEP_B(CHOOSE_BY_LAST, 20)
	STEP_A(CHOOSE_BY_LAST, 5)
	STEP_D(CHOOSE_BY_LAST, 9)
	STEP_C(CHOOSE_BY_LAST, 14)
	STEP_B(CHOOSE_BY_LAST, 20)
	STEP_A(CHOOSE_BY_LAST, 5)
	STEP_D(CHOOSE_BY_LAST, 9)
	STEP_C(CHOOSE_BY_LAST, 14)
	STEP_B(CHOOSE_BY_LAST, 20)

	// Round 3: parity.
	STEP_A(PARITY, 4)
	STEP_D(PARITY, 11)
	STEP_C(PARITY, 16)
	STEP_B(PARITY, 23)
	WORD_1(V0, V4, V8, V12)
	STEP_A(PARITY, 4)
	STEP_D(PARITY, 11)
	STEP_C(PARITY, 16)
	STEP_B(PARITY, 23)
	STEP_A(PARITY, 4)
	WORD_0(V3, V7, V11, V15)
	STEP_D(PARITY, 11)
	STEP_C(PARITY, 16)
	STEP_B(PARITY, 23)
	STEP_A(PARITY, 4)
	STEP_D(PARITY, 11)
	STEP_C(PARITY, 16)
	STEP_B(PARITY, 23)

	// Round 4: c ^ (b | not d).
	WORD_0(V0, V4, V8, V12)
	STEP_A(OTHERWISE, 6)
	STEP_D(OTHERWISE, 10)
	STEP_C(OTHERWISE, 15)
	STEP_B(OTHERWISE, 21)
	STEP_A(OTHERWISE, 6)
	STEP_D(OTHERWISE, 10)
	STEP_C(OTHERWISE, 15)
	WORD_1(V1, V5, V9, V13)
	STEP_B(OTHERWISE, 21)
	STEP_A(OTHERWISE, 6)
	STEP_D(OTHERWISE, 10)
	STEP_C(OTHERWISE, 15)
	STEP_B(OTHERWISE, 21)
	STEP_A(OTHERWISE, 6)
	STEP_D(OTHERWISE, 10)
	STEP_C(OTHERWISE, 15)
	STEP_B(OTHERWISE, 21)

	END(V0, V1, V2, V3)
	END(V4, V5, V6, V7)
	END(V8, V9, V10, V11)
	END(V12, V13, V14, V15)
	SUBS $1, R3
	BNE sixteen

done:
	RET
