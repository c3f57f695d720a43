//go:build !amd64 || purego

package hashing

import "simhashkit/asm/cpu"

// Highway64Kernels returns the implementations of Highway64, fastest first, generic last.
func Highway64Kernels() []KeyedKernel { return []KeyedKernel{highway64GenericKernel} }

// Highway128Kernels returns the implementations of Highway128, fastest first, generic last.
func Highway128Kernels() []KeyedKernel { return []KeyedKernel{highway128GenericKernel} }

// Highway256Kernels returns the implementations of Highway256, fastest first, generic last.
func Highway256Kernels() []KeyedKernel { return []KeyedKernel{highway256GenericKernel} }

func highway64At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) { highway64Generic(dst, keys, key) }

func highway128At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) { highway128Generic(dst, keys, key) }

func highway256At(_ cpu.Tier, dst, keys []uint64, key *[4]uint64) { highway256Generic(dst, keys, key) }
