package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/table"
	"simhashkit/datasets"
	"simhashkit/internal/english"
)

// load loads the data set if a case needs one. If it falls back to another data set, the cases are
// named after that.
func (f *benchFlags) load(ctx context.Context, stderr io.Writer, plan *bench.Plan) (*bench.Data, error) {
	if !plan.NeedData() {
		return nil, nil
	}
	if f.data != bench.DefaultData {
		return bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	}
	data, instead, err := bench.LoadDefaultData(ctx)
	if err != nil || instead == "" {
		return data, err
	}
	fmt.Fprintln(stderr, "fphash:", instead)
	for i, c := range plan.Cases {
		plan.Cases[i].Name = c.Name.With("data", data.Name)
	}
	return data, nil
}

func writeNames(w io.Writer, plan *bench.Plan) error {
	var out bytes.Buffer
	for _, name := range plan.Names() {
		fmt.Fprintf(&out, "Benchmark%s\n", name)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// write prints which hash to use, and reasons to doubt it. It prints the tables if they were asked
// for, or if there is no recommendation.
func (f *benchFlags) write(w io.Writer, rows []resultfile.Row) (*advice.Recommendation, error) {
	r, err := table.WriteRecommendation(w, rows)
	if err != nil {
		return nil, err
	}
	if len(r.Choices) > 0 && !f.tables {
		return r, table.WriteDoubts(w, rows)
	}
	return r, table.Write(w, rows)
}

// measured describes the size of the result file.
func (f *benchFlags) measured(plan *bench.Plan) string {
	var parts []string
	if n := len(plan.Cases); n > 0 {
		samples := fmt.Sprintf("%d samples of %d cases", f.samples, n)
		if f.runs > 1 {
			samples = fmt.Sprintf("%d runs of %s", f.runs, samples)
		}
		parts = append(parts, samples)
	}
	if n := len(plan.Cells); n > 0 {
		parts = append(parts, english.Count(n, "cell"))
	}
	return strings.Join(parts, " and ")
}

// verdict returns an answerNo if a case has no figures.
func verdict(rows []resultfile.Row) error {
	names, wrong := map[string]bool{}, map[string]bool{} // a case may have rows of several units
	for _, r := range rows {
		names[r.Name] = true
		if r.Err != "" {
			wrong[r.Name] = true
		}
	}
	if len(wrong) > 0 {
		return answerNo{fmt.Sprintf("%d of %d cases gave a wrong answer or could not run", len(wrong), len(names))}
	}
	return nil
}
