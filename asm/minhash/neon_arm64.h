// An instruction that the assembler of Go 1.26 has no name for.

// MUL_S4 leaves in d the products of the words of n and m.
#define MUL_S4(m, n, d) WORD $(0x4EA09C00 | (m)<<16 | (n)<<5 | (d))
