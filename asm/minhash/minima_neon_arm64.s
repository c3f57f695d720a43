//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// SCANNED makes the smallest products those of a scan. V31 has the highest bit of each word.
#define SCANNED(least) \
	VUSHR $1, least.S4, least.S4; \
	VORR V31.B16, least.B16, least.B16

// func scanNEON(minima []uint32, multipliers []uint32, keys []uint64)
// Requires: ASIMD
TEXT ·scanNEON(SB), NOSPLIT, $0-72
	MOVD minima_base+0(FP), R0
	MOVD minima_len+8(FP), R1
	MOVD multipliers_base+24(FP), R2
	MOVD keys_base+48(FP), R3
	MOVD keys_len+56(FP), R4
	ADD R4<<3, R3, R4
	MOVD $0x80000000, R5
	VDUP R5, V31.S4

	// pass over all keys with 16 lanes at a time
lanes:
	VLD1.P 64(R2), [V0.S4, V1.S4, V2.S4, V3.S4]
	VMOVI $0xFF, V16.B16
	VMOVI $0xFF, V17.B16
	VMOVI $0xFF, V18.B16
	VMOVI $0xFF, V19.B16
	MOVD R3, R6

key:
	VLD1R (R6), [V24.S4]
	ADD $8, R6
	MUL_S4(24, 0, 25)
	MUL_S4(24, 1, 26)
	MUL_S4(24, 2, 27)
	MUL_S4(24, 3, 28)
	VUMIN V25.S4, V16.S4, V16.S4
	VUMIN V26.S4, V17.S4, V17.S4
	VUMIN V27.S4, V18.S4, V18.S4
	VUMIN V28.S4, V19.S4, V19.S4
	CMP R4, R6
	BNE key

	SCANNED(V16)
	SCANNED(V17)
	SCANNED(V18)
	SCANNED(V19)
	VST1.P [V16.S4, V17.S4, V18.S4, V19.S4], 64(R0)
	SUBS $16, R1
	BNE lanes
	RET

// SIXTEEN computes the highest bit of (m ^ m>>15)*K for each of the sixteen minima m at R0, where
// V28 is K. If that bit is 1, it sets one bit in the minimum's byte of bits.
#define SIXTEEN(bits) \
	VLD1.P 64(R0), [V0.S4, V1.S4, V2.S4, V3.S4]; \
	VUSHR $15, V0.S4, V4.S4; \
	VUSHR $15, V1.S4, V5.S4; \
	VUSHR $15, V2.S4, V6.S4; \
	VUSHR $15, V3.S4, V7.S4; \
	VEOR V4.B16, V0.B16, V0.B16; \
	VEOR V5.B16, V1.B16, V1.B16; \
	VEOR V6.B16, V2.B16, V2.B16; \
	VEOR V7.B16, V3.B16, V3.B16; \
	MUL_S4(28, 0, 0); \
	MUL_S4(28, 1, 1); \
	MUL_S4(28, 2, 2); \
	MUL_S4(28, 3, 3); \
	VUZP2 V1.H8, V0.H8, V0.H8; \
	VUZP2 V3.H8, V2.H8, V2.H8; \
	VUZP2 V2.B16, V0.B16, V0.B16; \
	VCMTST V29.B16, V0.B16, V0.B16; \
	VAND V30.B16, V0.B16, bits.B16

// func bitsNEON(minima *[64]uint32) (bits uint64)
// Requires: ASIMD
TEXT ·bitsNEON(SB), NOSPLIT, $0-16
	MOVD minima+0(FP), R0
	MOVD $0x9E3779B1, R1
	VDUP R1, V28.S4
	VMOVI $0x80, V29.B16
	MOVD $0x8040201008040201, R1 // a different bit in each of eight bytes
	VDUP R1, V30.D2
	SIXTEEN(V16)
	SIXTEEN(V17)
	SIXTEEN(V18)
	SIXTEEN(V19)
	VADDP V17.B16, V16.B16, V16.B16
	VADDP V19.B16, V18.B16, V18.B16
	VADDP V18.B16, V16.B16, V16.B16
	VADDP V16.B16, V16.B16, V16.B16
	VMOV V16.D[0], R1
	MOVD R1, bits+8(FP)
	RET
