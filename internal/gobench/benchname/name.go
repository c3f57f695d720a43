// Package benchname builds and parses the names of benchmarks, such as
// Hash/hash=xxh64/encoding=le64/kernel=avx2/n=1024. Names must never change, so that old results
// can be compared with new ones.
package benchname

import (
	"slices"
	"strings"
)

// Name is the name of a benchmark without the prefix Benchmark.
type Name struct {
	Base string // the measured operation: Hash, Accumulate ...
	Keys []Key  // in order
}

// Key is one part of a name.
type Key struct{ Key, Value string }

// New returns a name. Keys and values alternate. A key with an empty value is omitted.
func New(base string, keysAndValues ...string) Name {
	n := Name{Base: base}
	for i := 0; i < len(keysAndValues); i += 2 {
		if value := keysAndValues[i+1]; value != "" {
			n.Keys = append(n.Keys, Key{keysAndValues[i], value})
		}
	}
	return n
}

// Parse is the inverse of String. A name of another program, some part of which does not have the
// form key=value, is a base without keys.
func Parse(s string) Name {
	parts := strings.Split(s, "/")
	n := Name{Base: parts[0]}
	for _, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return Name{Base: s}
		}
		n.Keys = append(n.Keys, Key{key, value})
	}
	return n
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

// Get returns the value of a key, or "" if the name does not have the key.
func (n Name) Get(key string) string {
	if i := n.index(key); i >= 0 {
		return n.Keys[i].Value
	}
	return ""
}

// With returns a copy of the name in which an existing key has another value.
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
