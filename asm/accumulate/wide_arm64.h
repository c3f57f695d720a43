// The 64 lanes of eight bytes do not fit in the registers, so the kernels process 32 lanes at a
// time. The sixteen sums of a group are in memory and looked up by loads, because TBL would need
// eight tables.

// WIDE_SUMS stores at (R11) the sums of a group's weights w0 to w3, which are in V0 and V1. signed
// turns w0 w0 in V2 into -w0 w0.
#define WIDE_SUMS(signed, add, subtract) \
	VDUP V0.D[0], V2.D2; \
	VDUP V0.D[1], V3.D2; \
	signed; \
	subtract(3, 2, 4); \
	add(3, 2, 5); \
	VDUP V1.D[0], V2.D2; \
	VDUP V1.D[1], V3.D2; \
	signed; \
	subtract(3, 2, 6); \
	add(3, 2, 7); \
	FOUR_SUMS(add, V6.D[0], 0); \
	FOUR_SUMS(add, V6.D[1], 32); \
	FOUR_SUMS(add, V7.D[0], 64); \
	FOUR_SUMS(add, V7.D[1], 96)

// FOUR_SUMS adds one sum of w2 and w3 to the four sums of w0 and w1, which are in V4 and V5.
#define FOUR_SUMS(add, sum, at) \
	VDUP sum, V0.D2; \
	add(0, 4, 2); \
	add(0, 5, 3); \
	FSTPQ (F2, F3), at(R11)

// LOOK_UP_TWO adds their sums to two lanes. The nibbles of a and b that start at the given bit are
// the positions of the sums.
#define LOOK_UP_TWO(add, a, b, bit, lanes) \
	UBFX $bit, a, $4, R12; \
	UBFX $bit, b, $4, R13; \
	FMOVD (R11)(R12<<3), F0; \
	FMOVD (R11)(R13<<3), F1; \
	VZIP1 V1.D2, V0.D2, V0.D2; \
	add(0, lanes, lanes)

// LOOK_UP_HALF does the same for the 32 lanes in V16 to V31, whose nibbles start at bit R15.
#define LOOK_UP_HALF(add) \
	LSR R15, R5; \
	LSR R15, R6; \
	LSR R15, R7; \
	LSR R15, R8; \
	LOOK_UP_TWO(add, R5, R6, 0, 16); \
	LOOK_UP_TWO(add, R7, R8, 0, 17); \
	LOOK_UP_TWO(add, R5, R6, 4, 18); \
	LOOK_UP_TWO(add, R7, R8, 4, 19); \
	LOOK_UP_TWO(add, R5, R6, 8, 20); \
	LOOK_UP_TWO(add, R7, R8, 8, 21); \
	LOOK_UP_TWO(add, R5, R6, 12, 22); \
	LOOK_UP_TWO(add, R7, R8, 12, 23); \
	LOOK_UP_TWO(add, R5, R6, 16, 24); \
	LOOK_UP_TWO(add, R7, R8, 16, 25); \
	LOOK_UP_TWO(add, R5, R6, 20, 26); \
	LOOK_UP_TWO(add, R7, R8, 20, 27); \
	LOOK_UP_TWO(add, R5, R6, 24, 28); \
	LOOK_UP_TWO(add, R7, R8, 24, 29); \
	LOOK_UP_TWO(add, R5, R6, 28, 30); \
	LOOK_UP_TWO(add, R7, R8, 28, 31)

// LOAD_HALF reads 32 lanes from (R0), STORE_HALF writes them back and advances R0 past them.
#define LOAD_HALF \
	MOVD R0, R14; \
	VLD1.P 64(R14), [V16.D2, V17.D2, V18.D2, V19.D2]; \
	VLD1.P 64(R14), [V20.D2, V21.D2, V22.D2, V23.D2]; \
	VLD1.P 64(R14), [V24.D2, V25.D2, V26.D2, V27.D2]; \
	VLD1.P 64(R14), [V28.D2, V29.D2, V30.D2, V31.D2]

#define STORE_HALF \
	VST1.P [V16.D2, V17.D2, V18.D2, V19.D2], 64(R0); \
	VST1.P [V20.D2, V21.D2, V22.D2, V23.D2], 64(R0); \
	VST1.P [V24.D2, V25.D2, V26.D2, V27.D2], 64(R0); \
	VST1.P [V28.D2, V29.D2, V30.D2, V31.D2], 64(R0)

// LAST_WIDE_GROUP clears a group at 128(R11) and points R1 and R2 to its codes and weights. It
// points R12 and R13 to the features after the last whole group. NEXT_OF_LAST_WIDE_GROUP copies
// these features to the cleared group, one at a time.
#define LAST_WIDE_GROUP \
	MOVD R1, R12; \
	MOVD R2, R13; \
	ADD $128, R11, R1; \
	ADD $160, R11, R2; \
	STP (ZR, ZR), 128(R11); \
	STP (ZR, ZR), 144(R11); \
	STP (ZR, ZR), 160(R11); \
	STP (ZR, ZR), 176(R11); \
	MOVD R1, R5; \
	MOVD R2, R6

#define NEXT_OF_LAST_WIDE_GROUP \
	MOVD.P 8(R12), R7; \
	MOVD.P R7, 8(R5); \
	MOVD.P 8(R13), R7; \
	MOVD.P R7, 8(R6)
