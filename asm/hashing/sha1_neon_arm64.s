//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The kernel hashes eight keys at a time, in two groups of four: one group computes while the other
// waits. V0 to V5 and V6 to V11 hold a to e of the groups, and x, which receives the rotated b. The
// six registers exchange their roles in each step, and have their original roles again after six
// steps. V28 to V31 hold the numbers that the steps add. V12 to V15 and V19 hold the initial values
// of a to e. The last 16 words of the message are at (R6), with 32 bytes per word for both groups.

// The functions of the steps store their results in V16.
#define CHOOSE(b, c, d) \
	VORR b.B16, b.B16, V16.B16; \
	VBSL d.B16, c.B16, V16.B16

#define PARITY(b, c, d) \
	VEOR c.B16, d.B16, V16.B16; \
	VEOR b.B16, V16.B16, V16.B16

#define MAJORITY(b, c, d) \
	VEOR b.B16, c.B16, V16.B16; \
	VBSL b.B16, d.B16, V16.B16

// STEP computes a step of one group. Afterwards, e holds the next a, and x the next c.
#define STEP(function, number, a, b, c, d, e, x, word) \
	VADD number.S4, e.S4, e.S4; \
	VADD word.S4, e.S4, e.S4; \
	function(b, c, d); \
	VADD V16.S4, e.S4, e.S4; \
	ROTATE(5, a, V17); \
	ROTATE(30, b, x); \
	VADD V17.S4, e.S4, e.S4

// STEP_0 to STEP_5 compute a step of both groups, with the roles of step 0 to 5 modulo 6.
#define STEP_0(function, number) \
	STEP(function, number, V0, V1, V2, V3, V4, V5, V22); \
	STEP(function, number, V6, V7, V8, V9, V10, V11, V23)

#define STEP_1(function, number) \
	STEP(function, number, V4, V0, V5, V2, V3, V1, V22); \
	STEP(function, number, V10, V6, V11, V8, V9, V7, V23)

#define STEP_2(function, number) \
	STEP(function, number, V3, V4, V1, V5, V2, V0, V22); \
	STEP(function, number, V9, V10, V7, V11, V8, V6, V23)

#define STEP_3(function, number) \
	STEP(function, number, V2, V3, V0, V1, V5, V4, V22); \
	STEP(function, number, V8, V9, V6, V7, V11, V10, V23)

#define STEP_4(function, number) \
	STEP(function, number, V5, V2, V4, V0, V1, V3, V22); \
	STEP(function, number, V11, V8, V10, V6, V7, V9, V23)

#define STEP_5(function, number) \
	STEP(function, number, V1, V5, V3, V4, V0, V2, V22); \
	STEP(function, number, V7, V11, V9, V10, V6, V8, V23)

// FIRST_WORD loads word t of the message into V22 and V23. NEXT_WORD computes the next word from
// the words 16, 3, 8 and 14 positions before it. It stores the result there and in place of the
// first of these words.
#define FIRST_WORD(t) FLDPQ 32*t(R6), (F22, F23)

#define NEXT_WORD(t, third, eighth, fourteenth) \
	FLDPQ 32*t(R6), (F20, F21); \
	FLDPQ 32*third(R6), (F22, F23); \
	FLDPQ 32*eighth(R6), (F24, F25); \
	FLDPQ 32*fourteenth(R6), (F26, F27); \
	VEOR V24.B16, V20.B16, V20.B16; \
	VEOR V25.B16, V21.B16, V21.B16; \
	VEOR V26.B16, V20.B16, V20.B16; \
	VEOR V27.B16, V21.B16, V21.B16; \
	VEOR V22.B16, V20.B16, V20.B16; \
	VEOR V23.B16, V21.B16, V21.B16; \
	ROTATE(1, V20, V22); \
	ROTATE(1, V21, V23); \
	FSTPQ (F22, F23), 32*t(R6)

#define BEGIN(a, b, c, d, e) \
	VORR V12.B16, V12.B16, a.B16; \
	VORR V13.B16, V13.B16, b.B16; \
	VORR V14.B16, V14.B16, c.B16; \
	VORR V15.B16, V15.B16, d.B16; \
	VORR V19.B16, V19.B16, e.B16

// END stores the words of four digests, whose bytes are big-endian, at (R0), (R2) and (R4).
#define END(a, b, c, d, e) \
	VADD V12.S4, a.S4, V20.S4; \
	VADD V13.S4, b.S4, V21.S4; \
	VADD V14.S4, c.S4, V22.S4; \
	VADD V15.S4, d.S4, V23.S4; \
	VADD V19.S4, e.S4, V24.S4; \
	VEOR V25.B16, V25.B16, V25.B16; \
	VREV32 V20.B16, V20.B16; \
	VREV32 V21.B16, V21.B16; \
	VREV32 V22.B16, V22.B16; \
	VREV32 V23.B16, V23.B16; \
	VREV32 V24.B16, V24.B16; \
	VST2.P [V20.S4, V21.S4], 32(R0); \
	VST2.P [V22.S4, V23.S4], 32(R2); \
	VST2.P [V24.S4, V25.S4], 32(R4)

// func sha1EightsNEON(dst, keys []uint64, stride int, word2, word15 uint32, words *[64]uint64)
// Requires: ASIMD
TEXT ·sha1EightsNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), R0
	MOVD keys_base+24(FP), R1
	MOVD keys_len+32(FP), R3
	MOVD stride+48(FP), R4
	MOVWU word2+56(FP), R7
	MOVWU word15+60(FP), R8
	MOVD words+64(FP), R6
	ADD R4<<3, R0, R2
	ADD R4<<3, R2, R4
	MOVD $0x67452301, R5
	VDUP R5, V12.S4
	MOVD $0xEFCDAB89, R5
	VDUP R5, V13.S4
	MOVD $0x98BADCFE, R5
	VDUP R5, V14.S4
	MOVD $0x10325476, R5
	VDUP R5, V15.S4
	MOVD $0xC3D2E1F0, R5
	VDUP R5, V19.S4
	MOVD $0x5A827999, R5
	VDUP R5, V28.S4
	MOVD $0x6ED9EBA1, R5
	VDUP R5, V29.S4
	MOVD $0x8F1BBCDC, R5
	VDUP R5, V30.S4
	MOVD $0xCA62C1D6, R5
	VDUP R5, V31.S4
	LSR $3, R3
	CBZ R3, done

	// words 0 and 1 of the message are the key
eight:
	VLD2.P 32(R1), [V20.S4, V21.S4]
	VLD2.P 32(R1), [V22.S4, V23.S4]
	VREV32 V20.B16, V20.B16
	VREV32 V21.B16, V21.B16
	VREV32 V22.B16, V22.B16
	VREV32 V23.B16, V23.B16
	FSTPQ (F20, F22), 0(R6)
	FSTPQ (F21, F23), 32(R6)
	VDUP R7, V20.S4
	FSTPQ (F20, F20), 64(R6)
	VEOR V20.B16, V20.B16, V20.B16
	FSTPQ (F20, F20), 96(R6)
	FSTPQ (F20, F20), 128(R6)
	FSTPQ (F20, F20), 160(R6)
	FSTPQ (F20, F20), 192(R6)
	FSTPQ (F20, F20), 224(R6)
	FSTPQ (F20, F20), 256(R6)
	FSTPQ (F20, F20), 288(R6)
	FSTPQ (F20, F20), 320(R6)
	FSTPQ (F20, F20), 352(R6)
	FSTPQ (F20, F20), 384(R6)
	FSTPQ (F20, F20), 416(R6)
	FSTPQ (F20, F20), 448(R6)
	VDUP R8, V20.S4
	FSTPQ (F20, F20), 480(R6)
	BEGIN(V0, V1, V2, V3, V4)
	BEGIN(V6, V7, V8, V9, V10)

	// Steps 0 to 19: c or d, by b.
	FIRST_WORD(0)
	STEP_0(CHOOSE, V28)
	FIRST_WORD(1)
	STEP_1(CHOOSE, V28)
	FIRST_WORD(2)
	STEP_2(CHOOSE, V28)
	FIRST_WORD(3)
	STEP_3(CHOOSE, V28)
	FIRST_WORD(4)
	STEP_4(CHOOSE, V28)
	FIRST_WORD(5)
	STEP_5(CHOOSE, V28)
	FIRST_WORD(6)
	STEP_0(CHOOSE, V28)
	FIRST_WORD(7)
	STEP_1(CHOOSE, V28)
	FIRST_WORD(8)
	STEP_2(CHOOSE, V28)
	FIRST_WORD(9)
	STEP_3(CHOOSE, V28)
	FIRST_WORD(10)
	STEP_4(CHOOSE, V28)
	FIRST_WORD(11)
	STEP_5(CHOOSE, V28)
	FIRST_WORD(12)
	STEP_0(CHOOSE, V28)
	FIRST_WORD(13)
	STEP_1(CHOOSE, V28)
	FIRST_WORD(14)
	STEP_2(CHOOSE, V28)
	FIRST_WORD(15)
	STEP_3(CHOOSE, V28)
	NEXT_WORD(0, 13, 8, 2)
	STEP_4(CHOOSE, V28)
	NEXT_WORD(1, 14, 9, 3)
	STEP_5(CHOOSE, V28)
	NEXT_WORD(2, 15, 10, 4)
	STEP_0(CHOOSE, V28)
	NEXT_WORD(3, 0, 11, 5)
	STEP_1(CHOOSE, V28)

	// Steps 20 to 39: parity.
	NEXT_WORD(4, 1, 12, 6)
	STEP_2(PARITY, V29)
	NEXT_WORD(5, 2, 13, 7)
	STEP_3(PARITY, V29)
	NEXT_WORD(6, 3, 14, 8)
	STEP_4(PARITY, V29)
	NEXT_WORD(7, 4, 15, 9)
	STEP_5(PARITY, V29)
	NEXT_WORD(8, 5, 0, 10)
	STEP_0(PARITY, V29)
	NEXT_WORD(9, 6, 1, 11)
	STEP_1(PARITY, V29)
	NEXT_WORD(10, 7, 2, 12)
	STEP_2(PARITY, V29)
	NEXT_WORD(11, 8, 3, 13)
	STEP_3(PARITY, V29)
	NEXT_WORD(12, 9, 4, 14)
	STEP_4(PARITY, V29)
	NEXT_WORD(13, 10, 5, 15)
	STEP_5(PARITY, V29)
	NEXT_WORD(14, 11, 6, 0)
	STEP_0(PARITY, V29)
	NEXT_WORD(15, 12, 7, 1)
	STEP_1(PARITY, V29)
	NEXT_WORD(0, 13, 8, 2)
	STEP_2(PARITY, V29)
	NEXT_WORD(1, 14, 9, 3)
	STEP_3(PARITY, V29)
	NEXT_WORD(2, 15, 10, 4)
	STEP_4(PARITY, V29)
	NEXT_WORD(3, 0, 11, 5)
	STEP_5(PARITY, V29)
	NEXT_WORD(4, 1, 12, 6)
	STEP_0(PARITY, V29)
	NEXT_WORD(5, 2, 13, 7)
	STEP_1(PARITY, V29)
	NEXT_WORD(6, 3, 14, 8)
	STEP_2(PARITY, V29)
	NEXT_WORD(7, 4, 15, 9)
	STEP_3(PARITY, V29)

	// Steps 40 to 59: majority.
	NEXT_WORD(8, 5, 0, 10)
	STEP_4(MAJORITY, V30)
	NEXT_WORD(9, 6, 1, 11)
	STEP_5(MAJORITY, V30)
	NEXT_WORD(10, 7, 2, 12)
	STEP_0(MAJORITY, V30)
	NEXT_WORD(11, 8, 3, 13)
	STEP_1(MAJORITY, V30)
	NEXT_WORD(12, 9, 4, 14)
	STEP_2(MAJORITY, V30)
	NEXT_WORD(13, 10, 5, 15)
	STEP_3(MAJORITY, V30)
	NEXT_WORD(14, 11, 6, 0)
	STEP_4(MAJORITY, V30)
	NEXT_WORD(15, 12, 7, 1)
	STEP_5(MAJORITY, V30)
	NEXT_WORD(0, 13, 8, 2)
	STEP_0(MAJORITY, V30)
	NEXT_WORD(1, 14, 9, 3)
	STEP_1(MAJORITY, V30)
	NEXT_WORD(2, 15, 10, 4)
	STEP_2(MAJORITY, V30)
	NEXT_WORD(3, 0, 11, 5)
	STEP_3(MAJORITY, V30)
	NEXT_WORD(4, 1, 12, 6)
	STEP_4(MAJORITY, V30)
	NEXT_WORD(5, 2, 13, 7)
	STEP_5(MAJORITY, V30)
	NEXT_WORD(6, 3, 14, 8)
	STEP_0(MAJORITY, V30)
	NEXT_WORD(7, 4, 15, 9)
	STEP_1(MAJORITY, V30)
	NEXT_WORD(8, 5, 0, 10)
	STEP_2(MAJORITY, V30)
	NEXT_WORD(9, 6, 1, 11)
	STEP_3(MAJORITY, V30)
	NEXT_WORD(10, 7, 2, 12)
	STEP_4(MAJORITY, V30)
	NEXT_WORD(11, 8, 3, 13)
	STEP_5(MAJORITY, V30)

	// Steps 60 to 79: parity.
	NEXT_WORD(12, 9, 4, 14)
	STEP_0(PARITY, V31)
	NEXT_WORD(13, 10, 5, 15)
	STEP_1(PARITY, V31)
	NEXT_WORD(14, 11, 6, 0)
	STEP_2(PARITY, V31)
	NEXT_WORD(15, 12, 7, 1)
	STEP_3(PARITY, V31)
	NEXT_WORD(0, 13, 8, 2)
	STEP_4(PARITY, V31)
	NEXT_WORD(1, 14, 9, 3)
	STEP_5(PARITY, V31)
	NEXT_WORD(2, 15, 10, 4)
	STEP_0(PARITY, V31)
	NEXT_WORD(3, 0, 11, 5)
	STEP_1(PARITY, V31)
	NEXT_WORD(4, 1, 12, 6)
	STEP_2(PARITY, V31)
	NEXT_WORD(5, 2, 13, 7)
	STEP_3(PARITY, V31)
	NEXT_WORD(6, 3, 14, 8)
	STEP_4(PARITY, V31)
	NEXT_WORD(7, 4, 15, 9)
	STEP_5(PARITY, V31)
	NEXT_WORD(8, 5, 0, 10)
	STEP_0(PARITY, V31)
	NEXT_WORD(9, 6, 1, 11)
	STEP_1(PARITY, V31)
	NEXT_WORD(10, 7, 2, 12)
	STEP_2(PARITY, V31)
	NEXT_WORD(11, 8, 3, 13)
	STEP_3(PARITY, V31)
	NEXT_WORD(12, 9, 4, 14)
	STEP_4(PARITY, V31)
	NEXT_WORD(13, 10, 5, 15)
	STEP_5(PARITY, V31)
	NEXT_WORD(14, 11, 6, 0)
	STEP_0(PARITY, V31)
	NEXT_WORD(15, 12, 7, 1)
	STEP_1(PARITY, V31)

	END(V3, V4, V1, V5, V2)
	END(V9, V10, V7, V11, V8)
	SUBS $1, R3
	BNE eight

done:
	RET
