//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// PAIRS counts, for each pair of words i and i+8 of sixteen words, the differences from the pattern
// that the two words share. Each count is the sum of two bytes.
#define PAIRS(sums) \
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	VLD1.P 64(R1), [V4.D2, V5.D2, V6.D2, V7.D2]; \
	DIFFER(V0, V1, V2, V3, V16, V17, V18, V19); \
	DIFFER(V4, V5, V6, V7, V16, V17, V18, V19); \
	SHARED(V0, V1, V2, V3, V4, V5, V6, V7); \
	COUNT_WORDS(V0, V1, V2, V3, sums)

// WORDS counts the differences from the pattern of each of eight words. Each count is the sum of
// two bytes.
#define WORDS(sums) \
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]; \
	DIFFER(V0, V1, V2, V3, V16, V17, V18, V19); \
	COUNT_WORDS(V0, V1, V2, V3, sums)

// func screenNEON(words []uint64, pattern *[8]uint64, limit uint64) (at int)
// Requires: ASIMD
TEXT ·screenNEON(SB), NOSPLIT, $0-48
	MOVD words_base+0(FP), R1
	MOVD words_len+8(FP), R3
	MOVD pattern+24(FP), R2
	MOVD limit+32(FP), R4
	VLD1 (R2), [V16.D2, V17.D2, V18.D2, V19.D2]
	MOVD R1, R5
	CMP $5, R4
	BHI each

	// 64 words: a word can be near only if its pair shares few differences
pairs:
	SUBS $64, R3
	BLT last
	PAIRS(V20)
	PAIRS(V21)
	PAIRS(V22)
	PAIRS(V23)
	VADDP V21.B16, V20.B16, V20.B16
	VADDP V23.B16, V22.B16, V22.B16
	VUMIN V22.B16, V20.B16, V20.B16
	UMINV_B16(20, 20)
	VMOV V20.B[0], R6
	CMP R4, R6
	BHI pairs
	B found

	// with a higher limit, pairs would rule out too little
each:
	SUBS $64, R3
	BLT last
	WORDS(V20)
	WORDS(V21)
	WORDS(V22)
	WORDS(V23)
	WORDS(V24)
	WORDS(V25)
	WORDS(V26)
	WORDS(V27)
	VADDP V21.B16, V20.B16, V20.B16
	VADDP V23.B16, V22.B16, V22.B16
	VADDP V25.B16, V24.B16, V24.B16
	VADDP V27.B16, V26.B16, V26.B16
	VUMIN V22.B16, V20.B16, V20.B16
	VUMIN V26.B16, V24.B16, V24.B16
	VUMIN V24.B16, V20.B16, V20.B16
	UMINV_B16(20, 20)
	VMOV V20.B[0], R6
	CMP R4, R6
	BHI each

found:
	SUB $512, R1

last:
	SUB R5, R1
	LSR $3, R1
	MOVD R1, at+40(FP)
	RET

// func nearPeriodicNEON(words, pattern []uint64, limit uint64) (at int)
// Requires: ASIMD
TEXT ·nearPeriodicNEON(SB), NOSPLIT, $0-64
	MOVD words_base+0(FP), R1
	MOVD words_len+8(FP), R3
	MOVD pattern_base+24(FP), R2
	MOVD pattern_len+32(FP), R7
	MOVD limit+48(FP), R4
	MOVD R1, R5

	// words: twice the length of the pattern
step:
	SUBS R7<<1, R3
	BLT last
	MOVD R2, R8
	LSR $3, R7, R9
	ADD R7<<3, R1, R10
	VMOVI $255, V20.B16
	CMP $5, R4
	BHI each

pairs:
	VLD1.P 64(R8), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R10), [V4.D2, V5.D2, V6.D2, V7.D2]
	DIFFER(V0, V1, V2, V3, V16, V17, V18, V19)
	DIFFER(V4, V5, V6, V7, V16, V17, V18, V19)
	SHARED(V0, V1, V2, V3, V4, V5, V6, V7)
	COUNT_WORDS(V0, V1, V2, V3, V0)
	VADDP V0.B16, V0.B16, V0.B16
	VUMIN V0.B16, V20.B16, V20.B16
	SUBS $1, R9
	BNE pairs
	B decide

each:
	VLD1.P 64(R8), [V16.D2, V17.D2, V18.D2, V19.D2]
	VLD1.P 64(R1), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R10), [V4.D2, V5.D2, V6.D2, V7.D2]
	DIFFER(V0, V1, V2, V3, V16, V17, V18, V19)
	DIFFER(V4, V5, V6, V7, V16, V17, V18, V19)
	COUNT_WORDS(V0, V1, V2, V3, V0)
	COUNT_WORDS(V4, V5, V6, V7, V4)
	VADDP V4.B16, V0.B16, V0.B16
	VUMIN V0.B16, V20.B16, V20.B16
	SUBS $1, R9
	BNE each

	// R1 now points to the second half
decide:
	UMINV_B16(20, 20)
	VMOV V20.B[0], R6
	CMP R4, R6
	BLS found
	ADD R7<<3, R1
	B step

found:
	SUB R7<<3, R1

last:
	SUB R5, R1
	LSR $3, R1
	MOVD R1, at+56(FP)
	RET
