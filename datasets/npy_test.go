package datasets

import (
	"slices"
	"strings"
	"testing"
)

func TestNPYHeaders(t *testing.T) {
	// The output of NumPy 2 for np.zeros((2, 3), '<u8'), a bool, and an empty array in Fortran
	// order.
	for text, want := range map[string]npyHeader{
		"{'descr': '<u8', 'fortran_order': False, 'shape': (2, 3), }" + strings.Repeat(" ", 58) + "\n": {"<u8", []uint64{2, 3}},
		"{'descr': '|b1', 'fortran_order': False, 'shape': (), }" + strings.Repeat(" ", 62) + "\n":     {"|b1", nil},
		"{'descr': '>i4', 'fortran_order': True, 'shape': (0,), }" + strings.Repeat(" ", 61) + "\n":    {">i4", []uint64{0}},
	} {
		data := npyMagic + "\x01\x00\x76\x00" + text
		got, err := readNPYHeader(strings.NewReader(data))
		if err != nil || got.kind != want.kind || !slices.Equal(got.shape, want.shape) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
		for n := range data {
			if _, err := readNPYHeader(strings.NewReader(data[:n])); err == nil || !strings.Contains(err.Error(), "too early") {
				t.Errorf("%d of %d bytes: %v", n, len(data), err)
			}
		}
	}
}

func TestNPYHeadersRefused(t *testing.T) {
	head := func(text string) string {
		return npyMagic + "\x01\x00" + string([]byte{byte(len(text)), 0}) + text
	}
	for data, want := range map[string]string{
		"PK\x03\x04aaaaaaaa":                   "expected a NumPy array of version 1 to 3",
		npyMagic + "\x04\x00aaaaaaaa":          "expected a NumPy array of version 1 to 3",
		npyMagic + "\x02\x00\xff\xff\xff\xff":  "expected a header of at most 65536 bytes, got 4294967295",
		head("{'descr': [('a', '<f8')], 'x'}"): "expected a header with one type and a shape",
		head("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}"): "expected a shape of whole numbers",
	} {
		if _, err := readNPYHeader(strings.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
}

func TestNPYNumbers(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want uint64
	}{
		{"|b1", []byte{1}, 1}, {"|i1", []byte{0xff}, 1<<64 - 1}, {"|u1", []byte{0xff}, 255},
		{"<i2", []byte{0xfe, 0xff}, 1<<64 - 2}, {">u2", []byte{1, 2}, 0x102}, {"<i4", []byte{1, 0, 0, 0x80}, 0xffffffff80000001},
		{">u4", []byte{1, 2, 3, 4}, 0x1020304}, {"<u8", []byte{1, 2, 3, 4, 5, 6, 7, 8}, 0x807060504030201}, {">f8", []byte{0x3f, 0xf8, 0, 0, 0, 0, 0, 0}, 0x3ff8000000000000},
	} {
		kind, ok := parseNPYType(c.name)
		if got := kind.bits(c.data); !ok || got != c.want {
			t.Errorf("%s: %x, want %x", c.name, got, c.want)
		}
	}
	if f := (npyType{kind: 'f', size: 4}).float(0xbf800000); f != -1 {
		t.Errorf("a float32 of -1 reads as %v", f)
	}
	if f := (npyType{kind: 'f', size: 8}).float(0x3ff8000000000000); f != 1.5 {
		t.Errorf("a float64 of 1.5 reads as %v", f)
	}
	for _, name := range []string{"<c16", "|O", "<f2", "", "|S3", "=f8"} {
		if _, ok := parseNPYType(name); ok {
			t.Errorf("%s is taken for a type of numbers", name)
		}
	}
}
