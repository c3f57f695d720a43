// Instructions that the assembler of Go 1.26 has no names for, and steps that kernels share.

// Vectors of floats: FADD computes d = n + m, and FSUB d = n - m.
#define FADD_S4(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_S4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FADD_D2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_D2(m, n, d) WORD $(0x4EE0D400 | (m)<<16 | (n)<<5 | (d))

// The same for integers, with the same operands, so that macros take either as a parameter.
#define ADD_S4(m, n, d) WORD $(0x4EA08400 | (m)<<16 | (n)<<5 | (d))
#define SUB_S4(m, n, d) WORD $(0x6EA08400 | (m)<<16 | (n)<<5 | (d))
#define ADD_D2(m, n, d) WORD $(0x4EE08400 | (m)<<16 | (n)<<5 | (d))
#define SUB_D2(m, n, d) WORD $(0x6EE08400 | (m)<<16 | (n)<<5 | (d))

// FOLD_SIGN fills each 32-bit element of d with the sign bit of the element of n.
#define FOLD_SIGN(n, d) WORD $(0x4F210400 | (n)<<5 | (d))

// EXCHANGE swaps the bits of a selected by mask<<shift with the bits of b selected by mask. It
// overwrites R9.
#define EXCHANGE(mask, shift, a, b) \
	EOR a>>shift, b, R9; \
	AND $mask, R9, R9; \
	EOR R9, b, b; \
	EOR R9<<shift, a, a

// NIBBLES reads the four codes of a group from (R1) and computes a 4-bit number for each lane: bit
// i is set if feature i counts as positive. The number of lane 4n+k is nibble n of register R5+k.
#define NIBBLES \
	LDP.P 32(R1), (R5, R6); \
	LDP -16(R1), (R7, R8); \
	EXCHANGE(0x5555555555555555, 1, R5, R6); \
	EXCHANGE(0x5555555555555555, 1, R7, R8); \
	EXCHANGE(0x3333333333333333, 2, R5, R7); \
	EXCHANGE(0x3333333333333333, 2, R6, R8)

// POSITIONS reads the four codes of a group from (R1), and stores the table positions of the lanes'
// sums at (R11). Each lane has 16 bits: 2n in the lower byte and 2n+1 in the upper, where bit i of
// n is set if feature i counts as positive. Word s, of 16 words, has lanes s, s+16, s+32 and s+48.
// R10 holds 0x1E in every other byte. POSITIONS uses only general registers, so it overlaps with
// the vector instructions of the previous group.
#define POSITIONS \
	NIBBLES; \
	TWO_WORDS(R5<<1, R6<<1, 0); \
	TWO_WORDS(R7<<1, R8<<1, 16); \
	TWO_WORDS(R5>>3, R6>>3, 32); \
	TWO_WORDS(R7>>3, R8>>3, 48); \
	TWO_WORDS(R5>>7, R6>>7, 64); \
	TWO_WORDS(R7>>7, R8>>7, 80); \
	TWO_WORDS(R5>>11, R6>>11, 96); \
	TWO_WORDS(R7>>11, R8>>11, 112)

// Nibble t of each 16 bits of register R5+k belongs to lane 4t+k, 4t+k+16, 4t+k+32 or 4t+k+48.
#define TWO_WORDS(a, b, at) \
	AND a, R10, R12; \
	AND b, R10, R13; \
	ORR R12<<8, R12, R12; \
	ORR R13<<8, R13, R13; \
	ORR $0x0100010001000100, R12, R12; \
	ORR $0x0100010001000100, R13, R13; \
	STP (R12, R13), at(R11)

// TABLES computes the sixteen sums (±w0 ±w1) + (±w2 ±w3) of the weights w0 to w3 in V0. It stores
// the lower halves of the sums in V4 and V5, and the upper halves in V6 and V7. V1 holds the
// weights with alternating signs: -w0, w0, -w2, w2. Intermediate values are
//
//	V2 = -w0-w1   w0-w1  -w2-w3   w2-w3
//	V3 = -w0+w1   w0+w1  -w2+w3   w2+w3
#define TABLES(add, subtract) \
	VTRN2 V0.S4, V0.S4, V0.S4; \
	subtract(0, 1, 2); \
	add(0, 1, 3); \
	VZIP1 V3.D2, V2.D2, V4.D2; \
	VDUP V2.S[2], V0.S4; \
	VDUP V2.S[3], V1.S4; \
	VDUP V3.S[2], V2.S4; \
	VDUP V3.S[3], V3.S4; \
	add(0, 4, 0); \
	add(1, 4, 1); \
	add(2, 4, 2); \
	add(3, 4, 3); \
	VUZP1 V1.H8, V0.H8, V4.H8; \
	VUZP1 V3.H8, V2.H8, V5.H8; \
	VUZP2 V1.H8, V0.H8, V6.H8; \
	VUZP2 V3.H8, V2.H8, V7.H8

// LOOK_UP looks up the sums of eight lanes and adds them to the lanes, in registers a and b.
#define LOOK_UP(add, places, a, b) \
	FMOVQ places(R11), F0; \
	VTBL V0.B16, [V4.B16, V5.B16], V1.B16; \
	VTBL V0.B16, [V6.B16, V7.B16], V2.B16; \
	VZIP1 V2.H8, V1.H8, V3.H8; \
	VZIP2 V2.H8, V1.H8, V0.H8; \
	add(3, a, a); \
	add(0, b, b)

// LOOK_UPS does the same for all lanes.
#define LOOK_UPS(add) \
	LOOK_UP(add, 0, 16, 17); \
	LOOK_UP(add, 16, 18, 19); \
	LOOK_UP(add, 32, 20, 21); \
	LOOK_UP(add, 48, 22, 23); \
	LOOK_UP(add, 64, 24, 25); \
	LOOK_UP(add, 80, 26, 27); \
	LOOK_UP(add, 96, 28, 29); \
	LOOK_UP(add, 112, 30, 31)

// LOAD_LANES reads 64 lanes of four bytes from (R0) into V16 to V31: V16+s gets lanes s, s+16, s+32
// and s+48. STORE_LANES writes them back. Both overwrite V0 to V7.
#define LOAD_LANES \
	LOAD_SIXTEEN(0, V16, V17, V18, V19); \
	LOAD_SIXTEEN(16, V20, V21, V22, V23); \
	LOAD_SIXTEEN(32, V24, V25, V26, V27); \
	LOAD_SIXTEEN(48, V28, V29, V30, V31)

#define LOAD_SIXTEEN(at, a, b, c, d) \
	FMOVQ at+0(R0), F0; \
	FMOVQ at+64(R0), F1; \
	FMOVQ at+128(R0), F2; \
	FMOVQ at+192(R0), F3; \
	TRANSPOSE(V0, V1, V2, V3, a, b, c, d)

#define STORE_LANES \
	STORE_SIXTEEN(V16, V17, V18, V19, 0); \
	STORE_SIXTEEN(V20, V21, V22, V23, 16); \
	STORE_SIXTEEN(V24, V25, V26, V27, 32); \
	STORE_SIXTEEN(V28, V29, V30, V31, 48)

#define STORE_SIXTEEN(a, b, c, d, at) \
	TRANSPOSE(a, b, c, d, V0, V1, V2, V3); \
	FMOVQ F0, at+0(R0); \
	FMOVQ F1, at+64(R0); \
	FMOVQ F2, at+128(R0); \
	FMOVQ F3, at+192(R0)

// TRANSPOSE transposes the 4×4 matrix with rows a to d to one with rows e to h.
#define TRANSPOSE(a, b, c, d, e, f, g, h) \
	VZIP1 c.S4, a.S4, V4.S4; \
	VZIP2 c.S4, a.S4, V5.S4; \
	VZIP1 d.S4, b.S4, V6.S4; \
	VZIP2 d.S4, b.S4, V7.S4; \
	VZIP1 V6.S4, V4.S4, e.S4; \
	VZIP2 V6.S4, V4.S4, f.S4; \
	VZIP1 V7.S4, V5.S4, g.S4; \
	VZIP2 V7.S4, V5.S4, h.S4

// LAST_GROUP clears a group at 128(R11) and points R1 and R2 to its codes and weights. It points
// R12 and R13 to the features after the last whole group. NEXT_OF_LAST_GROUP copies these features
// to the cleared group, one at a time.
#define LAST_GROUP \
	MOVD R1, R12; \
	MOVD R2, R13; \
	ADD $128, R11, R1; \
	ADD $160, R11, R2; \
	STP (ZR, ZR), 128(R11); \
	STP (ZR, ZR), 144(R11); \
	STP (ZR, ZR), 160(R11); \
	MOVD R1, R5; \
	MOVD R2, R6

#define NEXT_OF_LAST_GROUP \
	MOVD.P 8(R12), R7; \
	MOVD.P R7, 8(R5); \
	MOVWU.P 4(R13), R7; \
	MOVW.P R7, 4(R6)
