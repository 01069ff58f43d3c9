package io.trapline.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.analysis.Analysis;
import io.trapline.journal.SampleRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables of "[PATCH v5 2/2] uprobes: Remove the spinlock within handle_singlestep()" come out of trials that have
 * their figures, to the byte.
 */
class SeedTablesTest {
    private static final Pattern LINE = Pattern.compile(
            "(?m)^(?:([a-z]+-opt)|(\\S+) +\\( *(\\d+) cpus\\): +([\\d.]+) ± +([\\d.]+)M/s +\\( *([\\d.]+)M/s/cpu\\))$");

    @Test
    void tablesOfTheFirstMail() throws IOException {
        String seed = seed();
        SampleRun run = SampleRun.of(2, 1, "before-opt", "after-opt");
        String path = "";
        int rows = 0;
        for (Matcher m = LINE.matcher(seed); m.find(); ) {
            if (m.group(1) != null) {
                path = m.group(1);
                continue;
            }
            int cpus = Integer.parseInt(m.group(3));
            double mean = 1e6 * unrounded(Double.parseDouble(m.group(4)), Double.parseDouble(m.group(6)), cpus);
            // two numbers that far from their mean have this standard deviation, by n - 1
            double apart = 1e6 * Double.parseDouble(m.group(5)) / Math.sqrt(2);
            run.trial(SampleRun.cell(path, m.group(2), cpus), 1, mean - apart, mean + apart);
            rows++;
        }

        assertThat(rows).isEqualTo(42);
        String text =
                new String(new TextReport().render(Report.of(Analysis.of(run.journal()))), StandardCharsets.UTF_8);
        assertThat(text).contains("\n\n" + seed + "\n");
    }

    /** A rate that prints as this total and as this share of one CPU: both columns are rounded from the same mean. */
    private static double unrounded(double total, double perCpu, int cpus) {
        double half = 0.0005;
        double low = Math.max(total - half, (perCpu - half) * cpus);
        double high = Math.min(total + half, (perCpu + half) * cpus);
        assertThat(low).isLessThan(high);
        return (low + high) / 2;
    }

    private static String seed() throws IOException {
        try (InputStream in = SeedTablesTest.class.getResourceAsStream("siglock-singlestep.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
