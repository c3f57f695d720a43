//go:build purego

package cpu

const pureGo = true
