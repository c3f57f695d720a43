//go:build !purego

#include "textflag.h"

// Counters are bit-sliced, as in counts. V16+k holds binary digit k of 128 counters: the lower half
// counts codes with even positions, the upper half those with odd positions. Carry-save adders add
// the codes. The carries above the fourth digit are propagated once per two blocks of 32 codes.

// ADD3 is a carry-save adder: the sum replaces x, the carry replaces a, and c does not change.
#define ADD3(x, a, c) \
	VEOR a.B16, x.B16, x.B16; \
	VBIT x.B16, c.B16, a.B16; \
	VEOR c.B16, x.B16, x.B16

// ADD2 adds only x and c: the sum replaces x, and the carry goes to a separate register.
#define ADD2(x, c, carry) \
	VAND c.B16, x.B16, carry.B16; \
	VEOR c.B16, x.B16, x.B16

// BLOCK adds 32 codes, two in each register, to the digits of weight 1, 2, 4 and 8. It stores the
// carry of weight 16 in the register whose names are F and V. It adds a digit's own register last,
// so that a block waits for only one adder of the previous block.
#define BLOCK(F, V) \
	FLDPQ.P 32(R1), (F0, F1); \
	FLDPQ.P 32(R1), (F2, F3); \
	FLDPQ.P 32(R1), (F4, F5); \
	FLDPQ.P 32(R1), (F6, F7); \
	FLDPQ.P 32(R1), (F8, F9); \
	FLDPQ.P 32(R1), (F10, F11); \
	FLDPQ.P 32(R1), (F12, F); \
	FLDPQ.P 32(R1), (F14, F15); \
	ADD3(V0, V1, V2); \
	ADD3(V3, V4, V5); \
	ADD3(V6, V7, V8); \
	ADD3(V9, V10, V11); \
	ADD3(V12, V, V14); \
	ADD3(V0, V3, V6); \
	ADD3(V9, V12, V15); \
	ADD3(V16, V0, V9); \
	ADD3(V1, V4, V7); \
	ADD3(V10, V, V3); \
	ADD3(V12, V0, V1); \
	ADD3(V17, V10, V12); \
	ADD3(V4, V, V0); \
	ADD3(V18, V4, V10); \
	ADD3(V19, V, V4)

// BOTH_HALVES adds the two halves of digit k and the carry in R4. It stores the sum and leaves the
// new carry in R4.
#define BOTH_HALVES(k, V) \
	VMOV V.D[0], R5; \
	VMOV V.D[1], R6; \
	EOR R5, R6, R7; \
	AND R5, R6, R6; \
	EOR R4, R7, R5; \
	AND R4, R7, R7; \
	ORR R6, R7, R4; \
	MOVD R5, 8*k(R0)

// func countUnitNEON(planes *[64]uint64, codes []uint64)
// Requires: ASIMD
TEXT ·countUnitNEON(SB), NOSPLIT, $264-32
	MOVD planes+0(FP), R0
	MOVD codes_base+8(FP), R1
	MOVD codes_len+16(FP), R3
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	VEOR V20.B16, V20.B16, V20.B16
	VEOR V21.B16, V21.B16, V21.B16
	VEOR V22.B16, V22.B16, V22.B16
	VEOR V23.B16, V23.B16, V23.B16
	VEOR V24.B16, V24.B16, V24.B16
	VEOR V25.B16, V25.B16, V25.B16
	AND $31, R3, R4
	LSR $5, R3

	// two blocks at a time
two:
	SUBS $2, R3
	BLT one
	BLOCK(F13, V13)
	BLOCK(F26, V26)
	ADD3(V20, V13, V26)
	ADD2(V21, V13, V0)
	ADD2(V22, V0, V1)
	ADD2(V23, V1, V2)
	ADD2(V24, V2, V3)
	VEOR V3.B16, V25.B16, V25.B16
	B two

	// the remaining block, if any
one:
	TBZ $0, R3, rest

block:
	BLOCK(F13, V13)
	ADD2(V20, V13, V0)
	ADD2(V21, V0, V1)
	ADD2(V22, V1, V2)
	ADD2(V23, V2, V3)
	ADD2(V24, V3, V4)
	VEOR V4.B16, V25.B16, V25.B16

	// fewer codes than a block, padded with zeros
rest:
	CBZ R4, done
	MOVD $scratch-256(SP), R5
	MOVD R5, R6
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	STP.P (ZR, ZR), 16(R6)
	MOVD R5, R6

copy:
	MOVD.P 8(R1), R7
	MOVD.P R7, 8(R6)
	SUBS $1, R4
	BNE copy
	MOVD R5, R1
	B block

done:
	BOTH_HALVES(0, V16)
	BOTH_HALVES(1, V17)
	BOTH_HALVES(2, V18)
	BOTH_HALVES(3, V19)
	BOTH_HALVES(4, V20)
	BOTH_HALVES(5, V21)
	BOTH_HALVES(6, V22)
	BOTH_HALVES(7, V23)
	BOTH_HALVES(8, V24)
	BOTH_HALVES(9, V25)
	MOVD R4, 80(R0)
	RET
