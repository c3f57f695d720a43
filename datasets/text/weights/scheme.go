package weights

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme says what the weight of a feature is; see the package's documentation.
type Scheme string

// The schemes.
const (
	Count    Scheme = "count"
	LogCount Scheme = "log"
	TFIDF    Scheme = "tfidf"
	LogTFIDF Scheme = "log-tfidf"
	ByHand   Scheme = "hand"
)

// Schemes lists all schemes.
func Schemes() []Scheme { return []Scheme{Count, LogCount, TFIDF, LogTFIDF, ByHand} }

// ParseScheme returns the scheme of a name.
func ParseScheme(name string) (Scheme, error) {
	if s := Scheme(name); slices.Contains(Schemes(), s) {
		return s, nil
	}
	var names []string
	for _, s := range Schemes() {
		names = append(names, string(s))
	}
	return "", fmt.Errorf("weights: unknown scheme %q; expected %s", name, strings.Join(names, ", "))
}

// NeedsIDF reports whether the scheme takes an IDF.
func (s Scheme) NeedsIDF() bool { return s == TFIDF || s == LogTFIDF }
