//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The signs that turn w0 w0 w2 w2 into -w0 w0 -w2 w2.
DATA negateF32<>+0(SB)/8, $0x0000000080000000
DATA negateF32<>+8(SB)/8, $0x0000000080000000
GLOBL negateF32<>(SB), RODATA|NOPTR, $16

// For each group of four features, the kernel computes all sixteen signed sums, then looks up one
// sum per lane and adds it. The 64 lanes stay in V16 to V31.

// func addF32NEON(lanes *[64]float32, codes []uint64, weights []float32)
// Requires: ASIMD
TEXT ·addF32NEON(SB), NOSPLIT, $184-56
	MOVD lanes+0(FP), R0
	MOVD codes_base+8(FP), R1
	MOVD codes_len+16(FP), R3
	MOVD weights_base+32(FP), R2
	LOAD_LANES
	MOVD $scratch-176(SP), R11
	MOVD $0x001E001E001E001E, R10
	MOVD $negateF32<>(SB), R14
	FMOVQ (R14), F8
	AND $3, R3, R4
	LSR $2, R3
	CBZ R3, rest

group:
	POSITIONS
	FMOVQ.P 16(R2), F0
	VTRN1 V0.S4, V0.S4, V1.S4
	VEOR V8.B16, V1.B16, V1.B16
	TABLES(FADD_S4, FSUB_S4)
	LOOK_UPS(FADD_S4)
	SUBS $1, R3
	BNE group

rest:
	CBZ R4, done
	LAST_GROUP

copy:
	NEXT_OF_LAST_GROUP
	SUBS $1, R4
	BNE copy
	MOVD $1, R3
	B group

done:
	STORE_LANES
	RET
