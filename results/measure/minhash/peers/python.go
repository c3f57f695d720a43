package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed peers.py
var script []byte

// calls lists the library calls that the script supports.
var calls = []struct{ program, call, features string }{
	{"rensa", "RMinHash.update", "strings"}, {"rensa", "RMinHash.digest_matrix_from_token_sets", "strings"},
	{"rensa", "CMinHash.update", "strings"}, {"rensa", "CMinHash.digests64_from_token_sets", "strings"},
	{"datasketch", "MinHash.update_batch", "strings"}, {"datasketch", "MinHash.bulk", "strings"},
	{"rensa", "RMinHash.digest_matrix_from_flat_token_hashes", "numbers"}, {"rensa", "CMinHash.digests64_from_token_hash_sets", "numbers"},
}

// python is the running script, which waits for calls.
type python struct {
	command  *exec.Cmd
	folder   string
	in       io.WriteCloser
	out      *bufio.Reader
	versions string
}

// start starts the script with the sets.
func start(ctx context.Context, program string, sets [][]string) (p *python, err error) {
	p = &python{}
	if p.folder, err = os.MkdirTemp("", "peers"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(p.folder))
		}
	}()
	var lines []byte
	for _, set := range sets {
		line, err := json.Marshal(set)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, line...), '\n')
	}
	path, file := filepath.Join(p.folder, "script.py"), filepath.Join(p.folder, "sets.jsonl")
	if err := errors.Join(os.WriteFile(path, script, 0o666), os.WriteFile(file, lines, 0o666)); err != nil {
		return nil, err
	}
	p.command = exec.CommandContext(ctx, program, path, file)
	p.command.Stderr = os.Stderr
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if p.versions, err = p.line(); err != nil {
		return nil, errors.Join(err, p.command.Wait())
	}
	return p, nil
}

// end ends the script.
func (p *python) end() error {
	return errors.Join(p.in.Close(), p.command.Wait(), os.RemoveAll(p.folder))
}

func (p *python) line() (string, error) {
	line, err := p.out.ReadString('\n')
	if err != nil {
		return "", ended(err)
	}
	return strings.TrimSpace(line), nil
}

func ended(err error) error { return fmt.Errorf("the script has ended: %w", err) }

// ways returns a way for each call of the libraries.
func (p *python) ways() (list []way) {
	for _, c := range calls {
		list = append(list, way{nameOf(c.program, c.call, c.features, ""), func() (float64, error) {
			_, err := fmt.Fprintln(p.in, c.program, c.call)
			if err != nil {
				return 0, ended(err)
			}
			line, err := p.line()
			if err != nil {
				return 0, err
			}
			return strconv.ParseFloat(line, 64)
		}})
	}
	return list
}
