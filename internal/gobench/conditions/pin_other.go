//go:build !linux

package conditions

// Allowed returns ErrUnsupported.
func Allowed() ([]int, error) { return nil, ErrUnsupported }

// Bind returns ErrUnsupported.
func Bind([]int) (release func(), err error) { return nil, ErrUnsupported }

func ownSeconds() float64 { return 0 }
