import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.CoGroupFunction;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.operators.Order;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.Collector;

/**
 * Near-duplicates among the documents of many files, on a Flink cluster, by the filters of fphash.
 *
 * <pre>flink run --parallelism 2 attributes.jar --in 'corpus/*.parquet' --out out</pre>
 *
 * writes into the new folder out, as lines with tabs between their fields:
 *
 * <pre>
 * fingerprints  n, fingerprint, id     n numbers the documents, in the order of the files
 * pairs         n, n, distance         each pair once
 * attributes    id, fingerprint, cluster_id, is_canonical
 * </pre>
 *
 * with what fphash dedup-corpus 'corpus/*.parquet' --out out finds: the same fingerprints, pairs and
 * clusters, and of each cluster the same document to keep, however many tasks and task managers
 * there are. All of these need the files under the same path, and fphash.
 */
public class Attributes {
  static final Map<String, String> OPTIONS = new TreeMap<>(Map.of(
      "--in", "", // files that fphash sketch reads: a path whose last part may be a glob
      "--out", "", // folder that is not there yet
      "--sketch", "--text text --id id", // flags of fphash sketch
      "--blocks", "", // flags of fphash blocks and pairs, such as '--k 3 --tables 5,2'
      "--pairs", "", // further ones of pairs: --links, for as few as form the same clusters
      "--fphash", "fphash")); // the program

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length || OPTIONS.replace(arguments[i], arguments[i + 1]) == null) {
        throw new IllegalArgumentException(arguments[i] + ": expected a value for each of " + OPTIONS.keySet());
      }
    }
    String out = OPTIONS.get("--out"), blocks = OPTIONS.get("--blocks");
    if (out.isEmpty() || new File(out).exists()) {
      throw new IOException("--out " + out + ": expected a folder that is not there yet");
    }
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    // Else parallelism goes by bytes, of which names of files have few.
    configuration.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
    // Without a strategy the first failure is the last. With less delay all attempts go to a task manager
    // that was lost before its heartbeat is missed, which takes 20 s.
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(10));
    StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment(configuration);

    DataStream<String> fingerprints = flink.fromData(files(OPTIONS.get("--in"))).rebalance()
        .flatMap(new Sketch(command("sketch", OPTIONS.get("--sketch"))));
    DataStream<String> unnamed = fingerprints.map(line -> field(line, 1) + "\t" + field(line, 0));
    // Each task sorts its part, on disk where need be. A keyed stream would have its keys in no order.
    DataStream<String> sorted = through(unnamed, command("blocks", blocks))
        .partitionCustom((key, parts) -> Math.floorMod(key.hashCode(), parts), line -> field(line, 0))
        .fullWindowPartition().sortPartition(line -> field(line, 0), Order.ASCENDING);
    DataStream<String> pairs = through(sorted, command("pairs", "--sorted", blocks, OPTIONS.get("--pairs")));
    // Pairs are few beside documents, and one process makes clusters of all of them.
    DataStream<String> clusters = through(pairs, command("clusters")).setParallelism(1);
    DataStream<String> attributes = fingerprints.coGroup(clusters)
        .where(line -> field(line, 0)).equalTo(line -> field(line, 0))
        .window(GlobalWindows.createWithEndOfStreamTrigger()).apply(new Join(), Types.STRING);
    write(fingerprints, out + "/fingerprints");
    write(pairs, out + "/pairs");
    write(attributes, out + "/attributes");
    flink.execute("fphash attributes");
  }

  /** Returns the files that a pattern names, after the numbers of the documents before their first ones. */
  static List<String> files(String pattern) throws IOException {
    Path path = Path.of(pattern).toAbsolutePath();
    List<Path> paths = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(path.getParent(), path.getFileName().toString())) {
      found.forEach(paths::add);
    }
    if (paths.isEmpty()) {
      throw new IOException("--in " + pattern + ": expected files, found none");
    }
    Collections.sort(paths);
    List<String> files = new ArrayList<>();
    for (Path file : paths) {
      files.add(((long) files.size() << 32) + "\t" + file);
    }
    return files;
  }

  static String field(String line, int i) {
    return line.split("\t", -1)[i];
  }

  static List<String> command(String filter, String... flags) {
    List<String> command = new ArrayList<>(List.of(OPTIONS.get("--fphash"), filter));
    for (String flag : String.join(" ", flags).trim().split(" +")) {
      if (!flag.isEmpty()) {
        command.add(flag);
      }
    }
    return command;
  }

  static SingleOutputStreamOperator<String> through(DataStream<String> lines, List<String> command) {
    return lines.transform(command.get(1), Types.STRING, new Filter(command));
  }

  static void write(DataStream<String> lines, String folder) {
    lines.transform("write", Types.VOID, new Write(folder));
  }

  /** Writes id, fingerprint (none without information), cluster_id (none if alone) and is_canonical. */
  static class Join implements CoGroupFunction<String, String, String> {
    @Override
    public void coGroup(Iterable<String> fingerprints, Iterable<String> clusters, Collector<String> out) {
      String cluster = "\tyes";
      for (String line : clusters) {
        cluster = field(line, 1) + "\t" + field(line, 2);
      }
      for (String line : fingerprints) {
        out.collect(field(line, 2) + "\t" + (field(line, 1).matches("0*") ? "" : field(line, 1)) + "\t" + cluster);
      }
    }
  }

  /** Computes the fingerprints of a file's documents, all of them in one task: have many files. */
  static class Sketch implements FlatMapFunction<String, String> {
    private final List<String> command;

    Sketch(List<String> command) {
      this.command = command;
    }

    @Override
    public void flatMap(String numbered, Collector<String> out) throws Exception {
      String[] file = numbered.split("\t", 2);
      List<String> named = new ArrayList<>(command);
      named.add(file[1]);
      long[] n = {Long.parseLong(file[0])};
      try (Program program = new Program(named)) {
        program.end(line -> out.collect(++n[0] + "\t" + line));
      }
    }
  }

  /** Puts the lines of a task through a program. */
  static class Filter extends AbstractStreamOperator<String>
      implements OneInputStreamOperator<String, String>, BoundedOneInput {
    private final List<String> command;
    private transient Program program;

    Filter(List<String> command) {
      this.command = command;
    }

    @Override
    public void open() throws Exception {
      super.open();
      program = new Program(command);
    }

    @Override
    public void processElement(StreamRecord<String> line) throws IOException {
      program.input.write(line.getValue() + "\n");
    }

    @Override
    public void endInput() throws Exception {
      program.end(line -> output.collect(new StreamRecord<>(line)));
    }

    @Override
    public void close() throws Exception {
      if (program != null) {
        program.close();
      }
      super.close();
    }
  }

  /**
   * Writes the lines of a task into a file that is named after it. Flink runs tasks again whose results
   * are lost with a task manager, and all behind them, even those that had ended: they write the same
   * file again. Its FileSink would have rows twice then.
   */
  static class Write extends AbstractStreamOperator<Void>
      implements OneInputStreamOperator<String, Void>, BoundedOneInput {
    private final String folder;
    private transient Path whole, part;
    private transient Writer file;

    Write(String folder) {
      this.folder = folder;
    }

    @Override
    public void open() throws Exception {
      super.open();
      TaskInfo task = getRuntimeContext().getTaskInfo();
      Files.createDirectories(Path.of(folder));
      whole = Path.of(folder, "part-" + task.getIndexOfThisSubtask());
      part = Path.of(folder, "." + whole.getFileName() + "." + task.getAttemptNumber());
      file = Files.newBufferedWriter(part);
    }

    @Override
    public void processElement(StreamRecord<String> line) throws IOException {
      file.write(line.getValue() + "\n");
    }

    @Override
    public void endInput() throws IOException {
      file.close();
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws Exception {
      if (file != null) {
        file.close();
      }
      super.close();
    }
  }

  /**
   * A program that runs, and what it has written, in a file: that is for others once the program has
   * ended well, or a part would pass for all of it.
   */
  static class Program implements AutoCloseable {
    final Writer input;
    private final Process process;
    private final List<String> command;
    private final Path written = Files.createTempFile("fphash", null);

    Program(List<String> command) throws IOException {
      this.command = command;
      process = new ProcessBuilder(command).redirectOutput(written.toFile()).redirectError(Redirect.INHERIT).start();
      input = process.outputWriter(StandardCharsets.UTF_8);
    }

    void end(Consumer<String> each) throws IOException, InterruptedException {
      input.close();
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": exit code " + process.exitValue());
      }
      try (Stream<String> lines = Files.lines(written)) {
        lines.forEach(each);
      }
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      Files.deleteIfExists(written);
    }
  }
}
