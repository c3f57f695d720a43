//go:build !linux

package join

func adviseHugePages[T uint32 | uint64]([]T) {}
