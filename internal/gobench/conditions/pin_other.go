//go:build !linux

package conditions

import "errors"

var errUnsupported = errors.New("conditions: binding runs to processors works only on Linux")

// Allowed returns an error.
func Allowed() ([]int, error) { return nil, errUnsupported }

// Bind returns an error.
func Bind([]int) (release func(), err error) { return nil, errUnsupported }

func ownSeconds() float64 { return 0 }
