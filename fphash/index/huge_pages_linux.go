package index

import "syscall"

// adviseHugePages asks for huge pages. A system without them refuses, and nothing is lost but time.
func adviseHugePages(memory []byte) { _ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
