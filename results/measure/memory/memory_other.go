//go:build !linux

package memory

import "errors"

// Peak knows nothing on this system.
func Peak() (int64, bool) { return 0, false }

// PeakOf knows nothing on this system.
func PeakOf(int) (int64, bool) { return 0, false }

// ResetPeak fails on this system.
func ResetPeak() error { return errors.New("memory: the peak can be reset on Linux only") }

// Tree knows nothing on this system.
func Tree(int) int64 { return 0 }
