package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/dedup/settings"
	"simhashkit/internal/wholefile"
)

// settingsAuto is the value of --settings.
const settingsAuto = "auto"

// chosenFlags are those that --settings auto chooses, or that it chooses none for.
var chosenFlags = []string{"features", "weights", "sketch", "bits", "k", "widen", "tie", "order", "convention", "table", "word-weights"}

// checkSettings refuses what does not go with --settings.
func (f *nearFlags) checkSettings() error {
	if f.settings == "" {
		return nil
	}
	for _, name := range chosenFlags {
		if f.changed(name) {
			return fmt.Errorf("--%s: expected without --settings auto, which chooses features, weights, sketch, bits and k", name)
		}
	}
	return nil
}

// verifySettings has --settings auto verify what it finds, unless flags say how: a setting that
// finds edited copies lets a few strangers pass, and chains of them connect many.
func (f *nearFlags) verifySettings() {
	if f.settings == settingsAuto && !f.changed("verify") && (!f.changed("by") || f.by == dedup.First) {
		f.verify = settings.Verify
	}
}

// chooseSettings takes the settings that fphash choose names for a sample of the texts. Where they
// name none it is an error, or what otherwise says.
func (f *nearFlags) chooseSettings(ctx context.Context, paths []string, p *progress, stderr io.Writer, otherwise func(why string) error) error {
	s := sampler{textFlags: &f.input.texts, most: sampledTexts, progress: p, stderr: stderr}
	if f.input.keepGoing {
		s.onError = func(error) {} // who reads all says what is left out
	}
	a, err := s.settings(ctx, settings.Options{Workers: f.input.workers}, paths)
	if err != nil {
		return orKeepGoing(err)
	}
	if a.Setting == nil {
		p.clear()
		return otherwise(a.Lead())
	}
	return f.use(a.Setting.Setting)
}

// use sets what the flags would say.
func (f *nearFlags) use(s settings.Setting) error {
	f.chosen = &s
	f.input.texts.weighing.features, f.input.texts.weighing.scheme = s.Features, string(s.Weights)
	d := &f.input.definition
	d.Bits = s.Bits
	return cmp.Or(d.Sketch.UnmarshalText([]byte(s.Sketch)), d.Widen.UnmarshalText([]byte(s.Widen())))
}

// autoSettings chooses for a file.
func (f *dedupFlags) autoSettings(ctx context.Context, args []string, p *progress, stderr io.Writer) error {
	switch {
	case f.settings == "":
		return nil
	case !f.input.texts.given():
		return fmt.Errorf("--settings auto: expected texts, of which a sample is drawn; %s", textsNeed)
	case f.other != "":
		return errors.New("--settings auto: expected only without --against, whose fingerprints have settings already: give the same flags")
	case len(args) == 0 || !readTwice(args[0]):
		return errors.New("--settings auto: expected FILE of documents, which is read twice; what comes by a pipe has to be in a file first")
	}
	paths, err := f.input.texts.expand(args[0], func(string) {}) // who reads all says what they are
	if err != nil {
		return err
	}
	return f.chooseSettings(ctx, paths, p, stderr, func(why string) error {
		fmt.Fprintln(stderr, "fphash: --settings auto:", why)
		return f.use(settings.Default)
	})
}

// autoSettings takes the settings of the run, or of the run that it is compared with; those of a
// new run it chooses.
func (f *corpusFlags) autoSettings(ctx context.Context, inputs []corpus.Input, p *progress, stderr io.Writer) error {
	if f.settings == "" {
		return nil
	}
	for _, folder := range append([]string{f.out}, f.against...) {
		text, err := os.ReadFile(corpus.SettingsOf(folder))
		switch {
		case err == nil:
			var s settings.Setting
			if err := json.Unmarshal(text, &s); err != nil {
				return fmt.Errorf("%s: expected the settings of a run: %w", corpus.SettingsOf(folder), err)
			}
			return f.use(s)
		case !corpus.IsRun(folder):
		case !errors.Is(err, fs.ErrNotExist):
			return err
		default:
			return fmt.Errorf("--settings auto: expected %s, where a run with --settings auto keeps what it has chosen: without it, give the flags that the fingerprints in %s were made with (%s names all but --k), or take another folder",
				corpus.SettingsOf(folder), folder, corpus.ManifestOf(folder))
		}
	}
	if len(f.against) > 0 {
		return errors.New("--settings auto: expected with --against the folder of a run that has chosen its settings")
	}
	var paths []string
	for _, in := range inputs {
		if !readTwice(in.Path) {
			return fmt.Errorf("--settings auto: expected files, which are read twice, got %s, which can be read once", in.Path)
		}
		paths = append(paths, in.Path)
	}
	return f.chooseSettings(ctx, paths, p, stderr, func(why string) error {
		return fmt.Errorf("--settings auto: %s Expected more texts, or flags, since the run would keep it", why)
	})
}

// keepSettings writes the settings into the folder of the run, for runs to come.
func (f *corpusFlags) keepSettings() error {
	if f.chosen == nil {
		return nil
	}
	path := corpus.SettingsOf(f.out)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	text, err := json.MarshalIndent(f.chosen, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(corpus.FolderOf(f.out), 0o777); err != nil {
		return err
	}
	return wholefile.WriteBytes(path, append(text, '\n'))
}
