// Instructions that the assembler of Go 1.26 has no names for, and steps that kernels share.

// UMULL_D2 multiplies the lower two 32-bit words of n and m to 64-bit products, UMULL2_D2 the upper
// two.
#define UMULL_D2(m, n, d) WORD $(0x2EA0C000 | (m)<<16 | (n)<<5 | (d))
#define UMULL2_D2(m, n, d) WORD $(0x6EA0C000 | (m)<<16 | (n)<<5 | (d))

// ROTATE stores the words of n, rotated left, in d.
#define ROTATE(by, n, d) \
	VSHL $by, n.S4, d.S4; \
	VSRI $(32-by), n.S4, d.S4
