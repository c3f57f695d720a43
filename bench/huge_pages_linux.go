package bench

import "golang.org/x/sys/unix"

// adviseHugePages asks for huge pages. A system without them refuses, and nothing is lost but time.
func adviseHugePages(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
