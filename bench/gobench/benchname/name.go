// Package benchname builds and parses the names of benchmarks, such as
// Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024. Names must never change: results of years can
// be compared only because they are called the same.
package benchname

import (
	"fmt"
	"slices"
	"strings"
)

// Name is the name of a benchmark without the word Benchmark at its front.
type Name struct {
	Base string // what is measured: Hash, Accumulate ...
	Keys []Key  // in order
}

// Key is one part of a name.
type Key struct{ Key, Value string }

// New returns the name with keys and values that alternate. An empty value leaves its key out.
func New(base string, keysAndValues ...string) Name {
	n := Name{Base: base}
	for i := 0; i < len(keysAndValues); i += 2 {
		if value := keysAndValues[i+1]; value != "" {
			n.Keys = append(n.Keys, Key{keysAndValues[i], value})
		}
	}
	return n
}

// Parse is the inverse of String. Every part but the first must read key=value.
func Parse(s string) (Name, error) {
	base, rest, more := strings.Cut(s, "/")
	n := Name{Base: base}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return Name{}, fmt.Errorf("benchname: %q: expected key=value, got %q", s, part)
		}
		n.Keys = append(n.Keys, Key{key, value})
	}
	if base == "" || strings.Contains(base, "=") {
		return Name{}, fmt.Errorf("benchname: %q does not start with what is measured", s)
	}
	return n, nil
}

// String returns base/key=value/key=value...
func (n Name) String() string {
	var b strings.Builder
	b.WriteString(n.Base)
	for _, k := range n.Keys {
		b.WriteString("/" + k.Key + "=" + k.Value)
	}
	return b.String()
}

// Get returns the value of a key, "" where the name has none.
func (n Name) Get(key string) string {
	if i := n.index(key); i >= 0 {
		return n.Keys[i].Value
	}
	return ""
}

// With returns the name with another value for a key that it has.
func (n Name) With(key, value string) Name {
	n.Keys = slices.Clone(n.Keys)
	if i := n.index(key); i >= 0 {
		n.Keys[i].Value = value
	}
	return n
}

func (n Name) index(key string) int {
	return slices.IndexFunc(n.Keys, func(k Key) bool { return k.Key == key })
}
