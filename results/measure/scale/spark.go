package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/process"
)

// sparkRoad is the job of examples/spark on a cluster of two workers of a core each, which Spark
// starts for it.
func sparkRoad(t *trip) ([]string, error) {
	home, err := process.Output(t.ctx, exec.Command(t.python, "-c", "import pyspark; print(pyspark.__path__[0])"))
	if err != nil {
		return nil, fmt.Errorf("expected a Python with pyspark: %w", err)
	}
	python, err := exec.LookPath(t.python)
	if err != nil {
		return nil, err
	}
	root, events, out := strings.TrimSpace(string(home)), t.path("events"), t.path("out")
	if err := os.Mkdir(events, 0o777); err != nil {
		return nil, err
	}
	args := []string{"--master", "local-cluster[2,1,1500]"}
	for _, setting := range []string{"spark.executor.memory=1500m", "spark.driver.memory=1500m", "spark.ui.enabled=false", "spark.eventLog.enabled=true", "spark.eventLog.dir=" + events} {
		args = append(args, "--conf", setting)
	}
	job, err := filepath.Abs(filepath.Join("examples", "spark", "attributes.py"))
	if err != nil {
		return nil, err
	}
	args = append(args, job, t.corpus.Folder, out, "--fphash", t.fphash, "--sketch", "--features "+features, "--partitions", "32")
	command := exec.Command(filepath.Join(root, "bin", "spark-submit"), args...)
	command.Env = append(os.Environ(), "SPARK_HOME="+root, "PYSPARK_PYTHON="+python, "PYSPARK_DRIVER_PYTHON="+python, "SPARK_LOCAL_IP=127.0.0.1",
		"SPARK_LOCAL_DIRS="+t.path("local"), "SPARK_WORKER_DIR="+t.path("workers"))
	if err := t.stage("all", command); err != nil {
		return nil, err
	}
	last := &t.stages[len(t.stages)-1]
	last.cpu = 0 // it is that of processes which nobody waits for
	if last.written, err = shuffled(events); err != nil {
		return nil, err
	}
	attributes := t.path("attributes.jsonl")
	return []string{attributes}, asLines(filepath.Join(out, "attributes"), attributes)
}

// shuffled returns how many bytes the tasks of a job have written for others.
func shuffled(folder string) (sum int64, err error) {
	logs, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(logs) == 0 {
		return 0, errors.Join(err, errors.New("Spark has left no log of its tasks"))
	}
	file, err := os.Open(logs[0])
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for lines := json.NewDecoder(bufio.NewReader(file)); ; {
		var event struct {
			Event   string
			Metrics struct {
				Shuffle struct {
					Written int64 `json:"Shuffle Bytes Written"`
				} `json:"Shuffle Write Metrics"`
			} `json:"Task Metrics"`
		}
		if err := lines.Decode(&event); err == io.EOF {
			return sum, nil
		} else if err != nil {
			return 0, fmt.Errorf("%s: %w", logs[0], err)
		}
		sum += event.Metrics.Shuffle.Written
	}
}

// asLines writes the attributes in Parquet files of a folder, in order, as lines of JSON.
func asLines(folder, out string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil {
		return err
	}
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	lines := json.NewEncoder(w)
	for _, path := range files {
		rows, err := parquet.ReadFile[attributes](path)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := lines.Encode(row); err != nil {
				return err
			}
		}
	}
	return errors.Join(w.Flush(), file.Close())
}
