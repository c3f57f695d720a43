//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// MIX computes a = (a ^ b) - (b rotated left).
#define MIX(a, b, by) \
	VEOR b.B16, a.B16, a.B16; \
	ROTATE(by, b, V3); \
	VSUB V3.S4, a.S4, a.S4

// func lookup3FoursNEON(dst, keys []uint64, start, third uint32)
// Requires: ASIMD
TEXT ·lookup3FoursNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), R0
	MOVD keys_base+24(FP), R1
	MOVD keys_len+32(FP), R3
	MOVWU start+48(FP), R4
	MOVWU third+52(FP), R5
	VDUP R4, V4.S4
	VDUP R5, V5.S4
	LSR $2, R3
	CBZ R3, done

	// V0, V1 and V2 hold a, b and c of four keys
four:
	VLD2.P 32(R1), [V0.S4, V1.S4]
	VADD V4.S4, V0.S4, V0.S4
	VADD V4.S4, V1.S4, V1.S4
	VORR V5.B16, V5.B16, V2.B16
	MIX(V2, V1, 14)
	MIX(V0, V2, 11)
	MIX(V1, V0, 25)
	MIX(V2, V1, 16)
	MIX(V0, V2, 4)
	MIX(V1, V0, 14)
	MIX(V2, V1, 24)
	VST2.P [V1.S4, V2.S4], 32(R0)
	SUBS $1, R3
	BNE four

done:
	RET
