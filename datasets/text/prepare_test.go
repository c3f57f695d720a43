package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"simhashkit/internal/unicode15"
)

// referencePrepared is a reference for prepare, using the library and strings.
func referencePrepared(o Options, s string) (prepared string) {
	s = string([]rune(s))
	for s != "" {
		end := strings.IndexFunc(s, func(r rune) bool { return !unicode15.IsAssigned(r) })
		if end == 0 {
			_, size := utf8.DecodeRuneInString(s)
			prepared, s = prepared+s[:size], s[size:]
			continue
		} else if end < 0 {
			end = len(s)
		}
		piece := s[:end]
		if o.NFKC {
			piece = norm.NFKC.String(piece)
		}
		if o.Fold {
			piece = cases.Fold().String(piece)
		}
		prepared, s = prepared+piece, s[end:]
	}
	return prepared
}

func checkPrepared(t *testing.T, p *preparer, s string) {
	t.Helper()
	if got, want := string(p.prepare([]byte(s))), referencePrepared(Options{NFKC: p.nfkc, Fold: p.fold}, s); got != want {
		t.Fatalf("prepare(%q) with nfkc %v and fold %v: expected %q, got %q", s, p.nfkc, p.fold, want, got)
	}
}

func TestPrepare(t *testing.T) {
	for form := range 4 {
		p := newPreparer(Options{NFKC: form&1 != 0, Fold: form&2 != 0})
		for r := range rune(0x30000) { // each character, surrounded by others and repeated
			checkPrepared(t, &p, "A"+string(r)+"É")
			if r < 0x600 || r > 0x1E00 && r < 0x2000 {
				checkPrepared(t, &p, strings.Repeat(string(r), 50)+"z")
			}
		}
		for _, s := range []string{"", "\xff", "A\xe4\xb8", "\xf0\x9f\x98", strings.Repeat("ΐ", 5000), strings.Repeat("漢", 5000), "a" + strings.Repeat("É漢", 5000), "Ａ\xff\u0301"} {
			checkPrepared(t, &p, s)
		}
	}
}

func FuzzPrepare(f *testing.F) {
	f.Add("ＡBC ﬃ İ ΐ \xff", byte(3))
	f.Fuzz(func(t *testing.T, s string, form byte) {
		p := newPreparer(Options{NFKC: form&1 != 0, Fold: form&2 != 0})
		checkPrepared(t, &p, s)
		checkPrepared(t, &p, s+s)
	})
}
