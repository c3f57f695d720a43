package fphash

import (
	"fmt"
	"testing"
)

// All verbs for text print the same digits.
func TestFormatFingerprint(t *testing.T) {
	f := Fingerprint{0xabc, 1}
	for format, want := range map[string]string{
		"%s": "00000000000000010000000000000abc", "%v": "00000000000000010000000000000abc", "%x": "00000000000000010000000000000abc",
		"%X": "00000000000000010000000000000ABC", "%q": `"00000000000000010000000000000abc"`, "%34x": "  00000000000000010000000000000abc",
		"%d": "[2748 1]", "%#v": "fphash.Fingerprint{0xabc, 0x1}",
	} {
		if got := fmt.Sprintf(format, f); got != want {
			t.Errorf("%s: %s, expected %s", format, got, want)
		}
	}
}

// A fingerprint without words is NULL in a database.
func TestValueOfNil(t *testing.T) {
	if v, err := (Fingerprint)(nil).Value(); v != nil || err != nil {
		t.Errorf("%#v, %v; expected NULL", v, err)
	}
	if v, err := (Fingerprint{}).Value(); v != nil || err != nil {
		t.Errorf("%#v, %v; expected NULL", v, err)
	}
}
