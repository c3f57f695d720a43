package fphash

import (
	"crypto/fips140"
	"errors"
)

// refusedByFIPS is an error where the program runs under GODEBUG=fips140=only, in which the
// standard library's MD5 and SHA-1 panic: it is told when a Sketcher is made.
func refusedByFIPS() error {
	if fips140.Enforced() {
		return errors.New("not allowed under GODEBUG=fips140=only; expected sha256 or a hash that is not cryptographic")
	}
	return nil
}
