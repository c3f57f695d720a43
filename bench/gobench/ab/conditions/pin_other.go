//go:build !linux

package conditions

// Allowed is not known here.
func Allowed() ([]int, error) { return nil, ErrUnsupported }

// Bind cannot be done here.
func Bind([]int) (release func(), err error) { return nil, ErrUnsupported }

func ownSeconds() float64 { return 0 }
