//go:build !purego

package hashing

var cutoffs = []int{leastMD5NEON, leastMD5CounterNEON, leastSHA1NEON}
