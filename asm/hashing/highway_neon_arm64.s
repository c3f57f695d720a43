//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The kernel hashes two keys at a time: one computes while the other waits. For the first key, V0
// and V1 hold v0, V2 and V3 hold v1, V4 and V5 hold mul0, and V6 and V7 hold mul1. The first
// register of each pair has lanes 0 and 1, the second lanes 2 and 3. V8 to V15 hold the same for
// the second key. V31 is the order of bytes for MERGE.

// MULTIPLY multiplies the lower halves of the lanes of a and b by the upper halves of the lanes of
// c and d, and XORs the products to e and f.
#define MULTIPLY(a, b, c, d, e, f) \
	VUZP1 b.S4, a.S4, V16.S4; \
	VUZP2 d.S4, c.S4, V17.S4; \
	UMULL_D2(17, 16, 18); \
	UMULL2_D2(17, 16, 19); \
	VEOR V18.B16, e.B16, e.B16; \
	VEOR V19.B16, f.B16, f.B16

// MERGE shuffles the bytes of a and b and adds the results to c and d.
#define MERGE(a, b, c, d) \
	VTBL V31.B16, [a.B16], V16.B16; \
	VTBL V31.B16, [b.B16], V17.B16; \
	VADD V16.D2, c.D2, c.D2; \
	VADD V17.D2, d.D2, d.D2

// UPDATE computes a round. Its packet has already been added to v1.
#define UPDATE(v0a, v0b, v1a, v1b, mul0a, mul0b, mul1a, mul1b) \
	VADD mul0a.D2, v1a.D2, v1a.D2; \
	VADD mul0b.D2, v1b.D2, v1b.D2; \
	MULTIPLY(v1a, v1b, v0a, v0b, mul0a, mul0b); \
	VADD mul1a.D2, v0a.D2, v0a.D2; \
	VADD mul1b.D2, v0b.D2, v0b.D2; \
	MULTIPLY(v0a, v0b, v1a, v1b, mul1a, mul1b); \
	MERGE(v1a, v1b, v0a, v0b); \
	MERGE(v0a, v0b, v1a, v1b)

// PERMUTE adds to v1 the packet of a round without input: v0 with its two pairs of lanes exchanged,
// and with the halves of each lane exchanged.
#define PERMUTE(v0a, v0b, v1a, v1b) \
	VREV64 v0b.S4, V16.S4; \
	VREV64 v0a.S4, V17.S4; \
	VADD V16.D2, v1a.D2, v1a.D2; \
	VADD V17.D2, v1b.D2, v1b.D2

// func highwayNEON(ends *[2]highwayState, keys *[2]uint64, start *highwayState, rounds int)
// Requires: ASIMD
TEXT ·highwayNEON(SB), NOSPLIT, $0-32
	MOVD ends+0(FP), R0
	MOVD keys+8(FP), R1
	MOVD start+16(FP), R2
	MOVD rounds+24(FP), R3
	MOVD $0x000F010E05020C03, R4
	MOVD $0x070806090D0A040B, R5
	VMOV R4, V31.D[0]
	VMOV R5, V31.D[1]
	ADD $64, R2, R6
	VLD1 (R2), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1 (R6), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1 (R2), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1 (R6), [V12.D2, V13.D2, V14.D2, V15.D2]

	// each key is lane 0 of its packet; the other lanes are 0
	FMOVD 0(R1), F16
	FMOVD 8(R1), F17
	VADD V16.D2, V2.D2, V2.D2
	VADD V17.D2, V10.D2, V10.D2

round:
	UPDATE(V0, V1, V2, V3, V4, V5, V6, V7)
	UPDATE(V8, V9, V10, V11, V12, V13, V14, V15)
	CBZ R3, last
	PERMUTE(V0, V1, V2, V3)
	PERMUTE(V8, V9, V10, V11)
	SUB $1, R3
	B round

last:
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(R0)
	VST1.P [V8.D2, V9.D2, V10.D2, V11.D2], 64(R0)
	VST1.P [V12.D2, V13.D2, V14.D2, V15.D2], 64(R0)
	RET
