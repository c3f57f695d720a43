package conventions

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/testing/tools"
)

// hashingCase is an input of testdata/hashing.py.
type hashingCase struct {
	Features  []string `json:"features"`
	Size      int      `json:"size"`
	Seed      uint32   `json:"seed"`
	Namespace string   `json:"namespace"`
}

// ours returns what hashing.py prints for a system.
func (c hashingCase) ours(system string) string {
	var list []string
	switch system {
	case "sklearn":
		for _, h := range AppendFeatureHasher(nil, c.Size, c.Features) {
			list = append(list, fmt.Sprintf("%.0f:%d", h.Sign, h.Column))
		}
	case "vowpalwabbit":
		for _, index := range AppendVowpalWabbit(nil, c.Size, c.Namespace, c.Features) {
			list = append(list, fmt.Sprint(index))
		}
	default:
		var features [][]byte
		for _, f := range c.Features {
			features = append(features, []byte(f))
		}
		for _, value := range NewDatasketch(c.Size, c.Seed).Append(nil, features) {
			list = append(list, fmt.Sprint(value))
		}
	}
	return strings.Join(list, " ")
}

// The values are outputs of scikit-learn 1.9.1, Vowpal Wabbit 9.11.9 and datasketch 2.0.0.
func TestHashingConventions(t *testing.T) {
	for _, c := range []struct {
		system string
		hashingCase
		want string
	}{
		{"sklearn", hashingCase{Features: []string{"a", "hello", "city=Paris", "é", "", "42"}, Size: 1048576}, "1:354738 1:784967 -1:662641 1:67463 1:0 -1:482250"},
		{"sklearn", hashingCase{Features: []string{"a", "b", "c", "d", "e"}, Size: 1000}, "1:850 -1:861 -1:17 1:59 1:959"},
		{"vowpalwabbit", hashingCase{Features: []string{"a", "hello", "12", "012x", "café", "99999999999999999999"}, Size: 18, Namespace: "ns"}, "180474 104835 120356 252708 208799 120343"},
		{"vowpalwabbit", hashingCase{Features: []string{"a", "7"}, Size: 24}, "2451890 7"},
		{"vowpalwabbit", hashingCase{Features: []string{"a", "3"}, Size: 10, Namespace: "12"}, "784 15"},
		{"datasketch", hashingCase{Features: []string{"a", "b"}, Size: 8, Seed: 1}, "2120695791 1008881376 645121904 3459895924 842417644 49088999 249482610 2031277724"},
		{"datasketch", hashingCase{Features: []string{"to", "be", "or", "not"}, Size: 5, Seed: 4294967295}, "655014369 1534894986 737356414 1080537792 355182406"},
		{"datasketch", hashingCase{Features: []string{}, Size: 2, Seed: 1}, "4294967295 4294967295"},
	} {
		if got := c.ours(c.system); got != c.want {
			t.Errorf("%s, %+v: %s, want %s", c.system, c.hashingCase, got, c.want)
		}
	}
}

// The systems give the same values to random features.
func TestHashingOfPython(t *testing.T) {
	for _, system := range []string{"sklearn", "vowpalwabbit", "datasketch"} {
		t.Run(system, func(t *testing.T) {
			r := rand.New(rand.NewPCG(32, 1))
			var cases []hashingCase
			for range 30 {
				c := hashingCase{Size: 1 + r.IntN(30), Seed: r.Uint32(), Namespace: []string{"", "ns", "12", "user", "中"}[r.IntN(5)]}
				if system != "vowpalwabbit" {
					c.Size = 1 + r.IntN(1<<r.IntN(12))
				}
				for range 1 + r.IntN(100) {
					c.Features = append(c.Features, []string{"a", "city=", "é", "7", "感冒", "x^"}[r.IntN(6)]+fmt.Sprint(r.IntN(1<<r.IntN(30))))
				}
				cases = append(cases, c)
			}
			out := tools.Python(t, []string{system}, filepath.Join("testdata", "hashing.py"), jsonLines(t, cases), system)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if len(lines) != len(cases) {
				t.Fatalf("%d answers for %d cases", len(lines), len(cases))
			}
			for i, c := range cases {
				if got := c.ours(system); got != lines[i] {
					t.Errorf("%+v: %s, want %s", c, got, lines[i])
				}
			}
		})
	}
}

func TestSizesOfHashing(t *testing.T) {
	for _, f := range []func(){
		func() { AppendFeatureHasher(nil, 0, nil) }, func() { AppendFeatureHasher(nil, -1, nil) },
		func() { AppendVowpalWabbit(nil, 0, "", nil) }, func() { AppendVowpalWabbit(nil, 33, "", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		}()
	}
}
