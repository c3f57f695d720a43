//go:build !purego

package cpu

const pureGo = false
