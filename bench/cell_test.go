package bench

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

func cells(t *testing.T, o Options) []string {
	t.Helper()
	list, err := o.cells()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range list {
		names = append(names, c.Name.String())
	}
	return names
}

// maxDefaultCells keeps the default suite to about a minute on two cores: two cells for each hash
// and encoding.
var maxDefaultCells = 2 * 3 * len(fphash.Families())

func TestDefaultCellsAreBounded(t *testing.T) {
	for _, data := range []string{DefaultData, "own.svm"} {
		n := len(cells(t, Options{Data: data}))
		if n > maxDefaultCells {
			t.Errorf("data %s: %d cells, at most %d wanted", data, n, maxDefaultCells)
		}
		t.Logf("data %s: %d cells", data, n)
	}
	t.Logf("suite quality: %d cells, in full %d", len(cells(t, Options{Suite: SuiteQuality})), len(cells(t, Options{Suite: SuiteQuality, Full: true})))
}

// Whoever runs the default sees every family under every encoding, and all of them in the same
// cases.
func TestDefaultCellsHaveEveryHash(t *testing.T) {
	got := cells(t, Options{Data: DefaultData})
	cases := map[string]int{}
	for _, name := range got {
		cases[name[strings.Index(name, "/pattern="):strings.Index(name, "/f=")]]++
	}
	for name, n := range cases {
		if n*len(cases) != len(got) {
			t.Errorf("%d of %d cells are of%s: not as many as of others", n, len(got), name)
		}
	}
	for _, f := range fphash.Families() {
		for _, e := range []string{"le64", "be64", "dec"} {
			wanted := (!f.Integer || e == "le64") && f.Name != "identity" // which is none to choose
			has := slices.ContainsFunc(got, func(name string) bool { return strings.HasPrefix(name, "Quality/hash="+f.Name+"/encoding="+e+"/") })
			if has != wanted {
				t.Errorf("%s with %s: in the grid %v, want %v", f.Name, e, has, wanted)
			}
		}
	}
}

// Names as they stand in the design and in result files of the past.
func TestFrozenCellNames(t *testing.T) {
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{}, "Quality/hash=fnv1a64/encoding=dec/pattern=consecutive/weights=unit/f=64"},
		{Options{}, "Quality/hash=crc32c/encoding=le64/pattern=consecutive/weights=unit/f=32"},
		{Options{Data: "own.svm"}, "Quality/hash=md5/encoding=be64/pattern=data/weights=f32/data=own.svm/f=64"},
		{Options{Bits: []int{128}, Widen: fphash.WidenMix}, "Quality/hash=xxh64/encoding=le64/pattern=consecutive/weights=unit/widen=mix/f=128"},
		{Options{Bits: []int{128}, Widen: fphash.WidenMix}, "Quality/hash=md5/encoding=le64/pattern=consecutive/weights=unit/f=128"},
		{Options{Suite: SuiteQuality}, "Quality/hash=fnv1-64/encoding=be64/pattern=bitrev/weights=unit/f=64"},
	} {
		if got := cells(t, tc.options); !slices.Contains(got, tc.want) {
			t.Errorf("%+v lacks %s", tc.options, tc.want)
		}
	}
}

func TestCellsChoose(t *testing.T) {
	one := Options{Suite: SuiteQuality, Hashes: []string{"md5"}, Encodings: []fphash.Encoding{fphash.LE64}}
	with := func(change func(*Options)) Options {
		o := one
		change(&o)
		return o
	}
	for _, tc := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"patterns", with(func(o *Options) {
			o.Patterns, o.Weights = []quality.Pattern{quality.Strided}, []string{"signed", "f32"}
		}), []string{
			"Quality/hash=md5/encoding=le64/pattern=strided/weights=signed/f=64"}},
		{"data and all else", Options{Hashes: []string{"md5"}, Encodings: []fphash.Encoding{fphash.Dec}, Data: "own.svm"}, []string{
			"Quality/hash=md5/encoding=dec/pattern=data/weights=f32/data=own.svm/f=64", "Quality/hash=md5/encoding=dec/pattern=consecutive/weights=unit/f=64"}},
		{"data only", with(func(o *Options) { o.Patterns, o.Data = []quality.Pattern{quality.Data}, "own.svm" }), []string{
			"Quality/hash=md5/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64"}},
		{"types are for data", with(func(o *Options) { o.Weights, o.Data = []string{"f32"}, "own.svm" }), []string{
			"Quality/hash=md5/encoding=le64/pattern=data/weights=f32/data=own.svm/f=64"}},
		{"no kernels", with(func(o *Options) { o.Kernels = []string{"generic"} }), nil},
		{"none on the machine's data", with(func(o *Options) { o.Patterns, o.Data = []quality.Pattern{quality.Data}, DefaultData }), nil},
		{"too narrow", with(func(o *Options) { o.Bits = []int{256} }), nil},
		{"match", with(func(o *Options) { o.Match = regexp.MustCompile("^BenchmarkQuality.*pow2") }), []string{
			"Quality/hash=md5/encoding=le64/pattern=pow2/weights=unit/f=64"}},
	} {
		if diff := cmp.Diff(tc.want, cells(t, tc.options)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestPlan(t *testing.T) {
	p, err := NewPlan(Options{Match: regexp.MustCompile("^Quality/hash=md5/")})
	if err != nil || len(p.Cases) > 0 || len(p.Cells) == 0 || p.NeedData() {
		t.Errorf("plan %v, error %v, want nothing but cells", p, err)
	}
	if p, err = NewPlan(Options{Data: "own.svm", Patterns: []quality.Pattern{quality.Data}, Match: regexp.MustCompile("^Quality")}); err != nil || !p.NeedData() {
		t.Errorf("cells on data need none: %v", err)
	}
	for _, tc := range []struct {
		options Options
		want    string
	}{
		{Options{Patterns: []quality.Pattern{"stride"}}, `unknown pattern "stride"`},
		{Options{Weights: []string{"sign"}}, `unknown weights "sign"; expected unit, i32, i64, f32, f64, counts`},
		{Options{Suite: SuiteQuality, Hashes: []string{"xxh65"}}, `did you mean "xxh64"`},
		{Options{Match: regexp.MustCompile("nothing")}, "no benchmark matches"},
		{Options{Match: regexp.MustCompile("nothing")}, "no benchmark matches"},
	} {
		if _, err := NewPlan(tc.options); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want one with %q", tc.options, err, tc.want)
		}
	}
}
