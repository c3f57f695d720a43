package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/dedup/fingerprints/parquet"
	"simhashkit/internal/scratch"
)

// dedupInput reads records of all kinds. It computes the fingerprints of texts and vectors.
type dedupInput struct {
	vectorReading
	definition definitionFlags
	weights    string
	keepGoing  bool
	workers    int
	texts      textFlags
	changed    func(flag string) bool

	ctx      context.Context
	stdin    io.Reader
	stderr   io.Writer
	progress *progress
	doing    string // the step that progress shows; "" means reading
	quiet    bool   // no progress while records are read

	// take is called with each batch of records, which are then released. If take is nil, read
	// returns all records.
	take func(*dedup.Records) error

	followed bool   // the definition is that of an index
	indexed  string // the index that records are compared with or added to
	features string // features of documents: of the index, or else of the documents read before

	fields map[string]textFields // detected fields, by the name of the input
	copied *scratch.File         // standard input, if it is read twice

	assumed bool             // assumeDefinition has printed its message
	leftOut error            // an answerNo if records were left out
	vectors bool             // some input had vectors or texts
	whole   bool             // a text without words counts as one word
	skipped map[string][]int // positions of readable vectors that were left out, by input
}

// textFields are the fields of the text and the id.
type textFields struct{ text, id string }

// definitionNames are the flags that define fingerprints.
var definitionNames = []string{"hash", "sketch", "encoding", "bits", "widen", "seed", "key", "tie", "order", "convention"}

func (d *dedupInput) register(flags *pflag.FlagSet) {
	d.registerRecords(flags)
	d.texts.registerWeights(flags)
}

// registerRecords adds all flags except those for the weights of texts.
func (d *dedupInput) registerRecords(flags *pflag.FlagSet) {
	d.definition.register(flags, definitionNames...)
	weightsFlag(flags, &d.weights)
	d.vectorReading.add(flags)
	d.registerTexts(flags)
}

// registerTexts adds the flags of texts, and those common to all inputs.
func (d *dedupInput) registerTexts(flags *pflag.FlagSet) {
	d.texts.register(flags)
	keepGoingFlag(flags, &d.keepGoing)
	flags.Var((*workerCount)(&d.workers), "workers", "goroutines (default the number of cores)")
	d.changed = flags.Changed
}

// unused refuses flags that define fingerprints if the input already has fingerprints.
func (d *dedupInput) unused() error {
	for _, name := range append([]string{"weights", "base", "max-line", "keep-going"}, definitionNames...) {
		if d.changed(name) && !d.vectors && name != "bits" {
			return fmt.Errorf("--%s: expected texts or vectors, but the input has fingerprints already", name)
		}
	}
	return nil
}

// read reads the records of the named file or of standard input.
func (d *dedupInput) read(args []string, kind inputKind) (*dedup.Records, error) {
	job, err := d.newJob(kind)
	if err != nil {
		return nil, err
	}
	if err := job.open(args, d.stdin); err != nil {
		return nil, err
	}
	records, err := d.readJob(job)
	if err == nil {
		err = records.PassRest(d.take)
	}
	if closeErr := job.close(); err == nil {
		err = closeErr
	}
	if err == nil && records.Len() == 0 && job.bad == 0 {
		err = fmt.Errorf("no records in %s: expected documents, vectors or fingerprints", job.name)
	}
	return records, err
}

// newJob returns a job without an input.
func (d *dedupInput) newJob(kind inputKind) (*sketchJob, error) {
	job := &sketchJob{ctx: d.ctx, keepGoing: d.keepGoing, vectorReading: d.vectorReading, stderr: d.stderr, workers: d.workers, whole: d.whole || areSpecFeatures(d.texts.weighing.features)}
	if kind == textInput {
		job.texts = &d.texts
		return job, d.texts.take(d.weights)
	}
	return job, nil
}

// computer returns the function that computes the fingerprints of a job.
func (d *dedupInput) computer(job *sketchJob) (func(*sketchJob) error, error) {
	if job.texts == nil {
		d.chooseLanes()
	}
	hasher, err := d.definition.hasher(d.workers)
	if err != nil {
		return nil, err
	}
	job.sketcher = hasher
	weights, err := weightsFor(hasher, d.weights, d.changed("weights"))
	if err != nil {
		return nil, err
	}
	if job.texts != nil {
		return sketchTexts, nil
	}
	return sketchOf(weights)
}

// chooseLanes sets the lanes of vectors to the type of their weights. If the definition is that of
// an index, the weights get the type of its lanes, unless --weights chooses one.
func (d *dedupInput) chooseLanes() {
	switch to := &d.definition; {
	case to.Convention != "" || to.Sketch != fphash.SimHash:
	case d.followed && !d.changed("weights"):
		if to.Lanes == fphash.Float64 {
			d.weights = datasets.Float64
		}
	case d.weights == datasets.Float32:
		to.Lanes = fphash.Float32
	default:
		to.Lanes = fphash.Float64
	}
}

func (d *dedupInput) readJob(job *sketchJob) (*dedup.Records, error) {
	if job.texts == nil {
		buffered := bufio.NewReaderSize(job.stream, 64<<10)
		if format := fingerprints.Sniff(buffered); format != fingerprints.None {
			options := fingerprints.Options{Name: job.name, Progress: d.show}
			if d.changed("bits") {
				options.Bits = d.definition.Bits
			}
			if d.take != nil {
				options.Take = func(records *dedup.Records) error {
					if err := d.checkBits(records); err != nil {
						return err
					}
					return d.take(records)
				}
			}
			records, err := readFingerprints(d.ctx, buffered, job.path, format, options)
			if errors.Is(err, parquet.ErrNoFingerprints) {
				err = fmt.Errorf("%w; for texts, give their field with --text, or their format with --documents", err)
			}
			if err == nil {
				err = d.checkBits(records)
			}
			return records, err
		}
		job.stream = unread{buffered, job.stream}
	}
	d.vectors = true
	return d.sketch(job)
}

// checkBits checks the width of fingerprints against --bits.
func (d *dedupInput) checkBits(records *dedup.Records) error {
	if records.Len() > 0 && d.changed("bits") && records.Set.Bits != d.definition.Bits {
		return fmt.Errorf("--bits %d: expected %d, which the fingerprints in %s have", d.definition.Bits, records.Set.Bits, records.Name)
	}
	return nil
}

// unread is a stream from which some bytes were read ahead.
type unread struct {
	io.Reader
	io.Closer
}

// sketch computes the fingerprints of texts or vectors.
func (d *dedupInput) sketch(job *sketchJob) (*dedup.Records, error) {
	run, err := d.computer(job)
	if err != nil {
		return nil, err
	}
	if job.checkFeatures = d.checkFeatures; job.texts == nil {
		if err := d.checkFeatures(vectorFeatures); err != nil {
			return nil, fmt.Errorf("%s: %w", job.name, err)
		}
	}
	records := &dedup.Records{Name: job.name}
	records.Set.Bits, records.Set.Definition = job.sketcher.Bits(), job.sketcher.String()
	job.out = &collector{records, d}
	if err := run(job); err != nil {
		return nil, err
	}
	job.uninformative = 0 // the summary reports it
	if d.skipped == nil {
		d.skipped = map[string][]int{}
	}
	d.skipped[job.name] = job.skipped
	if job.bad > 0 {
		d.leftOut = errors.Join(d.leftOut, job.verdict())
	}
	return records, nil
}

// vectorFeatures stands for the features of vectors in an index.
const vectorFeatures = "vectors"

// checkFeatures refuses texts or vectors whose features differ from those of the index, since their
// fingerprints cannot be compared. An index built from fingerprints does not record features.
func (d *dedupInput) checkFeatures(features string) error {
	switch d.features {
	case features:
	case "":
		if d.indexed != "" && features != vectorFeatures {
			fmt.Fprintf(d.stderr, "fphash: %s does not record the features of its fingerprints; assuming %s\n", d.indexed, features)
		}
	case vectorFeatures:
		return fmt.Errorf("%s is an index of vectors; texts require an index of texts", d.indexed)
	default:
		if features == vectorFeatures {
			return fmt.Errorf("%s is an index of texts; vectors require an index of vectors", d.indexed)
		}
		return fmt.Errorf("features %s: expected the features of %s, %s", features, d.indexed, d.features)
	}
	d.features = features
	return nil
}

// collector is a fingerprints.Writer that keeps the records, or passes them to take.
type collector struct {
	records *dedup.Records
	input   *dedupInput
}

func (c *collector) Write(r fingerprints.Record) error {
	id := r.ID
	if r.MadeUp && string(id) == strconv.Itoa(c.records.Len()+1) {
		id = nil // takes no memory
	}
	if c.records.Add(id, r.Fingerprint, r.Informative); r.MadeUp {
		c.records.MakeUp()
	}
	if c.records.Len()%4096 == 0 {
		c.input.show(c.records.Len())
	}
	return c.records.Pass(c.input.take)
}

func (c *collector) End() error { return nil }

// show shows how many records have been read.
func (d *dedupInput) show(n int) {
	if d.quiet {
		return
	}
	d.progress.report(status{step: cmp.Or(d.doing, "reading"), count: n, unit: "records"})
}
