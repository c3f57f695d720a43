package choose

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the answer in one of the Formats: as text for a terminal of 80 columns, or as a JSON
// object.
func (a *Answer) Write(w io.Writer, format string) error {
	if format == "json" {
		return jsonout.Write(w, a.json())
	}
	if _, err := io.WriteString(w, a.text()); err != nil {
		return fmt.Errorf("choose: %w", err)
	}
	return nil
}

const lineWidth = 80

func (a *Answer) text() string {
	lines := texttable.Wrap(a.lead(), lineWidth)
	if where := a.where(); where != "" {
		lines = append(lines, texttable.Wrap(where, lineWidth)...)
	}
	if command := a.command(); command != "" { // not wrapped, so that it can be copied
		lines = append(lines, "To drop them: "+command)
	}
	if len(a.Thresholds) > 0 {
		lines = append(lines, strings.Split(a.table().Render(), "\n")...)
	}
	lines = append(lines, texttable.Wrap(strings.Join(a.Hashes.Reasons(a.Ranking()), " "), lineWidth)...)
	return strings.Join(lines, "\n") + "\n"
}

// leadOfHash is the answer for a sketch without a threshold.
func (a *Answer) leadOfHash() string {
	of := map[string]string{terms.MinHash: "MinHash", terms.Hashing: "feature hashing"}[a.Options.Sketch]
	words := fmt.Sprintf("For %s: %s", of, a.Hashes.Lead(a.Ranking()))
	if best := a.Ranking().Best; best != nil {
		if worst, ok := best.Fewest(); ok {
			words += fmt.Sprintf(" At worst it is worth %s.", worst.Why())
		}
	}
	return words
}

func (a *Answer) lead() string {
	if a.Options.hashOnly() {
		return a.leadOfHash()
	}
	t, p := a.Taken(), a.Pairs
	words := a.Hashes.Use(a.Ranking())
	if best := a.Ranking().Best; best != nil {
		words = strings.TrimSuffix(words, best.Width()) // the width follows below
	} else {
		words += fmt.Sprintf(". With the default, %s", a.Hash.Name)
	}
	words += fmt.Sprintf(", %d bits", t.Bits)
	if t.Widen != "" {
		words += fmt.Sprintf(" (widened by %s)", t.Widen)
	}
	words += fmt.Sprintf(" and k = %d", t.K)
	finds := english.Hundred(t.Finds)
	if t.Low == 0 { // from the model
		words += fmt.Sprintf(": in theory that finds %s%% of the pairs of cosine %v, and a larger share of more similar pairs.", finds, a.Options.Cosine)
		if p != nil {
			words += fmt.Sprintf(" Too few of these vectors are so similar to measure it: %s and %d edited %s.", english.Count(int(p.Near), "pair"), p.Edits, english.Plural(p.Edits, "copy", "copies"))
		}
		return words
	}
	words += fmt.Sprintf(": that finds %s%% of the pairs of cosine %v and above", finds, a.Options.Cosine)
	switch {
	case t.Real == nil && p.others() == 0:
		return words + "."
	case t.Real == nil && t.others == 0 && p.few():
		return words + fmt.Sprintf(". There are too few vectors, %d, to judge narrower fingerprints.", p.Vectors)
	case t.Real == nil && t.others == 0:
		return words + fmt.Sprintf(", and none of %d others.", p.others())
	case t.Real == nil:
		return words + fmt.Sprintf(", and %s of a million other pairs: compare the cosines, too.", count(t.others*million))
	case a.Met:
		return words + fmt.Sprintf("; %s of 100 found are real.", english.Hundred(*t.Real))
	}
	return words + fmt.Sprintf(". Only %s of 100 found are real: compare the cosines, too.", english.Hundred(*t.Real))
}

// where describes the pairs that the threshold is judged by, or returns "" for a threshold from the
// model.
func (a *Answer) where() string {
	if a.Options.hashOnly() {
		return ""
	}
	t, p := a.Taken(), a.Pairs
	if t.Low == 0 {
		return ""
	}
	sample := "the file"
	if p.Sample < p.Vectors {
		sample = fmt.Sprintf("%d of %d vectors", p.Sample, p.Vectors)
	}
	half := fmt.Sprintf("%.3f", p.Low)
	if high := fmt.Sprintf("%.3f", p.High); high != half {
		half += " to " + high
	}
	words := fmt.Sprintf("Judged by %d such pairs of %s and %d with edited copies, half of them at cosine %s.", p.Near, sample, p.Edits, half)
	if t.FindsFar != nil {
		least := a.Options.Cosine
		words += fmt.Sprintf(" Recall at the threshold (%.2f to %.4g): %s%%.", least, least+(1-least)*farBins/bins, english.Hundred(*t.FindsFar))
	}
	return words
}

// command returns a shell command that drops the near-duplicates.
func (a *Answer) command() string {
	if a.Options.Dedup == "" || a.Options.hashOnly() {
		return ""
	}
	return fmt.Sprintf("%s --similarity %v", a.Options.Dedup, a.Options.Cosine)
}

func (a *Answer) table() texttable.Table {
	t := texttable.Aligned([]int{6}, "bits", "k", "finds", "95%", "real of 100", "pairs found per million vectors", "")
	for _, at := range a.Thresholds {
		interval, real, found, take := "", "?", count(at.Found), ""
		if at.Low > 0 {
			interval = fmt.Sprintf("%s – %s", english.Hundred(at.Low), english.Hundred(at.High))
		}
		if at.Real != nil {
			real = english.Hundred(*at.Real)
		}
		if at.AtMost && at.Found >= 1 {
			found = "at most " + found
		}
		if at.Take {
			take = "← this"
		}
		t.AppendRow(texttable.Row{at.Bits, at.K, english.Hundred(at.Finds) + "%", interval, real, found, take})
	}
	return t
}

// count formats a number of pairs with two significant digits.
func count(n float64) string {
	if n < 1 {
		return "less than 1"
	}
	step := math.Pow(10, math.Floor(math.Log10(n))-1)
	return english.Approximate(math.Round(n/step) * step)
}

// jsonAnswer is an answer as a JSON object. Undefined values are omitted.
type jsonAnswer struct {
	Answer     string      `json:"answer"` // in words
	Hash       string      `json:"hash"`
	Encoding   string      `json:"encoding"`
	Verdict    string      `json:"verdict"` // weak if all hashes are; then Hash is the default
	Sketch     string      `json:"sketch"`
	Bits       int         `json:"bits,omitempty"`
	K          *int        `json:"k,omitempty"` // for simhash
	Widen      string      `json:"widen,omitempty"`
	Cosine     float64     `json:"cosine,omitempty"` // minimum of near-duplicates
	Recall     float64     `json:"recallWanted,omitempty"`
	Precision  float64     `json:"precisionWanted,omitempty"`
	Met        *bool       `json:"targetMet,omitempty"`
	Data       string      `json:"data,omitempty"`
	Pairs      *Pairs      `json:"pairs,omitempty"`
	Command    string      `json:"command,omitempty"` // drops the near-duplicates
	Thresholds []Threshold `json:"thresholds,omitempty"`
	Timed      string      `json:"timed,omitempty"` // what was timed
	Hashes     []jsonHash  `json:"hashes"`
}

type jsonHash struct {
	Name        string   `json:"name"`
	Encoding    string   `json:"encoding"`
	Bits        int      `json:"bits"`
	Verdict     string   `json:"verdict"`
	Why         string   `json:"why"`
	Nanoseconds *float64 `json:"nanosecondsPerFeature,omitempty"`
	Default     bool     `json:"default,omitempty"`
}

func (a *Answer) json() jsonAnswer {
	m := a.Ranking()
	j := jsonAnswer{
		Answer: a.lead(), Hash: a.Hash.Name, Encoding: a.Options.Encoding.String(), Verdict: a.Hashes.Verdict().String(), Sketch: cmp.Or(a.Options.Sketch, terms.SimHash),
		Pairs: a.Pairs, Command: a.command(), Thresholds: a.Thresholds, Timed: m.Times.Of,
	}
	if !a.Options.hashOnly() {
		taken := a.Taken()
		j.Bits, j.K, j.Widen, j.Met = taken.Bits, &taken.K, taken.Widen, &a.Met
		j.Cosine, j.Recall, j.Precision = a.Options.Cosine, a.Options.Recall, a.Options.Precision
	}
	if a.Options.Data != nil {
		j.Data = a.Options.Data.Description
	}
	for _, c := range a.Hashes.Choices {
		h := jsonHash{Name: c.Hash, Encoding: c.Encoding, Bits: c.Bits, Verdict: c.Verdict().String(), Why: c.Worst().Why(), Default: c.IsDefault()}
		if t, ok := m.Times.Get(c); ok {
			h.Nanoseconds = &t.Median
		}
		j.Hashes = append(j.Hashes, h)
	}
	return j
}
