//go:build unix

package spark

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// variable is the environment variable with a Python that has pyspark. Without it, the test is
// skipped.
const variable = "FPHASH_SPARK_PYTHON"

// cluster is a standalone cluster on this machine: a master and two workers with one core each.
type cluster struct {
	home, master, folder string
	env                  []string
	workers              []*exec.Cmd
}

// newCluster starts a cluster, which ends with the test.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	python := os.Getenv(variable)
	if python == "" {
		t.Skipf("%s is not set to a Python with pyspark", variable)
	}
	home, err := exec.Command(python, "-c", "import pyspark; print(pyspark.__path__[0])").Output()
	if err == nil {
		_, err = exec.LookPath("java")
	}
	if err != nil {
		t.Fatalf("%s=%s: expected a Python with pyspark, and Java: %v", variable, python, err)
	}
	if python, err = exec.LookPath(python); err != nil {
		t.Fatal(err)
	}
	c := &cluster{home: strings.TrimSpace(string(home))}
	c.folder = t.TempDir()
	c.env = append(os.Environ(), "SPARK_HOME="+c.home, "PYSPARK_PYTHON="+python, "PYSPARK_DRIVER_PYTHON="+python, "SPARK_LOCAL_IP=127.0.0.1",
		"SPARK_LOCAL_DIRS="+filepath.Join(c.folder, "local"), "SPARK_WORKER_DIR="+filepath.Join(c.folder, "work"), "SPARK_DAEMON_MEMORY=256m")
	at := port(t)
	c.master = fmt.Sprintf("spark://127.0.0.1:%d", at)
	c.start(t, "master.Master", "--host", "127.0.0.1", "--port", fmt.Sprint(at), "--webui-port", "0")
	for range 2 {
		c.workers = append(c.workers, c.start(t, "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "700m", "--webui-port", "0", c.master))
	}
	return c
}

// submit runs a job and returns its log. If meanwhile is not nil, submit calls it while the job
// runs.
func (c *cluster) submit(t *testing.T, meanwhile func(ended <-chan struct{}), conf []string, job ...string) string {
	t.Helper()
	args := []string{"--master", c.master}
	for _, setting := range append(conf, "spark.executor.memory=512m", "spark.driver.memory=512m", "spark.ui.enabled=false", "spark.sql.shuffle.partitions=3") {
		args = append(args, "--conf", setting)
	}
	command := exec.CommandContext(t.Context(), filepath.Join(c.home, "bin", "spark-submit"), append(args, job...)...)
	var log bytes.Buffer
	command.Env, command.Dir, command.Stdout, command.Stderr = c.env, c.folder, &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended, failed := make(chan struct{}), error(nil)
	go func() {
		failed = command.Wait()
		close(ended)
	}()
	if meanwhile != nil {
		meanwhile(ended)
	}
	<-ended
	if failed != nil {
		t.Fatalf("%v: %s", failed, tail(log.String()))
	}
	return log.String()
}

// start starts a process of the cluster in its own process group. It is killed at the end of the
// test.
func (c *cluster) start(t *testing.T, class string, args ...string) *exec.Cmd {
	t.Helper()
	var log bytes.Buffer
	command := exec.Command(filepath.Join(c.home, "bin", "spark-class"), append([]string{"org.apache.spark.deploy." + class}, args...)...)
	command.Env, command.Dir, command.Stdout, command.Stderr = c.env, c.folder, &log, &log
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.WaitDelay = 10 * time.Second // orphaned processes may keep the pipes open
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		kill(command)
		<-ended
		if t.Failed() {
			t.Logf("%s %s: %s", class, args, tail(log.String()))
		}
	})
	return command
}

// kill kills a process and its children, like a loss of power.
func kill(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

// tail returns the end of a log.
func tail(log string) string { return log[max(0, len(log)-8000):] }

// port returns a free port of this machine.
func port(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// gate is a wrapper of fphash that makes one filter wait until the gate is open.
type gate struct {
	program        string
	filter, folder string
}

// newGate returns a closed gate.
func newGate(t *testing.T, program, filter string) *gate {
	t.Helper()
	folder := t.TempDir()
	g := &gate{filepath.Join(folder, "fphash"), filter, folder}
	script := fmt.Sprintf("#!/bin/sh\n: >'%[1]s/run.'$1.$$\nwhile [ \"$1\" = %[3]s ] && [ ! -e '%[1]s/open' ]; do sleep 0.1; done\nexec '%[2]s' \"$@\"\n", folder, program, filter)
	if err := os.WriteFile(g.program, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return g
}

// runs returns how often a filter was started.
func (g *gate) runs(filter string) int {
	runs, _ := filepath.Glob(filepath.Join(g.folder, "run."+filter+".*"))
	return len(runs)
}

// killAt calls kill when the given number of filters wait at the gate, and then opens the gate.
func (g *gate) killAt(t *testing.T, waiting int, kill func(), ended <-chan struct{}) {
	for tick := time.Tick(50 * time.Millisecond); g.runs(g.filter) < waiting; {
		select {
		case <-ended:
			t.Errorf("the job has ended before fphash %s ran %d times", g.filter, waiting)
			return
		case <-tick:
		}
	}
	kill()
	if err := os.WriteFile(filepath.Join(g.folder, "open"), nil, 0o666); err != nil {
		t.Error(err)
	}
}
