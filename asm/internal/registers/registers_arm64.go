//go:build !purego

package registers

// The registers of arm64 have no upper halves that a kernel could leave in use.
const known = false

func wipe() {}

func upperInUse() bool { panic("registers: this processor cannot report the state in use") }

func spoil(ones bool) {
	if ones {
		fillOnes()
	} else {
		fillMixed()
	}
}

func fillOnes()
func fillMixed()
