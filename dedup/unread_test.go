package dedup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A new record is dropped for an unread record if its fingerprint is near, and for any other record
// only if the texts are similar. Unread texts are never read, and a record is not a duplicate of
// its own entry.
func TestUnreadRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	spec := Spec{Measure: Words, Similarity: 0.9, Recall: 0.99}
	forUnread, forOthers, owned := 0, 0, 0
	for round := range 60 {
		texts := randomTexts(random, 30+random.IntN(60))
		n := len(texts)
		old := random.IntN(n / 2)
		unread := random.IntN(old + 1)
		if round%4 == 0 {
			unread = old
		}
		records, cluster := &Records{Name: "texts"}, make([]int, n)
		records.Set.Bits = 64
		bases := []uint64{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
		fingerprints := make([]uint64, n)
		for i := range texts {
			cluster[i] = random.IntN(len(bases))
			fingerprints[i] = bases[cluster[i]] ^ 1<<random.IntN(64) ^ 1<<random.IntN(64) // all of a cluster are candidates
		}
		own := map[int]int{}
		if unread > 0 && old < n { // the last entry is a new record
			i := old + random.IntN(n-old)
			own[i], fingerprints[old-1], cluster[old-1] = old-1, fingerprints[i], cluster[i]
		}
		for _, f := range fingerprints {
			records.Add(nil, []uint64{f}, true)
		}
		isUnread := func(i int) bool { return i < old && i >= old-unread }
		read := func(ctx context.Context, wanted []uint64, take func(uint64, []byte) error) error {
			for _, record := range wanted {
				if isUnread(int(record)) {
					return fmt.Errorf("the unread record %d was read", record)
				}
			}
			return rereadTexts(texts)(ctx, wanted, take)
		}
		r, err := Find(t.Context(), records, Options{Spec: spec, Old: old, Unread: unread, UnreadName: "x.index", Own: own, Texts: read, Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		want := greedy(order, old, func(int) bool { return true }, func(a, b int) bool {
			if of, ok := own[a]; cluster[a] != cluster[b] || ok && of == b {
				return false
			}
			return isUnread(b) || textSimilarity(Words, texts[a], texts[b]) >= spec.Similarity
		})
		got, similarity := canonicals(r)
		for i, of := range got {
			if (of == i) != (want[i] == i) {
				t.Fatalf("%d is kept as %d, want %d", i, of, want[i])
			}
			switch {
			case of == i:
			case isUnread(of):
				forUnread++
				if similarity[i] != 0 {
					t.Errorf("similarity %v to an unread record", similarity[i])
				}
			default:
				forOthers++
				if want := float32(textSimilarity(Words, texts[i], texts[of])); similarity[i] != want {
					t.Errorf("similarity %v of %d and %d, want %v", similarity[i], i, of, want)
				}
			}
		}
		for i := range own {
			if got[i] == i {
				owned++
			}
		}
		for p, err := range r.pairs(t.Context()) {
			if err != nil || isUnread(int(p.A)) && p.similarity != 0 {
				t.Fatalf("pair %+v, %v", p, err)
			}
		}
		if slices.ContainsFunc(r.Examples(n, false), func(e Example) bool { return isUnread(e.Kept) }) {
			t.Error("an example has an unread text")
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if forUnread < 200 || forOthers < 20 || owned < 3 {
		t.Errorf("%d dropped for unread records, %d for others, %d own records kept", forUnread, forOthers, owned)
	}
}

// Unread records are also found in groups whose words are indexed. The summary and the lists say
// what was not verified.
func TestUnreadRecordOfALargeGroup(t *testing.T) {
	spec := Spec{Measure: Words, Similarity: 0.9, Recall: 0.99}
	texts, records := []string{"unread"}, &Records{Name: "test"}
	records.Set.Bits = 64
	records.Add([]byte("old"), []uint64{0xfffff}, true) // 20 bits from most others
	for i := range 1000 {                               // enough to be rejected that words are indexed
		texts = append(texts, fmt.Sprintf("w%d x%d y%d z%d", i, i, i, i))
		records.Add(fmt.Appendf(nil, "n%d", i), []uint64{0}, true)
	}
	texts = append(texts, "another text", texts[5])
	records.Add([]byte("near"), []uint64{0x3ff}, true)
	records.Add([]byte("equal"), []uint64{0}, true)
	if l, err := spec.limit(0, 64); err != nil || l.k < 10 || l.k >= 20 {
		t.Fatalf("limit %+v, %v", l, err)
	}
	r, err := Find(t.Context(), records, Options{Spec: spec, Old: 1, Unread: 1, OldName: "x.index", UnreadName: "x.index", Texts: rereadTexts(texts), Folder: t.TempDir(), Kind: "document"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if diff := cmp.Diff([]string{"near", "equal"}, list(t, r, "drop")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var summary, groups strings.Builder
	if err := r.Summary(&summary); err != nil {
		t.Fatal(err)
	}
	want := "Not verified: 1 document is dropped for an entry of x.index, which contains only fingerprints; they differ in at most 12 of 64 bits. Each other dropped document and the one kept for it share at least "
	if text := strings.Join(strings.Fields(summary.String()), " "); !strings.Contains(text, want) {
		t.Errorf("%q is missing: %s", want, text)
	}
	if err := r.List(t.Context(), &groups, "groups", "csv"); err != nil || !strings.Contains(groups.String(), "\nnear,00000000000003ff,1,false,10,\n") {
		t.Errorf("%v: %s", err, &groups)
	}
	for _, o := range []Options{{Spec: spec, Old: 1, Unread: 2, Texts: rereadTexts(texts), Folder: t.TempDir()}, {Spec: spec, Unread: -1, Texts: rereadTexts(texts), Folder: t.TempDir()}} {
		if _, err := Find(t.Context(), records, o); err == nil || !strings.Contains(err.Error(), "Unread = ") {
			t.Errorf("error %v", err)
		}
	}
}
