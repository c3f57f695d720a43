package bench

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
)

// Config returns what must be equal in two runs to be compared, in the form that the go command
// prints above benchmarks.
func Config() []resultfile.Field {
	fields := []resultfile.Field{{Name: "goos", Value: runtime.GOOS}, {Name: "goarch", Value: runtime.GOARCH}, {Name: "pkg", Value: "simhashkit/bench"}}
	if brand := strings.TrimSpace(cpuid.CPU.BrandName); brand != "" {
		fields = append(fields, resultfile.Field{Name: "cpu", Value: brand})
	}
	return fields
}

// Head returns the description of this run: date, command, commit, kernels, and data (nil for
// none).
func Head(now time.Time, command string, data *Data) []resultfile.Field {
	var supported []string
	for _, t := range cpu.Supported() {
		supported = append(supported, t.String())
	}
	fields := []resultfile.Field{
		Date(now),
		{Name: "command", Value: command},
		{Name: "go", Value: runtime.Version()},
	}
	if commit := commit(); commit != "" {
		fields = append(fields, resultfile.Field{Name: "commit", Value: commit})
	}
	fields = append(fields,
		resultfile.Field{Name: "kernels", Value: strings.Join(supported, " ")},
		resultfile.Field{Name: "tier", Value: cpu.Active().String()},
	)
	if data != nil {
		fields = append(fields, resultfile.Field{Name: "data", Value: data.Name + ": " + data.Description})
	}
	return fields
}

// Date returns the line with which every run of the program begins.
func Date(now time.Time) resultfile.Field {
	return resultfile.Field{Name: "date", Value: now.UTC().Format(time.RFC3339)}
}

// commit returns the commit that the program was built from, "" if the go command did not note it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = " (modified)"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + modified
}
