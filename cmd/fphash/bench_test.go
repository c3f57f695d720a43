package main

import (
	"testing"
)

const twoCases = "Accumulate/weights=f32/f=64/kernel=(naive|generic)/nnz=32$"

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"a=b,c": "a=b,c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a|b": "'a|b'"} {
		if got := quoted(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
