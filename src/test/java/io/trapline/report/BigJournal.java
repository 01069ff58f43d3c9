package io.trapline.report;

import io.trapline.analysis.Analysis;
import io.trapline.journal.Journal;
import io.trapline.journal.JournalRecord;
import io.trapline.journal.JournalWriter;
import io.trapline.journal.RunDirectory;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * Not a test: measures how long the report of a million intervals takes. With the class path of the tests:
 *
 * <pre>taskset -c 0 java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m io.trapline.report.BigJournal DIR</pre>
 *
 * <p>The journal is made in DIR when there is none yet; the second run measures the report alone.
 */
public final class BigJournal {
    private static final int TRIALS = 50_000;
    private static final int INTERVALS = 20;

    private BigJournal() {}

    /** Takes the directory. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]).resolve("journal.jsonl");
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            long from = System.nanoTime();
            write(file);
            say("written, " + Files.size(file) / 1_000_000 + " MB", from);
        }
        long from = System.nanoTime();
        Journal journal = RunDirectory.read(file.getParent());
        say("read", from);
        ReportFiles.write(file.getParent(), Report.of(Analysis.of(journal)));
        say("read, analysed and written", from);
        long peak = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
        System.out.println("heap at most " + peak / (1 << 20) + " MiB");
    }

    private static void write(Path file) throws IOException {
        Random random = new Random(1);
        String[] workloads = {"uprobe-nop", "uprobe-push", "uprobe-ret", "signal-raise", "signal-altstack"};
        int rounds = TRIALS / (2 * workloads.length * 2);
        SampleRun sample = SampleRun.of(INTERVALS, rounds, "locked", "lockless");
        try (JournalWriter writer = JournalWriter.open(file)) {
            for (int round = 1; round <= rounds; round++) {
                for (String workload : workloads) {
                    for (int cpus : new int[] {1, 2}) {
                        for (String path : new String[] {"locked", "lockless"}) {
                            double[] rates = new double[INTERVALS];
                            Arrays.setAll(rates, i -> 1e6 * cpus * (1 + 0.01 * random.nextGaussian()));
                            sample.trial(SampleRun.cell(path, workload, cpus), round, rates);
                        }
                    }
                }
                for (JournalRecord record : sample.records()) {
                    writer.append(record);
                }
                sample = new SampleRun();
            }
            writer.append(new JournalRecord.Ended("complete", 1_300_000_000L, 1_250_000_000L, SampleRun.AT));
        }
    }

    private static void say(String what, long from) {
        System.out.printf(Locale.ROOT, "%s: %.2f s%n", what, (System.nanoTime() - from) / 1e9);
    }
}
