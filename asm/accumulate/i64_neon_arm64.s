//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "wide_arm64.h"

// All ones where a weight is negated: w0 w0 becomes -w0 w0.
DATA negateI64<>+0(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA negateI64<>+8(SB)/8, $0x0000000000000000
GLOBL negateI64<>(SB), RODATA|NOPTR, $16

#define SIGNED_I64 \
	VEOR V8.B16, V2.B16, V2.B16; \
	VSUB V8.D2, V2.D2, V2.D2

// func addI64NEON(lanes *[64]int64, codes []uint64, weights []int64)
// Requires: ASIMD
TEXT ·addI64NEON(SB), NOSPLIT, $200-56
	MOVD lanes+0(FP), R0
	MOVD $scratch-192(SP), R11
	MOVD $negateI64<>(SB), R14
	FMOVQ (R14), F8
	MOVD $0, R15

half:
	LOAD_HALF
	MOVD codes_base+8(FP), R1
	MOVD codes_len+16(FP), R3
	MOVD weights_base+32(FP), R2
	AND $3, R3, R4
	LSR $2, R3
	CBZ R3, rest

group:
	NIBBLES
	FLDPQ.P 32(R2), (F0, F1)
	WIDE_SUMS(SIGNED_I64, ADD_D2, SUB_D2)
	LOOK_UP_HALF(ADD_D2)
	SUBS $1, R3
	BNE group

rest:
	CBZ R4, next
	LAST_WIDE_GROUP

copy:
	NEXT_OF_LAST_WIDE_GROUP
	SUBS $1, R4
	BNE copy
	MOVD $1, R3
	B group

next:
	STORE_HALF
	ADD $32, R15
	CMP $64, R15
	BNE half
	RET
