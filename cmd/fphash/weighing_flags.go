package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"simhashkit/datasets/text/weights"
)

// chineseTable is the --table that this program has in it.
const chineseTable = "zh"

// usualFeatures are those of fingerprints of texts.
const usualFeatures = "words"

const featuresUsage = "features of texts: words, characters, bytes; or such as words,n=2,lang=en,nfkc,fold,code,stop"

// featuresHelp explains what --features takes.
const featuresHelp = `--features says what is counted: words, characters or bytes, and behind commas n=3
for 3 of them together, nfkc for one form of letters that Unicode has several of,
fold for upper and lower case alike; for words lang=auto, a language such as en, or
lang=zh, lang=ja or lang=auto+zh+ja for dictionaries, which take seconds to load and are
there in a program that was built with go build -tags dictionaries ./cmd/fphash; and
stop (leave out the commonest words) and stem for some languages.`

// weighingFlags are the flags that say what the features of texts are, and what they weigh.
type weighingFlags struct {
	features    string
	scheme      string
	table, list string
	other       float64
	window      int
	top         int // features that are taken of each text; 0 takes all
}

func (f *weighingFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.features, "features", "", featuresUsage)
	flags.StringVar(&f.scheme, "weights", "", "what they weigh: "+joined(weights.Schemes()))
	flags.StringVar(&f.table, "table", "", "document frequencies for tfidf: a file of fphash data frequencies, or zh (with dictionaries)")
	flags.StringVar(&f.list, "word-weights", "", "weights for hand: a file with a word, a tab and a weight a line")
	flags.Float64Var(&f.other, "other", 0, "weight of words that are not in the list; 0 leaves them out")
	flags.IntVar(&f.window, "window", weights.DefaultWindow, "features that stand together, for textrank")
}

// check refuses flags that contradict each other, before any file is read.
func (f *weighingFlags) check() error {
	if f.scheme != "" {
		if _, err := weights.ParseScheme(f.scheme); err != nil {
			return fmt.Errorf("--weights: %w", err)
		}
	}
	scheme := weights.Scheme(f.scheme)
	switch {
	case f.table != "" && f.scheme != "" && !scheme.NeedsIDF():
		return fmt.Errorf("--table %s with --weights %s: expected tfidf or log-tfidf", f.table, scheme)
	case f.list != "" && f.scheme != "" && scheme != weights.ByHand:
		return fmt.Errorf("--word-weights %s with --weights %s: expected hand", f.list, scheme)
	case f.list != "" && f.table != "":
		return fmt.Errorf("--word-weights %s and --table %s: expected one of them", f.list, f.table)
	case f.list == "" && scheme == weights.ByHand:
		return errors.New("--weights hand: expected --word-weights with the weights")
	case f.window < 2 || f.window > weights.MaxWindow:
		return fmt.Errorf("--window %d: expected 2 to %d", f.window, weights.MaxWindow)
	}
	return nil
}
