//go:build !linux

package index

func adviseHugePages([]byte) {}
