package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"simhashkit/results/measure/memory"
	"simhashkit/results/measure/peers"
)

// program deduplicates the texts of a trial.
type program struct {
	name, setting string // as in columns of the table
	command       string // of fphash; of others their settings
}

const (
	fphash     = "fphash"
	textDedup  = "text-dedup"
	datasketch = "datasketch"
)

// others are those beside fphash: text-dedup as its documentation has it, then with what finds
// more.
var others = []program{
	{textDedup, "MinHash", "minhash"},
	{textDedup, "n = 3", "minhash ngram_size=3"},
	{textDedup, "n = 2", "minhash ngram_size=2"},
	{textDedup, "n = 2, 0.5", "minhash ngram_size=2 threshold=0.5"},
	{datasketch, "n = 2", "datasketch ngram_size=2"},
}

// programs are those of fphash, with the command that choose prints, if it does.
func (t *trial) programs(advice string) []program {
	const minhash = " --sketch minhash --bits 128 --features "
	usual := "dedup " + t.file + " --text text --id id"
	list := []program{
		{fphash, "dedup", usual},
		{fphash, "MinHash", usual + minhash + "words,n=2 --k 24"},
		{fphash, "MinHash, `--verify`", usual + minhash + "words,n=2 --k 24 --verify jaccard:0.6"},
		{fphash, "of characters", usual + minhash + "characters,n=5,fold --k 30 --verify cosine:0.8"},
	}
	if before, verify, ok := strings.Cut(advice, " --verify "); ok {
		_, after, _ := strings.Cut(verify, " ")
		list = append(list, program{fphash, "advised, without `--verify`", strings.TrimSpace(before + " " + after)})
	}
	if advice == "" {
		return list
	}
	return append(list, program{fphash, "advised", advice})
}

// run runs a program and says what it finds, in how much time of the processors and how much
// memory.
func (t *trial) run(ctx context.Context, p program, python string) (r outcome, groups []int, err error) {
	r = outcome{Program: p.name, Setting: p.setting, Command: p.command}
	if p.name == fphash {
		var out []byte
		out, r.Seconds, r.Bytes, err = t.measured(ctx, p.command+" --list groups --format jsonl")
		if err == nil {
			groups, err = t.groups(out)
		}
		return r, groups, err
	}
	peer := peers.Peer{Method: p.command}
	folder := filepath.Join(t.folder, "peer")
	if err := os.RemoveAll(folder); err != nil {
		return r, nil, err
	}
	if err := peer.Run(ctx, python, 1, []string{filepath.Join(t.folder, t.file)}, len(t.documents), folder); err != nil {
		return r, nil, fmt.Errorf("%s: %w", p.command, err)
	}
	r.Command = fmt.Sprintf("%s, %s", p.command, peer.Version)
	r.Seconds = peer.User.Seconds()
	for _, stage := range peer.Stages {
		r.Bytes = max(r.Bytes, stage.Bytes)
	}
	return r, peer.Groups, nil
}

// groups reads the list of groups.
func (t *trial) groups(list []byte) ([]int, error) {
	number := map[string]int{}
	for i, d := range t.documents {
		number[d.ID] = i
	}
	groups := make([]int, len(t.documents))
	for line := range bytes.Lines(list) {
		var member struct {
			ID      string `json:"id"`
			Cluster int    `json:"cluster_id"`
		}
		if err := json.Unmarshal(line, &member); err != nil {
			return nil, fmt.Errorf("the groups: %w", err)
		}
		i, ok := number[member.ID]
		if !ok {
			return nil, fmt.Errorf("the groups: expected an id of %s, got %q", t.file, member.ID)
		}
		groups[i] = member.Cluster
	}
	return groups, nil
}

// measured runs a command of fphash, whose answer may be a no, and says how many seconds of the
// processors it takes, and the most memory, which is looked at all the time.
func (t *trial) measured(ctx context.Context, command string) (out []byte, seconds float64, peak int64, err error) {
	cmd := exec.CommandContext(ctx, t.program, strings.Fields(command)...)
	cmd.Dir = t.folder
	var said, stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &said
	if err := cmd.Start(); err != nil {
		return nil, 0, 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for tick := time.Tick(2 * time.Millisecond); ; {
		bytes, _ := memory.PeakOf(cmd.Process.Pid)
		peak = max(peak, bytes)
		select {
		case err = <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == 1 {
				err = nil
			}
			if err != nil {
				err = fmt.Errorf("fphash %s: %w: %s", command, err, said.Bytes())
			}
			return stdout.Bytes(), cmd.ProcessState.UserTime().Seconds(), peak, err
		case <-tick:
		}
	}
}
