// Package steps counts the instructions that code executes, function by function, for those who ask
// what a kernel's limit is: a time without the number of instructions behind it does not tell work
// from waiting.
//
// A processor's own counters are seldom open to a virtual machine. So the program runs itself once
// more as a child, under ptrace, and the child is stepped one instruction at a time between Begin
// and End. That takes some microseconds an instruction and disturbs no count. Of the kernel of the
// system, nothing is counted.
package steps

import (
	"errors"
	"time"
)

// ErrUnsupported is returned where programs cannot be stepped by this package: elsewhere than on
// linux/amd64.
var ErrUnsupported = errors.New("steps: needs linux on amd64")

// longest is how long a program may take: some 10^7 instructions.
var longest = time.Minute

// Begin marks the first instruction that counts, and locks the goroutine to its thread. A program
// that is not run by Count is ended by it.
func Begin() { begin() }

// End marks the last one.
func End() { end() }

// Count runs this program with the arguments, and with settings added to its environment, and
// returns how many instructions each function has executed between Begin and End, which it must
// come to exactly once. The settings are of the form NAME=value.
func Count(args, settings []string) (map[string]int, error) { return count(args, settings) }
