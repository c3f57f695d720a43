package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// spark is a standalone cluster on this machine: a master and two workers, each with one core and
// an executor with a heap of 512 MB.
type spark struct {
	python, folder string

	home, master string
	env          []string
	processes    []*exec.Cmd
	peak         int64 // largest memory of an executor that was seen, in bytes
}

func (s *spark) start(ctx context.Context) error {
	home, err := exec.CommandContext(ctx, s.python, "-c", "import pyspark; print(pyspark.__path__[0])").Output()
	if err != nil {
		return fmt.Errorf("%s: expected a Python with pyspark: %w", s.python, err)
	}
	s.home = strings.TrimSpace(string(home))
	s.env = append(os.Environ(), "SPARK_HOME="+s.home, "PYSPARK_PYTHON="+s.python, "PYSPARK_DRIVER_PYTHON="+s.python, "SPARK_LOCAL_IP=127.0.0.1",
		"SPARK_LOCAL_DIRS="+filepath.Join(s.folder, "local"), "SPARK_WORKER_DIR="+filepath.Join(s.folder, "work"), "SPARK_DAEMON_MEMORY=256m")
	if err := os.Mkdir(s.events(), 0o777); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	s.master = fmt.Sprintf("spark://127.0.0.1:%d", port)
	if err := s.daemon(ctx, "master.Master", "--host", "127.0.0.1", "--port", strconv.Itoa(port), "--webui-port", "0"); err != nil {
		return err
	}
	for range 2 {
		if err := s.daemon(ctx, "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", s.master); err != nil {
			return err
		}
	}
	return nil
}

func (s *spark) events() string { return filepath.Join(s.folder, "events") }

// daemon starts a process of the cluster in its own process group.
func (s *spark) daemon(ctx context.Context, class string, args ...string) error {
	command := exec.CommandContext(ctx, filepath.Join(s.home, "bin", "spark-class"), append([]string{"org.apache.spark.deploy." + class}, args...)...)
	command.Env, command.Dir, command.SysProcAttr = s.env, s.folder, &syscall.SysProcAttr{Setpgid: true}
	s.processes = append(s.processes, command)
	return command.Start()
}

// stop ends all processes of the cluster.
func (s *spark) stop() {
	for _, p := range s.processes {
		if p.Process != nil {
			_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
			_ = p.Wait()
		}
	}
}

// submit runs a job, and watches the memory of the executors.
func (s *spark) submit(ctx context.Context, job string, arguments ...string) error {
	job, err := filepath.Abs(job)
	if err != nil {
		return err
	}
	args := []string{"--master", s.master}
	for _, setting := range []string{"spark.executor.memory=512m", "spark.driver.memory=800m", "spark.ui.enabled=false", "spark.sql.shuffle.partitions=8",
		"spark.eventLog.enabled=true", "spark.eventLog.dir=file://" + s.events()} {
		args = append(args, "--conf", setting)
	}
	command := exec.CommandContext(ctx, filepath.Join(s.home, "bin", "spark-submit"), append(append(args, job), arguments...)...)
	var log bytes.Buffer
	command.Env, command.Dir, command.Stdout, command.Stderr = s.env, s.folder, &log, &log
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error)
	go func() { ended <- command.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("%w: %s", err, log.String()[max(0, log.Len()-2000):])
			}
			return nil
		case <-time.After(time.Second):
			s.peak = max(s.peak, executorMemory())
		}
	}
}

// executorMemory returns the resident memory of the largest executor that runs now, with its
// filters.
func executorMemory() (most int64) {
	parents, resident := map[int]int{}, map[int]int64{}
	var executors []int
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		id, _ := strconv.Atoi(filepath.Base(path))
		stat, err := os.ReadFile(filepath.Join(path, "stat"))
		_, stat, named := bytes.Cut(stat, []byte(") ")) // the name of the program may contain spaces
		if fields := strings.Fields(string(stat)); err == nil && named && len(fields) > 21 {
			pages, _ := strconv.ParseInt(fields[21], 10, 64)
			parents[id], _ = strconv.Atoi(fields[1])
			resident[id] = pages * int64(os.Getpagesize())
		}
		if command, _ := os.ReadFile(filepath.Join(path, "cmdline")); bytes.Contains(command, []byte("CoarseGrainedExecutorBackend")) {
			executors = append(executors, id)
		}
	}
	for _, executor := range executors {
		sum := int64(0)
		for id := range resident {
			at := id
			for at > 1 && at != executor {
				at = parents[at]
			}
			if at == executor {
				sum += resident[id]
			}
		}
		most = max(most, sum)
	}
	return most
}

// shuffled returns the number of bytes that the tasks wrote for other tasks.
func (s *spark) shuffled() (sum int64, err error) {
	paths, err := filepath.Glob(filepath.Join(s.events(), "*"))
	if err != nil || len(paths) != 1 {
		return 0, fmt.Errorf("expected one log of events, found %d", len(paths))
	}
	file, err := os.Open(paths[0])
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<28)
	for lines.Scan() {
		var event struct {
			Event   string
			Metrics struct {
				Shuffle struct {
					Bytes int64 `json:"Shuffle Bytes Written"`
				} `json:"Shuffle Write Metrics"`
			} `json:"Task Metrics"`
		}
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return 0, err
		}
		if event.Event == "SparkListenerTaskEnd" {
			sum += event.Metrics.Shuffle.Bytes
		}
	}
	return sum, lines.Err()
}

var errProcessorTime = errors.New("/proc/stat: expected the processor time in the first line")

// processorTime returns the time that all processors of the machine have worked.
func processorTime() (time.Duration, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 8 {
		return 0, errProcessorTime
	}
	var ticks int64
	for i, field := range fields[1:8] {
		if i == 3 || i == 4 { // idle, waiting for disks
			continue
		}
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, errProcessorTime
		}
		ticks += n
	}
	const ticksPerSecond = 100
	return time.Duration(ticks) * time.Second / ticksPerSecond, nil
}
