package dedup

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/binomial"
)

// A sheet that is labelled and read again says of each distance what was labelled.
func TestSheet(t *testing.T) {
	records := &Records{Name: "x"}
	records.Set.Bits = 64
	texts := map[int]string{}
	add := func(fingerprint uint64, text string) {
		texts[records.Len()] = text
		records.Add(nil, []uint64{fingerprint}, true)
	}
	add(0, "=1+1")
	for i := range 3000 {
		add(1<<(i%3)-1, "a text, with a comma,\nlines and \"quotes\" 東京"+strings.Repeat(" x", i))
	}
	r, err := Find(t.Context(), records, Options{K: 3, By: First})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.WriteSheet(&out, r.Examples(90), texts); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 91 || rows[1][5] != "'=1+1" {
		t.Fatalf("%d rows, %v, %q", len(rows), err, rows[1])
	}
	var want []Stratum
	for d := range 3 {
		want = append(want, Stratum{Distance: d, Dropped: 1000, Drawn: 30, Labelled: 20, Same: 10})
	}
	for _, separator := range []rune{',', ';', '\t'} {
		var labelled bytes.Buffer
		w := csv.NewWriter(&labelled)
		w.Comma = separator
		seen := map[string]int{}
		for i, row := range rows {
			if label := seen[row[1]]; i > 0 {
				row[0] = []string{"yes", " NO ", ""}[label%3]
				seen[row[1]]++
			}
			if err := w.Write(append([]string{"a column of their own"}, row...)); err != nil {
				t.Fatal(err)
			}
		}
		w.Flush()
		got, err := ReadSheet(&labelled, "sheet.csv")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v, -want +got\n%s", separator, err, diff)
		}
	}
}

func TestSheetsThatAreWrong(t *testing.T) {
	for sheet, want := range map[string]string{
		"":                `expected the column "same"`,
		"same,distance\n": `expected the column "dropped_at_distance"`,
		"same,distance,dropped_at_distance\nyes,x,1\n":         `:2: distance "x"`,
		"same,distance,dropped_at_distance\nyes,-1,1\n":        `:2: distance "-1"`,
		"same,distance,dropped_at_distance\nyes,1,0\n":         `:2: dropped_at_distance "0"`,
		"same,distance,dropped_at_distance\nyes,1\n":           `:2: dropped_at_distance ""`,
		"same,distance,dropped_at_distance\nyes,1,9\nno,1,8\n": `:3: dropped_at_distance 8: expected 9`,
		"same,distance,dropped_at_distance\nyes,1,1\nno,1,1\n": `:3: 2 pairs of distance 1, expected 1`,
		"same,distance,dropped_at_distance\n\"yes,1,1\n":       "sheet.csv: ",
		"same,distance,dropped_at_distance\nja,1,1\n":          `:2: same "ja": expected yes, no, or nothing`,
	} {
		if got, err := ReadSheet(strings.NewReader(sheet), "sheet.csv"); err == nil || !strings.HasPrefix(err.Error(), "sheet.csv") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, expected %q", sheet, got, err, want)
		}
	}
}

// Whatever a sheet holds, its strata are sound or it is an error.
func FuzzReadSheet(f *testing.F) {
	for _, sheet := range []string{"same,distance,dropped_at_distance\nyes,1,2\n,1,2\n", "\ufeffdistance;same;dropped_at_distance\r\n3;\"no\";7\r\n", "same\tdistance\tdropped_at_distance\n1\t0"} {
		f.Add(sheet)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		strata, err := ReadSheet(strings.NewReader(sheet), "sheet.csv")
		if err != nil {
			return
		}
		for i, s := range strata {
			if s.Same > s.Labelled || s.Labelled > s.Drawn || s.Drawn > s.Dropped || s.Drawn < 1 || i > 0 && s.Distance <= strata[i-1].Distance {
				t.Errorf("%+v", strata)
			}
			if p, ok := PrecisionOf(s); ok && !(0 <= p.Low && p.Low <= p.Value && p.Value <= p.High && p.High <= 1) {
				t.Errorf("%+v: %+v", s, p)
			}
		}
	})
}

// Of sheets that are drawn from known records, some 95 of 100 intervals hold the precision of all,
// whether strata are of one size or not, sure or not, drawn in part or as a whole.
func TestPrecisionHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		dropped []int
		share   []float64
		drawn   int
	}{
		{[]int{1000}, []float64{0.9}, 50},
		{[]int{1000, 500, 300}, []float64{0.98, 0.8, 0.3}, 25},
		{[]int{10_000, 100, 10}, []float64{0.95, 0.5, 0.1}, 20},
		{[]int{40, 300, 20}, []float64{0.97, 0.95, 0.5}, 20},
	} {
		holds, point := 0, 0.0
		const tries = 2000
		truth := 0.0
		for range tries {
			all, same := 0, 0
			var strata []Stratum
			for i, n := range c.dropped {
				s := Stratum{Distance: i, Dropped: n}
				good := int(float64(n)*c.share[i] + 0.5)
				all, same = all+n, same+good
				for _, record := range random.Perm(n)[:min(n, c.drawn)] {
					s.Labelled++
					if record < good {
						s.Same++
					}
				}
				strata = append(strata, s)
			}
			truth = float64(same) / float64(all)
			p, ok := PrecisionOf(strata...)
			if !ok || p.Low > p.Value || p.High < p.Value {
				t.Fatalf("%+v: %+v", strata, p)
			}
			point += p.Value / tries
			if p.Low <= truth && truth <= p.High {
				holds++
			}
		}
		if part := float64(holds) / tries; part < 0.92 {
			t.Errorf("%+v: %.1f of 100 intervals hold %.3f, expected 95", c, 100*part, truth)
		}
		if point < truth-0.01 || point > truth+0.01 {
			t.Errorf("%+v: %.3f on average, expected %.3f", c, point, truth)
		}
	}
	if p, ok := PrecisionOf(Stratum{Dropped: 4, Labelled: 4, Same: 3}); !ok || p != (Precision{0.75, 0.75, 0.75}) {
		t.Errorf("all labelled: %+v", p)
	}
}

// Two strata of one kind say as much as one of their size.
func TestPrecisionOfStrata(t *testing.T) {
	half := Stratum{Dropped: 1e9, Labelled: 100, Same: 80}
	p, _ := PrecisionOf(half, half)
	low, high := binomial.Wilson(0.8, 200)
	if math.Abs(p.Low-low) > 0.002 || math.Abs(p.High-high) > 0.002 || math.Abs(p.Value-0.8) > 1e-12 {
		t.Errorf("%v, expected %v to %v", p, low, high)
	}
}

// The k of an audit is the largest within which 95 of 100 are the same, and none beyond a distance
// that has no label.
func TestAuditedK(t *testing.T) {
	good, bad, none := Stratum{Dropped: 100, Labelled: 40, Same: 40}, Stratum{Dropped: 100, Labelled: 40, Same: 8}, Stratum{Dropped: 1}
	at := func(strata ...Stratum) []Stratum {
		for i := range strata {
			strata[i].Distance = 2 * i
		}
		return strata
	}
	for _, c := range []struct {
		strata []Stratum
		want   string
	}{
		{at(good, good, bad), "2"},
		{at(bad, good), "none"},
		{at(good, none, good), "0"},
		{at(none, good), "none"},
		{nil, "none"},
	} {
		got := "none"
		if k, p, ok := AuditedK(c.strata); ok {
			if got = fmt.Sprint(k); p.Value < wanted {
				t.Errorf("%+v: %v", c.strata, p)
			}
		}
		if got != c.want {
			t.Errorf("%+v: k = %s, expected %s", c.strata, got, c.want)
		}
	}
}
