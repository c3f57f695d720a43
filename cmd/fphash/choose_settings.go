package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/settings"
	"simhashkit/fphash"
)

// sampledTexts is how many texts settings are tried on; time grows with the square.
const sampledTexts = 2000

// settings draws texts, tries settings on them and names one.
func (s *sampler) settings(ctx context.Context, o settings.Options, paths []string) (*settings.Answer, error) {
	defer s.progress.clear()
	var texts [][]byte
	var n int
	err := abandon(ctx, func() (err error) {
		texts, n, err = s.draw(ctx, paths)
		return err
	})
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(s.seed, 3))
	for i := len(texts) - 1; i > 0; i-- { // Choose takes the first of them where they are long
		at := random.Uint64N(uint64(i + 1))
		texts[i], texts[at] = texts[at], texts[i]
	}
	o.Progress = func(part float64) {
		s.progress.show(func() string { return fmt.Sprintf("trying settings  %.0f%%", 100*part) })
	}
	a, err := settings.Choose(ctx, texts, o)
	if err == nil {
		a.Given = n
	}
	return a, err
}

// chooseSettings answers for texts.
func (f *chooseFlags) chooseSettings(ctx context.Context, p *progress, stdout, stderr io.Writer) error {
	if f.data == "" {
		return errors.New("no DATA: expected a file or a folder of documents")
	}
	for _, name := range []string{"hash", "cosine", "recall", "precision"} {
		if f.texts.changed(name) {
			return fmt.Errorf("--%s: expected only with vectors; on texts fphash calibrate takes it", name)
		}
	}
	o := settings.Options{Jaccard: f.jaccard, Sketch: f.sketch}
	if err := f.restrict(ctx, &o); err != nil {
		return err
	}
	s := sampler{textFlags: &f.texts, most: sampledTexts, progress: p, stderr: stderr}
	paths, err := s.paths(f.data)
	if err != nil {
		return err
	}
	a, err := s.settings(ctx, o, paths)
	if err != nil {
		return err
	}
	if a.From = f.data; a.Setting != nil {
		a.Command = fmt.Sprintf("%s %s --verify %s", f.options.Dedup, a.Setting.Flags(), settings.Verify)
	}
	if err := writeTo(f.file, stdout, func(w io.Writer) error { return a.Write(w, f.format) }); err != nil {
		return err
	}
	if a.Setting == nil {
		return answerNo{"these texts do not tell which settings suit them"}
	}
	return nil
}

// restrict leaves those settings to be tried that the flags leave open.
func (f *chooseFlags) restrict(ctx context.Context, o *settings.Options) error {
	if err := f.texts.refuseEncoding(); err != nil {
		return err
	}
	var sketch fphash.Sketch
	if f.sketch != "" {
		if err := sketch.UnmarshalText([]byte(f.sketch)); err != nil {
			return err
		}
	}
	if !(f.jaccard > 0 && f.jaccard <= 1) {
		return fmt.Errorf("--jaccard %v: expected a number above 0 and at most 1", f.jaccard)
	}
	if err := f.texts.take(f.weights); err != nil {
		return err
	}
	weighing := f.texts.weighing // which load fills in
	analyzer, weighed, err := weighing.load(ctx)
	if err != nil {
		return err
	}
	if f.texts.changed("features") || f.texts.changed("table") {
		o.Features = []string{analyzer.Options().String()}
	}
	if f.texts.changed("weights") || f.texts.changed("table") || f.texts.changed("word-weights") {
		if sketch == fphash.MinHash {
			return errors.New("--sketch minhash: expected without weights, which a set has none of")
		}
		o.Weights = []weights.Options{weighed}
	}
	return nil
}
