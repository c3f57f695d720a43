package datasets

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func window(eight string) uint64 { return binary.LittleEndian.Uint64([]byte(eight)) }

func TestWindowsByHand(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"1234567", nil},
		{"12345678", []string{"12345678"}},
		{"abcdefghij", []string{"abcdefgh", "bcdefghi", "cdefghij"}},
		{" \t\n ab \r\n\v\f cdef  g\n\n", []string{"ab cdef ", "b cdef g"}}, // "ab cdef g"
		{"a b\tc\nd", nil},
		{"a b\tc\nd e", []string{"a b c d ", " b c d e"}},
		{"aaaaaaaaaa", []string{"aaaaaaaa", "aaaaaaaa", "aaaaaaaa"}},
		{"ab\u00a0cdef", []string{"ab\u00a0cdef"}}, // a no-break space is not ASCII
		{"\x00\x01\x02\x03\x04\x05\x06\x07", []string{"\x00\x01\x02\x03\x04\x05\x06\x07"}},
	} {
		want := []uint64{5}
		for _, w := range c.want {
			want = append(want, window(w))
		}
		if diff := cmp.Diff(want, AppendWindows([]uint64{5}, []byte(c.text))); diff != "" {
			t.Errorf("%q: -want +got\n%s", c.text, diff)
		}
	}
	if got := AppendWindows(nil, []byte("\x01\x02\x03\x04\x05\x06\x07\x08")); got[0] != 0x0807060504030201 {
		t.Errorf("byte order: %#x", got[0])
	}
}

func TestWindowsAgainstFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte("ab \n\t\r\v\f\x00\x85\xa0"))).Draw(t, "text")
		// FieldsFunc decodes UTF-8, so the bytes are widened to Latin-1 runes and back.
		runes := make([]rune, len(text))
		for i, b := range text {
			runes[i] = rune(b)
		}
		collapsed := strings.Join(strings.FieldsFunc(string(runes), func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }), " ")
		var flat []byte
		for _, r := range collapsed {
			flat = append(flat, byte(r))
		}
		var want []uint64
		for i := 0; i+8 <= len(flat); i++ {
			want = append(want, binary.LittleEndian.Uint64(flat[i:]))
		}
		if got := AppendWindows(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%q: %x, want %x", text, got, want)
		}
	})
}
