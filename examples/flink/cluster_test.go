//go:build unix

package flink

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"simhashkit/examples/internal/engine"
)

// variable names the environment variable that says where Flink is: a folder with bin, conf and
// lib. Without it the test is skipped.
const variable = "FPHASH_FLINK_HOME"

// cluster is a standalone cluster of a job manager and two task managers of a slot each, on this
// machine.
type cluster struct {
	engine.Site
	home, address string
	job           string // the program in examples/flink
	settings      []string
	taskManagers  []*engine.Process
}

// newCluster compiles the job and starts a cluster.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{home: os.Getenv(variable)}
	if c.home == "" {
		t.Skipf("%s does not say where Flink is", variable)
	}
	c.Folder = t.TempDir()
	c.Env = append(os.Environ(), "FLINK_LOG_DIR="+c.Folder, "FLINK_ENV_JAVA_OPTS_TM=-Djava.io.tmpdir="+c.Folder)
	classes := filepath.Join(c.Folder, "classes")
	source, err := filepath.Abs("Attributes.java")
	if err != nil {
		t.Fatal(err)
	}
	c.job = filepath.Join(c.Folder, "attributes.jar")
	c.Run(t, nil, "javac", "-cp", filepath.Join(c.home, "lib", "*"), "-d", classes, source)
	c.Run(t, nil, "jar", "cfe", c.job, "Attributes", "-C", classes, ".")

	port := engine.Port(t)
	c.address = fmt.Sprint("127.0.0.1:", port)
	c.settings = []string{"jobmanager.rpc.address=127.0.0.1", fmt.Sprint("jobmanager.rpc.port=", engine.Port(t)), "rest.address=127.0.0.1", fmt.Sprint("rest.port=", port),
		"jobmanager.memory.process.size=1g", "taskmanager.memory.process.size=1g", "taskmanager.memory.managed.size=64m", "taskmanager.host=127.0.0.1", "io.tmp.dirs=" + c.Folder,
		"heartbeat.interval=1s",                                 // a lost task manager is noticed when two are missed
		"pekko.startup-timeout=10min", "pekko.ask.timeout=5min"} // the machine may be busy
	c.start(t, "jobmanager.sh")
	for range 2 {
		c.taskManagers = append(c.taskManagers, c.start(t, "taskmanager.sh"))
	}
	c.waitForTaskManagers(t)
	return c
}

// start starts a process of the cluster.
func (c *cluster) start(t *testing.T, script string) *engine.Process {
	t.Helper()
	args := []string{"start-foreground"}
	for _, setting := range c.settings {
		args = append(args, "-D", setting)
	}
	return c.Start(t, filepath.Join(c.home, "bin", script), args...)
}

// waitForTaskManagers waits until the job manager has all of them: both are to work from the start.
func (c *cluster) waitForTaskManagers(t *testing.T) {
	t.Helper()
	for {
		var overview struct{ TaskManagers int }
		if response, err := http.Get("http://" + c.address + "/overview"); err == nil {
			_ = json.NewDecoder(response.Body).Decode(&overview)
			response.Body.Close()
		}
		if overview.TaskManagers == len(c.taskManagers) {
			return
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-c.taskManagers[0].Ended:
			t.Fatal("a task manager has ended")
		case <-c.taskManagers[1].Ended:
			t.Fatal("a task manager has ended")
		}
	}
}

// submit runs the job to its end. Meanwhile is called when it has begun.
func (c *cluster) submit(t *testing.T, meanwhile func(ended <-chan struct{}), parallelism int, options ...string) {
	t.Helper()
	c.Run(t, meanwhile, filepath.Join(c.home, "bin", "flink"), append([]string{"run", "--jobmanager", c.address, "--parallelism", fmt.Sprint(parallelism), c.job}, options...)...)
}
