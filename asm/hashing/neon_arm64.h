// The steps that kernels share. Hashes of 32-bit words take four keys side by side.

// ROTATE leaves in d the words of n, rotated left.
#define ROTATE(by, n, d) \
	VSHL $by, n.S4, d.S4; \
	VSRI $(32-by), n.S4, d.S4
