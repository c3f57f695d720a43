package pipeline

import (
	"os"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	gocmp "github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// Other runners give what dedup/corpus gives, too: one whose job service is at the address in
// FPHASH_BEAM_ENDPOINT, with its workers in this process. .ci/deep has one.
func TestOnOtherRunner(t *testing.T) {
	endpoint := os.Getenv("FPHASH_BEAM_ENDPOINT")
	if endpoint == "" {
		t.Skip("FPHASH_BEAM_ENDPOINT does not name the job service of a runner")
	}
	defer func(old string) { *jobopts.Endpoint = old }(*jobopts.Endpoint)
	defer func(old string) { *jobopts.EnvironmentType = old }(*jobopts.EnvironmentType)
	defer func(old int) { *jobopts.Parallelism = old }(*jobopts.Parallelism)
	*jobopts.Endpoint, *jobopts.EnvironmentType = endpoint, "LOOPBACK"
	list := texts(8, 400)
	runs := 0
	for _, files := range []int{1, 7} {
		for _, block := range []int{3, 1000} {
			for _, by := range dedup.Ways() {
				o := options(t, written(t, list, files))
				o.By, o.Search.Block = by, block
				o.Output.Format = formats[runs%len(formats)].Name
				*jobopts.Parallelism = 1 + runs%2
				p, s := beam.NewPipelineWithRoot()
				Build(s, o)
				if _, err := universal.Execute(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				if diff := gocmp.Diff(inProcess(t, o), contents(t, o.Output.Folder)); diff != "" {
					t.Errorf("%d files, blocks of %d, by %s: -in process +runner\n%s", files, block, by, diff)
				}
				runs++
			}
		}
	}
	o := options(t, written(t, cutUp(list, 1), 5))
	o.Parts = true
	p, s := beam.NewPipelineWithRoot()
	Build(s, o)
	if _, err := universal.Execute(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	whole := inProcess(t, options(t, written(t, list, 1)))
	if diff := gocmp.Diff(whole["00.jsonl"], strings.Join(lines(t, o.Output.Folder), "")); diff != "" {
		t.Errorf("-whole documents, in process +parts, on the runner\n%s", diff)
	}
	t.Logf("%d runs of the pipeline", runs+1)
}
