// Instructions that the assembler of Go 1.26 has no names for, and steps that kernels share.

// UMINV_B16 puts the least byte of n into the lowest of d.
#define UMINV_B16(n, d) WORD $(0x6E31A800 | (n)<<5 | (d))

// DIFFER replaces a to d by their XOR with e to h.
#define DIFFER(a, b, c, d, e, f, g, h) \
	VEOR e.B16, a.B16, a.B16; \
	VEOR f.B16, b.B16, b.B16; \
	VEOR g.B16, c.B16, c.B16; \
	VEOR h.B16, d.B16, d.B16

// COUNT_WORDS leaves in sums two bytes for each of the eight words in a to d, which add up to its
// ones.
#define COUNT_WORDS(a, b, c, d, sums) \
	VCNT a.B16, a.B16; \
	VCNT b.B16, b.B16; \
	VCNT c.B16, c.B16; \
	VCNT d.B16, d.B16; \
	VADDP b.B16, a.B16, a.B16; \
	VADDP d.B16, c.B16, c.B16; \
	VADDP c.B16, a.B16, sums.B16

// SHARED replaces a to d by their AND with e to h. Two words share at most as many differences from
// the pattern as either of them has, so one count can rule out both.
#define SHARED(a, b, c, d, e, f, g, h) \
	VAND e.B16, a.B16, a.B16; \
	VAND f.B16, b.B16, b.B16; \
	VAND g.B16, c.B16, c.B16; \
	VAND h.B16, d.B16, d.B16
