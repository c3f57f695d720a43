//go:build !purego

package registers

// Registers of arm64 have no upper halves that could be left in use.
const known = false

func wipe() {}

func upperInUse() bool { panic("registers: this processor does not tell") }

func spoil(ones bool) {
	if ones {
		fillOnes()
	} else {
		fillMixed()
	}
}

func fillOnes()
func fillMixed()
