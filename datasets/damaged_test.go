package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"simhashkit/internal/decompress"
	"simhashkit/internal/syntax"
	"simhashkit/internal/testing/long"
)

// damagedVariable names the environment variable that sets the number of damaged inputs.
const damagedVariable = "FPHASH_DAMAGED"

// damagedInputs returns the number of damaged inputs divided by in, and logs it at the end of a
// successful test.
func damagedInputs(t *testing.T, in int) int {
	if n := os.Getenv(damagedVariable); n != "" {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 {
			t.Fatalf("%s=%s is not a number of inputs", damagedVariable, n)
		}
		t.Cleanup(func() {
			if !t.Failed() {
				t.Logf("%d of %d damaged inputs", count/in, count)
			}
		})
		return count / in
	}
	if long.Enabled() {
		return 10_000 / in
	}
	return 1000 / in
}

// TestDamagedSVMLight damages valid files, compressed and plain, and reads them with every kind of
// weight. Nothing may panic. A syntax error must have a position within the text. A damaged
// compressed stream must give an error or the original text. Memory must be proportional to the
// bytes read, whatever numbers they contain.
func TestDamagedSVMLight(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	type form struct {
		name string
		data []byte
	}
	texts := soundTexts(r)
	forms := make([][3]form, len(texts))
	for i, text := range texts {
		forms[i] = [3]form{{"plain", []byte(text)}, {"gzip", gzipped(t, text)}, {"zstd", zstded(t, text)}}
	}
	for i := range damagedInputs(t, 1) {
		which := r.IntN(len(texts))
		// Most are plain, since those reach the deepest code of the reader.
		text, form := texts[which], forms[which][max(i%8-5, 0)]
		name, data := form.name, form.data
		damaged, how := damage(r, data)
		if err := readDamaged(i, name, text, damaged); err != nil {
			t.Fatalf("input %d, %s, %s: %v\n%q", i, name, how, err, syntax.Clip(damaged))
		}
	}
}

// soundTexts returns valid svmlight texts of many shapes.
func soundTexts(r *rand.Rand) []string {
	texts := []string{smallText, "", "\n", "# a comment\n\n1 1:1\n", "\ufeff1,2 qid:3 1:2 5:0.5 # id\r\n-1 2:1e-3\r\n"}
	for range 40 {
		var b strings.Builder
		for range r.IntN(20) {
			fmt.Fprintf(&b, "%d", r.IntN(3)-1)
			index := uint64(0)
			for range r.IntN(12) {
				index += 1 + r.Uint64()>>(4+r.IntN(60))
				fmt.Fprintf(&b, " %d:%g", index, float64(r.IntN(2000)-1000)/float64(int(1)<<r.IntN(8)))
			}
			if r.IntN(4) == 0 {
				fmt.Fprintf(&b, " # row %d", r.IntN(1000))
			}
			b.WriteString("\n")
		}
		texts = append(texts, b.String())
	}
	return texts
}

// damage changes data in a random way and describes the change.
func damage(r *rand.Rand, data []byte) ([]byte, string) {
	data = bytes.Clone(data)
	if len(data) == 0 {
		return []byte{byte(r.IntN(256))}, "one byte added"
	}
	at := r.IntN(len(data))
	end := at + r.IntN(min(len(data)-at, 64)+1)
	switch r.IntN(7) {
	case 0:
		data[at] ^= 1 << r.IntN(8)
		return data, fmt.Sprintf("a bit of byte %d flipped", at)
	case 1:
		data[at] = byte(r.IntN(256))
		return data, fmt.Sprintf("byte %d replaced", at)
	case 2:
		return data[:at], fmt.Sprintf("cut off at %d", at)
	case 3:
		return append(data[:at], data[end:]...), fmt.Sprintf("bytes %d to %d lost", at, end)
	case 4:
		clear(data[at:end])
		return data, fmt.Sprintf("bytes %d to %d zeroed", at, end)
	case 5:
		return bytes.Join([][]byte{data[:end], data[at:]}, nil), fmt.Sprintf("bytes %d to %d twice", at, end)
	default:
		junk := []string{"18446744073709551616:1", "99999999999999999999999999:1e999", ":", "1:", " 5:nan", " 5:inf", "\x00", "\xff\xfe", " -1:1", "1e400", "\n\n\n", "#", "1:1:1"}
		return []byte(string(data[:at]) + junk[r.IntN(len(junk))] + string(data[at:])), fmt.Sprintf("junk put in at %d", at)
	}
}

// readDamaged reads the input with one of the kinds of weights, chosen by turn, and returns an
// error if the result is wrong.
func readDamaged(turn int, form, text string, data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	var before, after runtime.MemStats
	measured := turn%61 == 0 // reading the statistics stops the world
	if measured {
		runtime.ReadMemStats(&before)
	}
	unpacked, err := decompress.NewReader(context.Background(), bytes.NewReader(data))
	if err != nil {
		return nil
	}
	defer unpacked.Close()
	plain, unpackErr := io.ReadAll(io.LimitReader(unpacked, 1<<22))
	// Two concatenated members are a valid file, so a small text may come out twice.
	if form != "plain" && unpackErr == nil && looksPacked(data) && string(plain) != text && string(plain) != text+text {
		return fmt.Errorf("unpacked without an error, but to %q instead of %q", syntax.Clip(plain), text)
	}
	switch turn % 4 {
	case 0:
		err = checkDamaged[float32](plain)
	case 1:
		err = checkDamaged[float64](plain)
	case 2:
		err = checkDamaged[int32](plain)
	default:
		err = checkDamaged[int64](plain)
	}
	if measured {
		runtime.ReadMemStats(&after)
		// 64 KiB buffers, the tables of a decompressor, and some copies of the input and the
		// output.
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(32<<20+400*(len(data)+len(plain))); used > limit {
			return fmt.Errorf("%d bytes of memory for %d bytes read, %d unpacked", used, len(data), len(plain))
		}
	}
	return err
}

func looksPacked(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\x1f\x8b\x08")) || bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd"))
}

// checkDamaged reads the text with and without OnError and compares the results.
func checkDamaged[W Weight](text []byte) error {
	lines := bytes.Count(text, []byte("\n")) + 1
	var first *syntax.Error
	set, err := readSVMLight[W](context.Background(), bytes.NewReader(text), ReadOptions{Name: "damaged", OnError: func(err error) {
		if first == nil {
			first = err.(*syntax.Error)
		}
	}})
	if err != nil {
		return fmt.Errorf("reading with OnError failed: %w", err)
	}
	if err := set.Validate(); err != nil {
		return err
	}
	_, err = readSVMLight[W](context.Background(), bytes.NewReader(text), ReadOptions{Name: "damaged"})
	var malformed *syntax.Error
	switch {
	case err == nil && first == nil:
		return nil
	case !errors.As(err, &malformed):
		return fmt.Errorf("without OnError: %v, with OnError: %v", err, first)
	case first == nil || malformed.Line != first.Line || malformed.Column != first.Column:
		return fmt.Errorf("without OnError, reading stops at %v, with OnError at %v", malformed, first)
	case malformed.Line < 1 || malformed.Line > lines || malformed.Column < 1 || malformed.Want == "":
		return fmt.Errorf("an error without a place or a word: %#v", malformed)
	}
	line := bytes.Split(text, []byte("\n"))[malformed.Line-1]
	if malformed.Column > len(line)+1 {
		return fmt.Errorf("column %d of a line of %d bytes: %v", malformed.Column, len(line), malformed)
	}
	return nil
}
