package conventions

import (
	"errors"

	"simhashkit/fphash"
)

// HasTexts reports whether the system has a way of its own to make features of texts.
func (c Convention) HasTexts() bool { return textEntries[c.Name] != nil }

// textEntries append the features of a text to a list, by the names of presets.
var textEntries = map[string]func([]byte, [][]byte) [][]byte{
	"mfonda":    mfondaWords,
	"1e0ng-64":  pythonWindows,
	"1e0ng-128": pythonWindows,
}

// AppendText appends the fingerprint of a text, of which the system itself makes features, each
// counted once for each occurrence. It fails for a system that does not: see Convention.HasTexts.
// The text is UTF-8.
func (s *Sketcher) AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	features := textEntries[s.convention.Name]
	if features == nil {
		return dst, fphash.NoInformation, s.wrap(errors.New("it makes no features of texts"))
	}
	return AppendUnit(s, dst, features(text, nil))
}
