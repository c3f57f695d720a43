package fingerprints

import (
	"bufio"
	"bytes"
	"testing"
)

// Whatever is read is a set that can be joined, with an id for each record, or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("00ff00ff00ff00ff\tid\n0000000000000000\t\n"))
	f.Add([]byte(`{"id":1,"fingerprint":"00ff","bits":16,"hash":"md5","encoding":"le64","informative":false}`))
	f.Add([]byte(BinaryMagic + "\x01\x00\x00\x00\x40\x00\x00\x00\x01\x00\x00\x00" + string(make([]byte, 64))))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReader(bytes.NewReader(data))
		format := Sniff(r)
		if format == None {
			return
		}
		records, err := Read(r, format, Options{Name: "fuzz"})
		if err != nil {
			return
		}
		if records.Len() == 0 {
			return
		}
		if err := records.Set.Check(); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if n := records.Set.Len() + records.WithoutFingerprint(); n != records.Len() {
			t.Errorf("%s: %d records, %d of them in the set or without a fingerprint", format, records.Len(), n)
		}
		for i := range records.Len() {
			records.ID(i)
		}
	})
}
