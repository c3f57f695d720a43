//go:build unix

package spark

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/examples/internal/engine"
)

// variable names the environment variable that says which Python has pyspark. Without it the test
// is skipped.
const variable = "FPHASH_SPARK_PYTHON"

// cluster is a standalone cluster of a master and two workers of a core each, on this machine.
type cluster struct {
	engine.Site
	home, master string
	workers      []*engine.Process
}

// newCluster starts one.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	python := os.Getenv(variable)
	if python == "" {
		t.Skipf("%s does not say which Python has pyspark", variable)
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
	c.Folder = t.TempDir()
	c.Env = append(os.Environ(), "SPARK_HOME="+c.home, "PYSPARK_PYTHON="+python, "PYSPARK_DRIVER_PYTHON="+python, "SPARK_LOCAL_IP=127.0.0.1",
		"SPARK_LOCAL_DIRS="+filepath.Join(c.Folder, "local"), "SPARK_WORKER_DIR="+filepath.Join(c.Folder, "work"), "SPARK_DAEMON_MEMORY=256m")
	port := engine.Port(t)
	c.master = fmt.Sprintf("spark://127.0.0.1:%d", port)
	c.start(t, "master.Master", "--host", "127.0.0.1", "--port", fmt.Sprint(port), "--webui-port", "0")
	for range 2 {
		c.workers = append(c.workers, c.start(t, "worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "700m", "--webui-port", "0", c.master))
	}
	return c
}

// start starts a process of the cluster.
func (c *cluster) start(t *testing.T, class string, args ...string) *engine.Process {
	t.Helper()
	return c.Start(t, filepath.Join(c.home, "bin", "spark-class"), append([]string{"org.apache.spark.deploy." + class}, args...)...)
}

// submit runs a job to its end, and returns what it logs. Meanwhile is called when it has begun.
func (c *cluster) submit(t *testing.T, meanwhile func(ended <-chan struct{}), conf []string, job ...string) string {
	t.Helper()
	args := []string{"--master", c.master}
	for _, setting := range append(conf, "spark.executor.memory=512m", "spark.driver.memory=512m", "spark.ui.enabled=false", "spark.sql.shuffle.partitions=3") {
		args = append(args, "--conf", setting)
	}
	return c.Run(t, meanwhile, filepath.Join(c.home, "bin", "spark-submit"), append(args, job...)...)
}
