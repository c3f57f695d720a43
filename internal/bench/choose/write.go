package choose

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Write writes the answer in a format: as text for terminals of 80 columns, or with "json" as a
// JSON object.
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
	if more := a.more(); more != "" {
		lines = append(lines, texttable.Wrap(more, lineWidth)...)
	}
	if vectors, fingerprints := a.commands(); vectors != "" { // not wrapped, so that they can be copied
		lines = append(lines, "To drop them, no k needed: "+vectors, "By fingerprints alone: "+fingerprints)
	}
	if len(a.Thresholds) > 0 {
		lines = append(lines, strings.Split(a.table().Render(), "\n")...)
	}
	reasons := a.Hashes.Reasons()
	if a.Options.hashOnly() {
		reasons = a.Hashes.Details()
	}
	lines = append(lines, texttable.Wrap(strings.Join(reasons, " "), lineWidth)...)
	return strings.Join(lines, "\n") + "\n"
}

func (a *Answer) lead() string {
	if a.Options.hashOnly() {
		of := map[string]string{terms.MinHash: "MinHash", terms.Hashing: "feature hashing"}[a.Options.Sketch]
		return fmt.Sprintf("For %s: %s", of, a.Hashes.Lead())
	}
	t, p := a.Taken(), a.Pairs
	words := a.Hashes.Use()
	if best := a.Hashes.Best; best != nil {
		words = strings.TrimSuffix(words, best.Width()) // the width follows below
	} else {
		words += fmt.Sprintf(". With the default, %s", a.Hash.Name)
	}
	words += fmt.Sprintf(", %d bits", t.Bits)
	if t.Widen != "" {
		words += fmt.Sprintf(" (widened by %s)", t.Widen)
	}
	words += fmt.Sprintf(" and k = %d", t.K)
	least := a.Options.Cosine
	switch {
	case a.By == ByTheory && p == nil:
		return words + fmt.Sprintf(": in theory that finds %s%% of the pairs of cosine %v, and more of those above.", english.Hundred(t.Low), least)
	case a.By == ByTheory:
		return words + fmt.Sprintf(": in theory that finds %s%% of the pairs of cosine %v, and more of those above. The file has too few of them to measure it: %s.",
			english.Hundred(t.Low), least, english.Count(int(p.Near), "pair"))
	}
	words += fmt.Sprintf(": that finds %s%% (%s to %s) of the %d pairs of cosine %v and above in %s", english.Hundred(t.Finds), english.Hundred(t.Low), english.Hundred(t.High), p.Near, least, p.sampled())
	if a.Met {
		return words + fmt.Sprintf("; %s of 100 found are real.", english.Hundred(*t.Real))
	}
	return words + fmt.Sprintf(". Only %s of 100 found are real: compare the cosines, too.", english.Hundred(*t.Real))
}

func (p *Pairs) sampled() string {
	if p.Sample < p.Vectors {
		return fmt.Sprintf("%d of the %d vectors", p.Sample, p.Vectors)
	}
	return "the file"
}

// more says how exact k is, and describes the other pairs of the file.
func (a *Answer) more() string {
	p := a.Pairs
	if p == nil {
		return ""
	}
	t := a.Taken()
	var list []string
	if a.By == ByPairs && !a.Certain() {
		words := fmt.Sprintf("This is not certain: other vectors of this kind may need k from %d to %d", a.KFrom, a.KTo)
		if a.KTo == t.Bits {
			words = fmt.Sprintf("This is not certain: other vectors of this kind may need k of %d or more", a.KFrom)
		}
		if len(a.Widths) > 1 {
			words += fmt.Sprintf(", and %d to %d bits", a.Widths[0], a.Widths[len(a.Widths)-1])
		}
		list = append(list, words+".")
	}
	if p.Repeated > 0 {
		list = append(list, fmt.Sprintf("%d of %d vectors are copies of another one, which every k finds.", p.Repeated, p.Sample))
	}
	return strings.Join(list, " ")
}

// commands returns shell commands that drop the near-duplicates: by comparing vectors, which needs
// no k, and by comparing fingerprints alone.
func (a *Answer) commands() (byVectors, byFingerprints string) {
	if a.Options.Dedup == "" || a.Options.hashOnly() {
		return "", ""
	}
	t := a.Taken()
	byFingerprints = fmt.Sprintf("%s --k %d --bits %d", a.Options.Dedup, t.K, t.Bits)
	if a.Hash.Name != fphash.DefaultHash {
		byFingerprints += " --hash " + a.Hash.Name
	}
	if t.Widen != "" {
		byFingerprints += " --widen " + t.Widen
	}
	if a.Options.Encoding != fphash.LE64 {
		byFingerprints += " --encoding " + a.Options.Encoding.String()
	}
	return fmt.Sprintf("%s --similarity %v", a.Options.Dedup, a.Options.Cosine), byFingerprints
}

func (a *Answer) table() texttable.Table {
	t := texttable.Aligned([]int{7}, "bits", "k", "finds", "95%", fmt.Sprintf("at %v", a.Options.Cosine), "real of 100", "found per million vectors", "")
	for _, at := range a.Thresholds {
		finds, interval, far, real, found, take := "≥ "+english.Hundred(at.Low)+"%", "", "?", "?", count(at.Found), ""
		if a.By != ByTheory {
			finds, interval = english.Hundred(at.Finds)+"%", fmt.Sprintf("%s – %s", english.Hundred(at.Low), english.Hundred(at.High))
		}
		if at.FindsFar != nil {
			far = english.Hundred(*at.FindsFar) + "%"
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
		t.AppendRow(texttable.Row{at.Bits, at.K, finds, interval, far, real, found, take})
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
	By         string      `json:"chosenBy,omitempty"`
	Certain    *bool       `json:"certain,omitempty"` // whether other samples lead to the same width and k
	KFrom      *int        `json:"kFrom,omitempty"`   // other samples may lead to this k
	KTo        *int        `json:"kTo,omitempty"`
	Widths     []int       `json:"widths,omitempty"`  // other samples may lead to these
	Command    string      `json:"command,omitempty"` // drops the near-duplicates, without k
	CommandOfK string      `json:"commandOfK,omitempty"`
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
	j := jsonAnswer{
		Answer: a.lead(), Hash: a.Hash.Name, Encoding: a.Options.Encoding.String(), Verdict: a.Hashes.Verdict().String(), Sketch: cmp.Or(a.Options.Sketch, terms.SimHash),
		Pairs: a.Pairs, By: a.By, Thresholds: a.Thresholds, Timed: a.Hashes.Times.Of,
	}
	if !a.Options.hashOnly() {
		taken := a.Taken()
		certain := a.Certain()
		j.Bits, j.K, j.Widen, j.Met, j.Certain = taken.Bits, &taken.K, taken.Widen, &a.Met, &certain
		j.Command, j.CommandOfK = a.commands()
		if a.By == ByPairs {
			j.KFrom, j.KTo, j.Widths = &a.KFrom, &a.KTo, a.Widths
		}
		j.Cosine, j.Recall, j.Precision = a.Options.Cosine, a.Options.Recall, a.Options.Precision
	}
	if a.Options.Data != nil {
		j.Data = a.Options.Data.Description
	}
	for _, c := range a.Hashes.Choices {
		h := jsonHash{Name: c.Hash, Encoding: c.Encoding, Bits: c.Bits, Verdict: c.Verdict().String(), Why: c.Worst().Why(), Default: c.IsDefault()}
		if t, ok := a.Hashes.Times.Get(c); ok {
			h.Nanoseconds = &t.Median
		}
		j.Hashes = append(j.Hashes, h)
	}
	return j
}
