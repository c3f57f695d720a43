//go:build (!amd64 && !arm64) || purego

package registers

const known = false

func upperInUse() bool { panic("registers: there is no assembly in this build") }

func wipe() {}

func spoil(bool) {}
