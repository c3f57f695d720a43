//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// All ones where a weight is negated: w0 w0 w2 w2 becomes -w0 w0 -w2 w2.
DATA negateI32<>+0(SB)/8, $0x00000000FFFFFFFF
DATA negateI32<>+8(SB)/8, $0x00000000FFFFFFFF
GLOBL negateI32<>(SB), RODATA|NOPTR, $16

// The algorithm is that of addF32NEON, with integers.

// func addI32NarrowNEON(sums *[64]int32, codes []uint64, weights []int32)
// Requires: ASIMD
TEXT ·addI32NarrowNEON(SB), NOSPLIT, $184-56
	MOVD sums+0(FP), R0
	MOVD codes_base+8(FP), R1
	MOVD codes_len+16(FP), R3
	MOVD weights_base+32(FP), R2
	LOAD_LANES
	MOVD $scratch-176(SP), R11
	MOVD $0x001E001E001E001E, R10
	MOVD $negateI32<>(SB), R14
	FMOVQ (R14), F8
	AND $3, R3, R4
	LSR $2, R3
	CBZ R3, rest

group:
	POSITIONS
	FMOVQ.P 16(R2), F0
	VTRN1 V0.S4, V0.S4, V1.S4
	VEOR V8.B16, V1.B16, V1.B16
	VSUB V8.S4, V1.S4, V1.S4
	TABLES(ADD_S4, SUB_S4)
	LOOK_UPS(ADD_S4)
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

// func magnitudesI32NEON(weights []int32) uint32
// Requires: ASIMD
TEXT ·magnitudesI32NEON(SB), NOSPLIT, $0-28
	MOVD weights_base+0(FP), R1
	MOVD weights_len+8(FP), R3
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD $0, R5
	AND $7, R3, R4
	LSR $3, R3
	CBZ R3, rest

eight:
	FLDPQ.P 32(R1), (F0, F1)
	FOLD_SIGN(0, 4)
	FOLD_SIGN(1, 5)
	VEOR V4.B16, V0.B16, V0.B16
	VEOR V5.B16, V1.B16, V1.B16
	VORR V0.B16, V2.B16, V2.B16
	VORR V1.B16, V3.B16, V3.B16
	SUBS $1, R3
	BNE eight
	VORR V3.B16, V2.B16, V2.B16
	VMOV V2.D[0], R5
	VMOV V2.D[1], R6
	ORR R6, R5
	ORR R5>>32, R5

rest:
	CBZ R4, done
	MOVW.P 4(R1), R6
	EOR R6->31, R6
	ORR R6, R5
	SUB $1, R4
	B rest

done:
	MOVW R5, ret+24(FP)
	RET
