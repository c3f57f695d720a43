//go:build !linux

package index

func adviseHugePages[T uint32 | uint64]([]T) {}
