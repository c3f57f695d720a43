//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// COUNT_QUARTERS counts the bits in which 32 quarters of 16 bits differ from the query's quarter.
// It stores a byte per quarter in a and c.
#define COUNT_QUARTERS(a, b, c, d, query) \
	DIFFER(a, b, c, d, query, query, query, query); \
	COUNT(a, b, c, d); \
	VADDP b.B16, a.B16, a.B16; \
	VADDP d.B16, c.B16, c.B16

// func candidatesNEON(list *[256]uint64, first []uint16, second []uint16, query *[2]uint16,
// limit uint16) int
// Requires: ASIMD
TEXT ·candidatesNEON(SB), NOSPLIT, $0-80
	MOVD list+0(FP), R0
	MOVD first_base+8(FP), R1
	MOVD first_len+16(FP), R3
	MOVD second_base+32(FP), R2
	MOVD query+56(FP), R5
	MOVHU limit+64(FP), R4
	VLD1R.P 2(R5), [V16.H8]
	VLD1R (R5), [V17.H8]
	VDUP R4, V18.B16
	MOVD $0x8040201008040201, R6 // a different bit in each of eight bytes
	VDUP R6, V19.D2
	MOVD R0, R9
	MOVD $0, R6 // the line's number, in the upper 32 bits
	LSR $5, R3

line:
	VLD1.P 64(R1), [V0.B16, V1.B16, V2.B16, V3.B16]
	COUNT_QUARTERS(V0, V1, V2, V3, V16)
	VUMIN V2.B16, V0.B16, V1.B16
	UMINV_B16(1, 1)
	VMOV V1.B[0], R7
	CMP R4, R7
	BHI next

	// the first quarters do not rule out the line
	VLD1 (R2), [V4.B16, V5.B16, V6.B16, V7.B16]
	COUNT_QUARTERS(V4, V5, V6, V7, V17)
	VADD V4.B16, V0.B16, V0.B16
	VADD V6.B16, V2.B16, V2.B16
	CMHS_B16(0, 18, 0)
	CMHS_B16(2, 18, 2)
	VAND V19.B16, V0.B16, V0.B16
	VAND V19.B16, V2.B16, V2.B16
	VADDP V2.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VMOV V0.S[0], R7
	CBZ R7, next
	ORR R6, R7
	MOVD.P R7, 8(R0)

next:
	ADD $64, R2
	ADD $0x100000000, R6
	SUBS $1, R3
	BNE line
	SUB R9, R0
	LSR $3, R0
	MOVD R0, ret+72(FP)
	RET
