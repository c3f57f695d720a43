package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"simhashkit/cmd/fpbeam/pipeline"
)

// setLogs has what runners log go to stderr: all of it if it is asked for, else warnings alone.
// Their errors come back as the error of the run, and the rest says which stage has begun.
func setLogs(stderr io.Writer, all bool) {
	if all {
		slog.SetDefault(slog.New(slog.NewTextHandler(stderr, nil)))
		return
	}
	slog.SetDefault(slog.New(warnings{stderr}))
}

// warnings is a log of which warnings are shown.
type warnings struct{ w io.Writer }

func (warnings) Enabled(_ context.Context, level slog.Level) bool { return level == slog.LevelWarn }
func (l warnings) WithAttrs([]slog.Attr) slog.Handler             { return l }
func (l warnings) WithGroup(string) slog.Handler                  { return l }

func (l warnings) Handle(_ context.Context, r slog.Record) error {
	_, err := fmt.Fprintln(l.w, "fpbeam:", strings.TrimPrefix(r.Message, "[SDK] "))
	return err
}

// cause returns what a stage of ours says of its failure, out of the names of all that runners wrap
// it in; the whole if none of ours has failed.
func cause(err error) error {
	text := err.Error()
	at := strings.LastIndex(text, pipeline.Failed)
	if at < 0 {
		return err
	}
	line, _, _ := strings.Cut(text[at+len(pipeline.Failed):], "\n")
	return fmt.Errorf("%s", line)
}
