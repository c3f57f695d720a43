package textsketch

import (
	"errors"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

var errStop = errors.New("stop")

// On every route to the codes the mask is that of the same features and weights, and the
// fingerprint the one without masks; documents have them in their order.
func TestMasks(t *testing.T) {
	const unsure = 5
	hash, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		features string
		scheme   weights.Scheme
	}{{"words", weights.Count}, {"bytes,n=3", weights.Count}, {"bytes,n=9", weights.Count}, {"characters,n=2", weights.LogCount}} {
		options, err := text.ParseOptions(c.features)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Options{Text: options, Weights: weights.Options{Scheme: c.scheme}, Hash: hash, Unsure: unsure})
		if err != nil {
			t.Fatal(err)
		}
		l := s.Local()
		i := 0
		for d, err := range s.Documents(t.Context(), &made{n: 200, end: errStop}, 3) {
			if err != nil {
				if i != 200 || err != errStop {
					t.Errorf("%v after %d documents", err, i)
				}
				break
			}
			document := []byte(documentOf(i))
			plain, _, _ := l.Append(nil, document)
			var want []uint64
			switch l.route {
			case byIndices:
				_, want, _, _ = fphash.AppendMaskedUnit(hash, nil, nil, unsure, l.findIndices(document))
			case byCounts:
				_, want, _, _ = fphash.AppendMaskedUnit(hash, nil, nil, unsure, l.find(document))
			default:
				v := l.weigher.Weigh(l.find(document))
				_, want, _, _ = fphash.AppendMasked(hash, nil, nil, unsure, v.Features, v.Weights)
			}
			if !slices.Equal(d.Fingerprint, plain) || !slices.Equal(d.Mask, want) || bits.OnesCount64(want[0]) != unsure {
				t.Errorf("%s, %s: document %d has %x and the mask %x, expected %x and %x", c.features, c.scheme, i, d.Fingerprint, d.Mask, plain, want)
			}
			i++
		}
	}
}

// TestNothingToHashWith holds that a Sketcher of nothing is refused.
func TestNothingToHashWith(t *testing.T) {
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), "neither a Hash nor a Convention") {
		t.Errorf("error %v, expected one", err)
	}
}

func TestMasksRefused(t *testing.T) {
	hash, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	system, err := conventions.NewNamed("mfonda")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Hash: hash, Unsure: -1}, {Hash: hash, Unsure: 65}, {Convention: system, Unsure: 1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%d unsure bits are taken", o.Unsure)
		}
	}
	s, err := New(Options{Convention: system})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := s.Local().AppendMasked(nil, nil, nil); err == nil {
		t.Error("a convention has masks")
	}
}
