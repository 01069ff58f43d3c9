package io.trapline.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the real program refuses, told by lines that {@link Command} can't make: so they come from a file. No line here
 * needs a right, and none begins a trial but where that is said.
 */
class RefusalsTest {
    private static final String GOOD = "run trial=t workload=usermode-count model=threads cpus=0 attach=none "
            + "warmup=1ms interval=1ms intervals=1";
    private static final int LONGEST_LINE = 65536;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rnu trial=t     | unknown command \"rnu trial=t\" | known: profile run go stop",
                "run             | unknown command \"run\"         | known: profile run go stop",
                "go              | no trial is in hand             | begin one with run",
                "go at=1         | no trial is in hand             | begin one with run",
                "stop            | no trial is in hand             | begin one with run",
                "run workload    | \"workload\" is not of the form key=value |",
                "run trial=t     | workload is missing             |",
            })
    void linesThatAreNoCommand(String line, String error, String fix) throws Exception {
        assertRefused(line, error, fix);
    }

    /** A good line with one word of it replaced, or left out. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "model=threads   | -                     | model is missing | -",
                "intervals=1     | -                     | intervals is missing | -",
                "model=threads   | modle=threads         | unknown key \"modle\" | known: trial workload model cpus",
                "model=threads   | model=threads model=threads | model is given twice | -",
                "model=threads   | model=fibres          | model \"fibres\" is unknown | known: threads processes per-numa-node",
                "model=threads   | model=                | model \"\" is unknown | known: threads processes per-numa-node",
                "attach=none     | attach=ftrace         | attach \"ftrace\" is unknown | known: none bpf perf",
                "attach=none     | attach=bpf            | attach=bpf does not apply to usermode-count | attach=none",
                "attach=none     | attach=none scope=pid | scope does not apply to usermode-count | -",
                "attach=none     | attach=none scope=    | scope \"\" is unknown | known: system pid",
                "attach=none     | attach=none call=libc | call does not apply to usermode-count | -",
                "attach=none     | attach=none altstack=same | altstack does not apply to usermode-count | -",
                "usermode-count  | uprobe-pop            | workload \"uprobe-pop\" is unknown | uprobe-push",
                "usermode-count  | uprobe-nop            | scope is missing | -",
                "usermode-count  | uprobe-nop scope=pid  | attach=none does not apply to uprobe-nop | attach=bpf or attach=perf",
                "usermode-count  | signal-raise          | call is missing | -",
                "usermode-count  | signal-altstack call=libc | altstack is missing | -",
                "trial=t         | trial=                | trial must have 1 to 128 bytes, not 0 | -",
                "cpus=0          | cpus=                 | the list is empty | cpus=0-3,8",
                "cpus=0          | cpus=8192             | 8192 | cpus=0-3,8",
                "cpus=0          | cpus=3-1              | 3-1 | cpus=0-3,8",
                "cpus=0          | cpus=one              | one | cpus=0-3,8",
                "warmup=1ms      | warmup=1              | warmup \"1\" has no unit | warmup=500ms",
                "warmup=1ms      | warmup=1m             | warmup \"1m\" has an unknown unit | from 1ms to 3600s",
                "warmup=1ms      | warmup=soon           | warmup \"soon\" is no duration | from 1ms to 3600s",
                "warmup=1ms      | warmup=-1ms           | warmup \"-1ms\" is no duration | from 1ms to 3600s",
                "warmup=1ms      | warmup=999999ns       | warmup 999999ns is out of bounds | from 1ms to 3600s",
                "interval=1ms    | interval=3601s        | interval 3601s is out of bounds | from 1ms to 3600s",
                "intervals=1     | intervals=0           | intervals \"0\" is out of bounds or no number | from 1 to 1000000",
                "intervals=1     | intervals=1000001     | out of bounds or no number | from 1 to 1000000",
                "intervals=1     | intervals=99999999999999999999 | out of bounds or no number | from 1 to 1000000",
                "intervals=1     | intervals=1.5         | out of bounds or no number | from 1 to 1000000",
            })
    void wordsThatAreNotUnderstood(String word, String inItsPlace, String error, String fix) throws Exception {
        assertThat(GOOD).contains(word);
        assertRefused(GOOD.replace(word, inItsPlace == null ? "" : inItsPlace), error, fix);
    }

    @ParameterizedTest
    @ValueSource(ints = {LONGEST_LINE, LONGEST_LINE + 1, 3 * LONGEST_LINE})
    void aLineThatIsTooLongIsOneRefusal(int length) throws Exception {
        List<Reply.Refused> refusals = refusals("x".repeat(length) + "\ngo\n");
        assertThat(refusals)
                .extracting(Reply.Refused::error)
                .containsExactly("the line is too long", "no trial is in hand");
    }

    @Test
    void theLongestLineIsRead() throws Exception {
        String line = "x".repeat(LONGEST_LINE - 1);
        assertThat(refusals(line + "\n")).singleElement().satisfies(refused -> {
            assertThat(refused.line()).isEqualTo(line.substring(0, 511));
            assertThat(refused.error()).startsWith("unknown command \"xxx");
        });
    }

    @Test
    void aTrialNameOfMoreThanAllowed() throws Exception {
        String tooLong = "t".repeat(Command.Run.MAX_TRIAL + 1);
        assertRefused(GOOD.replace("trial=t", "trial=" + tooLong), "trial must have 1 to 128 bytes, not 129", null);
    }

    @Test
    void aLineInTheMiddleOfATrial() throws Exception {
        assertThat(refusals(GOOD + "\nprofile\n" + GOOD + "\n"))
                .extracting(Reply.Refused::error)
                .containsExactly("trial t is in hand", "trial t is in hand");
    }

    @Test
    void aTrialOnATreeFromAnotherMachine() throws Exception {
        assertThat(refusals(GOOD + "\n", "--root /nowhere"))
                .containsExactly(
                        new Reply.Refused(GOOD, "run needs the live machine", Optional.of("start without --root")));
    }

    /** The line is refused, and the program serves on. */
    private void assertRefused(String line, String error, String fix) throws Exception {
        List<Reply.Refused> refusals = refusals(line + "\nstop\n");
        assertThat(refusals).extracting(Reply.Refused::line).containsExactly(line, "stop");
        assertThat(refusals.get(0).error()).contains(error);
        if (fix == null) {
            assertThat(refusals.get(0).fix()).isEmpty();
        } else {
            assertThat(refusals.get(0).fix())
                    .hasValueSatisfying(text -> assertThat(text).contains(fix));
        }
    }

    private List<Reply.Refused> refusals(String input) throws Exception {
        return refusals(input, "");
    }

    /** Lets the program read that input to its end, and gives what it refused of it. */
    private List<Reply.Refused> refusals(String input, String options) throws Exception {
        Path lines = Files.writeString(directory.resolve("lines"), input);
        Path fed = Script.in(directory, "exec " + TriggerProgram.find() + " " + options + " < " + lines);
        Queue<Reply> replies = new ConcurrentLinkedQueue<>();
        CompletableFuture<String> end = new CompletableFuture<>();
        TriggerProcess.start(fed, List.of(), new Trigger.Listener() {
            @Override
            public void said(Reply reply) {
                replies.add(reply);
            }

            @Override
            public void ended(String how) {
                end.complete(how);
            }
        });
        assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo("ended with status 0");
        Stream<Reply> all = replies.stream();
        return all.filter(Reply.Refused.class::isInstance)
                .map(Reply.Refused.class::cast)
                .toList();
    }
}
