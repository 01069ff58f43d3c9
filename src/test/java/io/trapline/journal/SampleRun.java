package io.trapline.journal;

import io.trapline.campaign.Cell;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Method;
import io.trapline.host.Model;
import io.trapline.host.Timing;
import io.trapline.host.Topology;
import io.trapline.host.Workload;
import io.trapline.trigger.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Records of a run as tests need them: all is well with it unless the test says otherwise. */
public final class SampleRun {
    /** When everything happens. */
    public static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

    /** The campaign file that it was run for. */
    public static final byte[] FILE = "kind: Campaign\n".getBytes(StandardCharsets.UTF_8);

    /** The first byte of each target on x86_64. */
    private static final Map<String, String> FIRST = Map.of("nop", "90", "push", "55", "ret", "c3");

    private static final long SECOND = 1_000_000_000L;

    private final List<JournalRecord> records = new ArrayList<>();

    /** A run with one host, {@code vm}, of 64 CPUs in four NUMA nodes. */
    public static SampleRun of(int intervals, int rounds, String... paths) {
        return of(run(intervals, rounds, paths));
    }

    /** A run that begins with this record, with the same host. */
    public static SampleRun of(JournalRecord.Run run) {
        SampleRun sample = new SampleRun();
        sample.add(run);
        sample.add(new JournalRecord.HostSeen(host("vm")));
        return sample;
    }

    /** The first record of such a run. */
    public static JournalRecord.Run run(int intervals, int rounds, String... paths) {
        return new JournalRecord.Run(
                JournalRecord.FORMAT,
                "r1",
                "sample",
                Optional.of("Does it scale?"),
                RunDirectory.sha256(FILE),
                "0.1.0",
                AT,
                Arrays.stream(paths)
                        .map(p -> new JournalRecord.PathUsed(p, Method.DEFAULT))
                        .toList(),
                new Timing(Duration.ofMillis(500), Duration.ofSeconds(1), intervals),
                rounds,
                Optional.empty());
    }

    /** Such a run whose paths may be that much slower than the first one; 0.03 is 3 %. */
    public static SampleRun gated(double slower, int intervals, int rounds, String... paths) {
        JournalRecord.Run plain = run(intervals, rounds, paths);
        return new SampleRun()
                .add(new JournalRecord.Run(
                        plain.format(),
                        plain.run(),
                        plain.campaign(),
                        plain.question(),
                        plain.sha256(),
                        plain.version(),
                        plain.at(),
                        plain.paths(),
                        plain.timing(),
                        plain.rounds(),
                        Optional.of(slower)))
                .add(new JournalRecord.HostSeen(host("vm")));
    }

    /** A bare-metal x86_64 host of 64 CPUs in four NUMA nodes, on which all can be measured. */
    public static HostProfile host(String name) {
        List<Topology.Cpu> cpus = IntStream.range(0, 64)
                .mapToObj(id -> new Topology.Cpu(
                        id,
                        id / 16,
                        OptionalInt.of(0),
                        OptionalInt.of(id),
                        CpuSet.of(id),
                        CpuSet.EMPTY,
                        Topology.Core.UNKNOWN,
                        OptionalLong.empty()))
                .toList();
        List<Topology.NumaNode> nodes = IntStream.range(0, 4)
                .mapToObj(n -> new Topology.NumaNode(
                        n, CpuSet.of(IntStream.range(16 * n, 16 * n + 16)), List.of(), OptionalLong.empty()))
                .toList();
        CpuSet all = first(64);
        return new HostProfile(
                name,
                "x86_64",
                new HostProfile.Kernel("6.18.15", "#1 SMP", Optional.empty()),
                Optional.of("glibc 2.36"),
                Optional.of("Hi1616"),
                Optional.empty(),
                OptionalLong.of(67108864),
                new Topology(all, all, all, cpus, nodes),
                CpuSet.EMPTY,
                false,
                List.of(new HostProfile.Ability("uprobe-bpf", true, Optional.empty(), Optional.empty())),
                List.of());
    }

    /** CPUs 0 to n - 1. */
    public static CpuSet first(int cpus) {
        return CpuSet.of(IntStream.range(0, cpus));
    }

    /** A cell on host {@code vm}, model threads, CPUs from 0 on. */
    public static Cell cell(String path, String workload, int cpus) {
        return new Cell(path, Workload.named(workload), Model.THREADS, first(cpus), "vm");
    }

    /** A planned trial whose id tells path, workload, CPUs and round. */
    public static JournalRecord.Planned planned(Cell cell, int round) {
        String id = String.join(
                "/",
                cell.path(),
                cell.workload().name(),
                cell.model().spelling(),
                cell.cpus().toString(),
                cell.host(),
                Integer.toString(round));
        return new JournalRecord.Planned(id, cell, round);
    }

    /** Adds a record. */
    public SampleRun add(JournalRecord record) {
        records.add(record);
        return this;
    }

    /** Adds a trial that ends well at the first attempt; one rate an interval, in operations a second. */
    public SampleRun trial(Cell cell, int round, double... rates) {
        JournalRecord.Planned planned = planned(cell, round);
        records.add(planned);
        return attempt(planned, 1, UnaryOperator.identity(), rates);
    }

    /**
     * Adds an attempt at a planned trial.
     *
     * @param change what the trigger says in place of what it would say if all were well
     */
    public SampleRun attempt(
            JournalRecord.Planned planned, int number, UnaryOperator<Reply.OfTrial> change, double... rates) {
        records.add(new JournalRecord.Begun(planned.trial(), number, "w1", AT));
        for (Reply.OfTrial reply : replies(planned.trial(), planned.cell(), rates)) {
            records.add(new JournalRecord.Said(planned.trial(), number, change.apply(reply)));
        }
        return this;
    }

    /** What the trigger says when the kernel walks that many consumers at each hit. */
    public static UnaryOperator<Reply.OfTrial> withConsumers(int consumers) {
        return r -> r instanceof Reply.Ready ready
                ? new Reply.Ready(
                        ready.trial(),
                        ready.bytes(),
                        ready.attached(),
                        ready.instruction(),
                        OptionalInt.of(consumers),
                        ready.threads())
                : r;
    }

    /** Adds the end of a run that took 5 % longer than its measuring. */
    public SampleRun ended() {
        return add(new JournalRecord.Ended("complete", 105_000, 100_000, AT));
    }

    /** What the trigger says in a trial in which all is well. */
    public static List<Reply.OfTrial> replies(String trial, Cell cell, double... rates) {
        int cpus = cell.cpus().size();
        List<Reply.OfTrial> said = new ArrayList<>();
        said.add(ready(trial, cell));
        said.add(new Reply.Started(trial, 5, 905));
        long ns = SECOND / 2;
        long[] ops = new long[cpus];
        Arrays.fill(ops, 1000);
        said.add(new Reply.Interval(trial, 0, ns, 300, ops));
        for (int i = 0; i < rates.length; i++) {
            ns += SECOND;
            ops = ops.clone();
            long rest = Math.round(rates[i]);
            for (int cpu = 0; cpu < cpus; cpu++) {
                long share = rest / (cpus - cpu);
                ops[cpu] += share;
                rest -= share;
            }
            said.add(new Reply.Interval(trial, i + 1, ns, 300, ops));
        }
        said.add(done(trial, cell, ops));
        return said;
    }

    private static Reply.Ready ready(String trial, Cell cell) {
        boolean probe = cell.workload().kind().isProbe();
        String target = cell.workload().name().replaceFirst(".*-", "");
        return new Reply.Ready(
                trial,
                probe ? Optional.of(FIRST.get(target) + "c3c3") : Optional.empty(),
                probe ? Optional.of("ccc3c3") : Optional.empty(),
                probe ? Optional.of(target) : Optional.empty(),
                probe ? OptionalInt.of(1) : OptionalInt.empty(),
                cell.cpus().stream()
                        .mapToObj(id -> new Reply.ThreadPlace(
                                id,
                                100,
                                100L + id,
                                Integer.toString(id),
                                OptionalInt.of(id / 16),
                                OptionalInt.of(id / 16)))
                        .toList());
    }

    private static Reply.Done done(String trial, Cell cell, long[] ops) {
        long sum = LongStream.of(ops).sum();
        List<Long> each = LongStream.of(ops).boxed().toList();
        boolean counted = cell.workload().kind() != Workload.Kind.BASELINE;
        return new Reply.Done(
                trial,
                sum,
                counted ? OptionalLong.of(sum) : OptionalLong.empty(),
                each,
                counted ? each : List.of(),
                ops.length,
                OptionalLong.of(0),
                OptionalLong.of(0),
                OptionalLong.of(0),
                OptionalLong.of(0),
                0,
                false);
    }

    /** The records so far. */
    public List<JournalRecord> records() {
        return Collections.unmodifiableList(records);
    }

    /** Writes them to a journal. */
    public Path write(Path file) throws IOException {
        try (JournalWriter writer = JournalWriter.open(file)) {
            for (JournalRecord record : records) {
                writer.append(record);
            }
        }
        return file;
    }

    /** The journal that they make, by way of a file. */
    public Journal journal() {
        try {
            Path file = Files.createTempFile("sample", ".jsonl");
            try {
                return JournalReader.read(write(file));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
