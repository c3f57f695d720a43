package advice

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// summary is what a recommendation comes to, without what is empty: "use a, alike b; weak c".
func summary(r *Recommendation) string {
	var parts []string
	add := func(what string, list []*Choice) {
		if len(list) > 0 {
			var names []string
			for _, c := range list {
				name := c.Hash
				if c.Encoding != "le64" {
					name += " " + c.Encoding
				}
				names = append(names, name)
			}
			parts = append(parts, what+" "+strings.Join(names, ", "))
		}
	}
	priced := func(list []Priced) (choices []*Choice) {
		for _, p := range list {
			choices = append(choices, p.Choice)
		}
		return choices
	}
	for _, m := range r.Machines {
		if m.Best != nil {
			parts = append(parts, fmt.Sprintf("use %s at %.2f", m.Best.Hash, m.Best.Time.Median))
		}
		add("alike", priced(m.Alike))
		add("dearer", priced(m.Dearer))
		if m.Unclear > 0 {
			parts = append(parts, fmt.Sprintf("%d unclear", m.Unclear))
		}
		add("untimed", m.Untimed)
		add("cheaper", priced(m.Cheaper))
	}
	add("fewer", r.Fewer)
	add("undecided", r.Undecided)
	add("weak", r.Weak)
	return strings.Join(parts, "; ")
}

func TestRecommend(t *testing.T) {
	noisy := func(r *results, hash string, value float64) {
		r.samples(fmt.Sprintf(hashRow, hash, "le64"), "ns/key", value, 9, 0.9)
	}
	for _, tc := range []struct {
		name string
		make func(r *results)
		want string
	}{
		{"the cheapest good one, not the cheapest", func(r *results) {
			r.cell("fast", "le64", onQ, 9, -1)
			r.cell("mean", "le64", onQ, 63, 1)
			r.cell("dear", "le64", onQ, 64, 1)
			r.good("fast", "mean", "dear")
			r.hashed("fast", 1)
			r.hashed("mean", 2)
			r.hashed("dear", 9)
		}, "use mean at 2.00; dearer dear; weak fast"},
		{"undecided is not good, nor is what has no verdict, or one that nobody knows", func(r *results) {
			r.good("good")
			r.cell("open", "le64", onP, 57, 0)
			r.cell("odd", "le64", onP, 63, 0.5)
			r.exact("Quality/hash=none/encoding=le64/"+onP+"/f=64", 64.0, "effective-bits")
			for _, hash := range []string{"open", "odd", "none"} {
				r.hashed(hash, 1)
			}
			r.hashed("good", 2)
		}, "use good at 2.00; undecided open, odd, none"},
		{"the worst first, and what has no figures last", func(r *results) {
			r.cell("bad", "le64", onP, 20, -1)
			r.cell("worse", "le64", onP, 10, -1)
			r.exact("Quality/hash=a-blank/encoding=le64/"+onP+"/f=64", -1.0, "verdict")
		}, "weak worse, bad, a-blank"},
		{"what was measured in fewer cases is not recommended", func(r *results) {
			r.good("a", "b", "c", "d")
			r.cell("b", "le64", onQ, 63, 1)
			r.cell("d", "le64", onQ, 63, 1)
			for i, hash := range []string{"a", "b", "c", "d"} {
				r.hashed(hash, float64(i+1))
			}
		}, "use b at 2.00; dearer d; cheaper a; fewer a, c"},
		{"unless nothing has all usual cases", func(r *results) {
			r.good("a")
			r.cell("b", "le64", onQ, 63, 1)
			r.hashed("a", 1)
			r.hashed("b", 2)
		}, "use a at 1.00; dearer b; fewer a, b"},
		{"a case that few hashes have is asked of none", func(r *results) {
			r.good("a", "b", "c")
			r.cell("a", "le64", onQ, 63, 1)
			r.hashed("a", 2)
			r.hashed("b", 1)
		}, "use b at 1.00; dearer a; untimed c"},
		{"as cheap within the noise", func(r *results) {
			r.good("a", "b", "c")
			r.hashed("a", 1)
			r.hashed("b", 1.001)
			r.hashed("c", 1.2)
		}, "use a at 1.00; alike b; dearer c"},
		{"noise makes nothing alike that is far apart", func(r *results) {
			r.good("a", "b", "c")
			noisy(r, "a", 3)
			noisy(r, "b", 3.5)
			noisy(r, "c", 6)
		}, "use a at 3.00; alike b; dearer c; 1 unclear"},
		{"too few samples bound nothing", func(r *results) {
			r.good("a", "b", "c")
			for i, hash := range []string{"a", "b", "c"} {
				r.exact(fmt.Sprintf(hashRow, hash, "le64"), []float64{1, 1.2, 2}[i], "ns/key")
			}
		}, "use a at 1.00; alike b; dearer c; 1 unclear"},
		{"no times", func(r *results) { r.good("a") }, "untimed a"},
		{"naive times count for nothing, nor do those of two cores or of nothing", func(r *results) {
			r.good("a", "b", "c", "d")
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "a", "le64"), "avx2", "naive"), "ns/key", 1)
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "c", "le64"), "/n=", "/cpus=2/n="), "ns/key", 1)
			r.hashed("d", 0)
			r.hashed("b", 2)
		}, "use b at 2.00; untimed a, c, d"},
		{"the better kernel counts", func(r *results) {
			r.good("a", "b")
			r.hashed("a", 5)
			r.times(strings.ReplaceAll(fmt.Sprintf(hashRow, "a", "le64"), "avx2", "avx512"), "ns/key", 1)
			r.hashed("b", 2)
		}, "use a at 1.00; dearer b"},
		{"whole sketches before hashing alone", func(r *results) {
			r.good("a", "b")
			r.times(fmt.Sprintf(sketchRow, "a"), "ns/nnz", 4)
			r.times(fmt.Sprintf(sketchRow, "b"), "ns/nnz", 3)
			r.hashed("a", 1)
			r.hashed("b", 2)
		}, "use b at 3.00; dearer a"},
		{"unless hashing was timed for more", func(r *results) {
			r.good("a", "b")
			r.times(fmt.Sprintf(sketchRow, "b"), "ns/nnz", 3)
			r.hashed("a", 1)
			r.hashed("b", 2)
		}, "use a at 1.00; dearer b"},
		{"times of one thing only, with f32 weights and of the width", func(r *results) {
			r.good("a", "b")
			r.times(fmt.Sprintf(sketchRow, "a"), "ns/nnz", 4)
			r.times(fmt.Sprintf(sketchRow, "b"), "ns/nnz", 3)
			r.times(fmt.Sprintf(ownSketch, "a"), "ns/nnz", 1)
			for _, hash := range []string{"a", "b"} {
				r.times(strings.ReplaceAll(fmt.Sprintf(sketchRow, hash), "f32", "unit"), "ns/nnz", 1)
				r.times(strings.ReplaceAll(fmt.Sprintf(sketchRow, hash), "f=64", "f=32"), "ns/nnz", 1)
			}
		}, "use b at 3.00; dearer a"},
		{"other widths stand aside", func(r *results) {
			r.good("a", "b")
			r.exact("Quality/hash=c/encoding=le64/"+onP+"/f=32", 32.0, "effective-bits", 1.0, "verdict")
			r.hashed("a", 2)
			r.hashed("b", 3)
			r.hashed("c", 1)
		}, "use a at 2.00; dearer b"},
		{"in order of hash and encoding", func(r *results) {
			for _, encoding := range []string{"dec", "be64", "le64"} {
				r.cell("b", encoding, onP, 63, 1)
				r.cell("a", encoding, onP, 63, 1)
			}
		}, "untimed a, a be64, a dec, b, b be64, b dec"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r results
			tc.make(&r)
			if got := summary(Recommend(set(r), "")); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

// On a data set its own cases and times count, and what is weak elsewhere comes last.
func TestRecommendOnData(t *testing.T) {
	var r results
	r.cell("xxh64", "le64", onData, 64, 1)
	r.cell("fast", "le64", onData, 63, 1)
	r.cell("open", "le64", onData, 57, 0)
	r.cell("fast", "le64", onP, 11, -1)
	r.cell("other", "le64", onP, 64, 1)
	for i, hash := range []string{"fast", "xxh64"} {
		r.times(fmt.Sprintf(sketchRow, hash), "ns/nnz", float64(4-i))
		r.times(fmt.Sprintf(ownSketch, hash), "ns/nnz", []float64{1.5, 2}[i])
	}
	r.times(fmt.Sprintf(sketchRow, "open"), "ns/nnz", 1)
	a := Recommend(set(r), "own.svm")
	// fast is weak on other vectors: no choice as long as there is another
	if got, want := summary(a), "use xxh64 at 2.00; undecided open"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	cheaper := a.Machines[0].CheaperHere
	if len(a.HereOnly) != 1 || len(cheaper) != 1 || cheaper[0].Choice != a.HereOnly[0] || cheaper[0].Hash != "fast" {
		t.Fatalf("good here only: %v, cheaper %v", a.HereOnly, cheaper)
	}
	if e := a.HereOnly[0].Elsewhere; e == nil || e.Row.Name.Get("pattern") != "p" || a.Default.Elsewhere != nil {
		t.Errorf("elsewhere: %v and %v", e, a.Default.Elsewhere)
	}
	r.cell("xxh64", "le64", onP, 12, -1)
	a = Recommend(set(r), "own.svm")
	if got, want := summary(a), "use fast at 1.50; dearer xxh64; undecided open"; got != want {
		t.Errorf("nothing is good elsewhere: %s, want %s", got, want)
	}
	if on := a.Machines[0]; a.Default.Hash != "xxh64" || on.Saves < 0.24 || on.Saves > 0.26 {
		t.Errorf("changing from %v saves %v", a.Default, on.Saves)
	}
}

// What noise cannot tell from the best, changing gains nothing from.
func TestSavesBeyondNoise(t *testing.T) {
	var r results
	r.good("a", "xxh64")
	r.hashed("a", 2)
	r.hashed("xxh64", 2.003)
	if on := Recommend(set(r), "").Machines[0]; on.Best.Hash != "a" || on.Saves != 0 {
		t.Errorf("best %v; changing saves %v", on.Best, on.Saves)
	}
}

// What the file says of the vectors is why there is no verdict on them; of other patterns it says
// nothing.
func TestNote(t *testing.T) {
	var r results
	r.cell("a", "le64", onData, 57, 0)
	r.cell("b", "le64", onP, 57, 0)
	const note = "no verdict: 3 vectors are too few"
	s := NewSet([]Source{{File: resultfile.File{Rows: r, Head: []resultfile.Field{{Name: "note", Value: note}}}}})
	a := Recommend(s, "")
	if got := a.Choices[0].Worst().Why(); got != "the file says: "+note {
		t.Errorf("reason %q", got)
	}
	if got := a.Choices[1].Worst().Why(); strings.Contains(got, note) {
		t.Errorf("of another pattern: %s", got)
	}
}
