package io.trapline.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplyReaderTest {

    @Test
    void readsTheProfileOfTheProtocolsText() throws TriggerException {
        // The sample of PROTOCOL.md, made one line.
        ProfileReply profile = (ProfileReply) new ReplyReader().read("""
                {"type":"profile","protocol":1,"trigger":"0.1.0","hostname":"vm","arch":"x86_64","libc":"glibc 2.36",
                 "kernel":{"release":"6.12.1","version":"#1 SMP ...","cmdline":"..."},
                 "present":"0-1","online":"0-1","possible":"0-1","offline":"","isolated":"","nohzFull":"","allowed":"0-1","smt":"off",
                 "cpus":[{"id":0,"online":true,"package":0,"core":0,"siblings":"0","packageCpus":"0-1","llc":"0-1","llcLevel":3,"maxKHz":3000000,"governor":"performance","model":"Intel..."}],
                 "nodesOnline":"0","nodes":[{"id":0,"cpus":"0-1","distances":"10","memTotalKiB":24000000,"memFreeKiB":1}],
                 "cpuCore":"0-15","cpuAtom":"16-23",
                 "boost":"1","noTurbo":"0","clocksource":"kvm-clock","paranoid":2,"bpfDisabled":2,"memKiB":24000000,
                 "hypervisor":"kvm","uid":0,
                 "can":[{"what":"uprobe-bpf","ok":true},{"what":"uprobe-perf","ok":false,"call":"perf_event_open","errno":13,"error":"Permission denied","fix":"..."}],
                 "workloads":["usermode-count","..."]}
                """.replace("\n", ""));

        assertThat(profile)
                .isEqualTo(new ProfileReply(
                        1,
                        "0.1.0",
                        "vm",
                        "x86_64",
                        Optional.of("glibc 2.36"),
                        new ProfileReply.Kernel("6.12.1", "#1 SMP ...", Optional.of("...")),
                        Optional.of("0-1"),
                        Optional.of("0-1"),
                        Optional.of("0-1"),
                        Optional.of(""),
                        Optional.of(""),
                        Optional.of(""),
                        "0-1",
                        Optional.of("off"),
                        List.of(new ProfileReply.RawCpu(
                                0,
                                true,
                                OptionalInt.of(0),
                                OptionalInt.of(0),
                                Optional.of("0"),
                                Optional.of("0-1"),
                                Optional.of("0-1"),
                                OptionalInt.of(3),
                                OptionalLong.of(3_000_000),
                                Optional.of("performance"),
                                Optional.of("Intel..."))),
                        Optional.of("0"),
                        List.of(new ProfileReply.RawNode(
                                0,
                                Optional.of("0-1"),
                                Optional.of("10"),
                                OptionalLong.of(24_000_000),
                                OptionalLong.of(1))),
                        Optional.of("0-15"),
                        Optional.of("16-23"),
                        Optional.of("1"),
                        Optional.of("0"),
                        Optional.of("kvm-clock"),
                        OptionalInt.of(2),
                        OptionalInt.of(2),
                        OptionalLong.of(24_000_000),
                        Optional.of("kvm"),
                        OptionalInt.of(0),
                        List.of(
                                new ProfileReply.Can(
                                        "uprobe-bpf",
                                        true,
                                        Optional.empty(),
                                        OptionalInt.empty(),
                                        Optional.empty(),
                                        Optional.empty()),
                                new ProfileReply.Can(
                                        "uprobe-perf",
                                        false,
                                        Optional.of("perf_event_open"),
                                        OptionalInt.of(13),
                                        Optional.of("Permission denied"),
                                        Optional.of("..."))),
                        List.of("usermode-count", "...")));
    }

    @Test
    void readsATrialsReplies() throws TriggerException {
        assertThat(new ReplyReader().read("""
                                {"type":"ready","trial":"t1","bytes":"90c3","attached":"ccc3","instruction":"nop","consumers":1,\
                                "threads":[{"cpu":0,"pid":11,"tid":12,"mask":"0","node":0,"counterNode":0}]}"""))
                .isEqualTo(new Reply.Ready(
                        "t1",
                        Optional.of("90c3"),
                        Optional.of("ccc3"),
                        Optional.of("nop"),
                        OptionalInt.of(1),
                        List.of(new Reply.ThreadPlace(0, 11, 12, "0", OptionalInt.of(0), OptionalInt.of(0)))));
        assertThat(new ReplyReader().read("{\"type\":\"started\",\"trial\":\"t1\",\"firstNs\":1,\"lastNs\":2}"))
                .isEqualTo(new Reply.Started("t1", 1, 2));
        Reply.Interval interval = (Reply.Interval)
                new ReplyReader()
                        .read(
                                "{\"type\":\"interval\",\"trial\":\"t1\",\"seq\":0,\"ns\":9223372036854775807,\"readNs\":300,\"ops\":[1,2]}");
        assertThat(interval.ns()).isEqualTo(Long.MAX_VALUE);
        assertThat(interval.ops()).containsExactly(1, 2);
        assertThat(new ReplyReader().read("""
                                {"type":"done","trial":"t1","operations":1000,"hits":1000,"opsByCpu":[500,500],"hitsByCpu":[500,500],\
                                "inFlight":2,"voluntarySwitches":0,"involuntarySwitches":3,"migrations":0,"stealMs":0,"overruns":0,\
                                "stopped":false}"""))
                .isEqualTo(new Reply.Done(
                        "t1",
                        1000,
                        OptionalLong.of(1000),
                        List.of(500L, 500L),
                        List.of(500L, 500L),
                        2,
                        OptionalLong.of(0),
                        OptionalLong.of(3),
                        OptionalLong.of(0),
                        OptionalLong.of(0),
                        0,
                        false));
        assertThat(new ReplyReader().read("{\"type\":\"failed\",\"trial\":\"t1\",\"call\":\"probe\",\"error\":\"e\"}"))
                .isEqualTo(new Reply.Failed("t1", "probe", OptionalInt.empty(), "e", Optional.empty()));
        assertThat(
                        new ReplyReader()
                                .read(
                                        "{\"type\":\"failed\",\"trial\":\"t1\",\"call\":\"bpf\",\"errno\":1,\"error\":\"e\",\"fix\":\"f\"}"))
                .isEqualTo(new Reply.Failed("t1", "bpf", OptionalInt.of(1), "e", Optional.of("f")));
        assertThat(new ReplyReader().read("{\"type\":\"refused\",\"line\":\"rnu\",\"error\":\"e\",\"fix\":\"f\"}"))
                .isEqualTo(new Reply.Refused("rnu", "e", Optional.of("f")));
    }

    @Test
    void whatIsLeftOutIsAbsent() throws TriggerException {
        Reply.Done done = (Reply.Done)
                new ReplyReader()
                        .read(
                                "{\"type\":\"done\",\"trial\":\"t\",\"operations\":1,\"inFlight\":1,\"overruns\":0,\"stopped\":true}");
        assertThat(done.hits()).isEmpty();
        assertThat(done.hitsByCpu()).isEmpty();
        assertThat(done.stealMs()).isEmpty();
    }

    @Test
    void aFieldOfALaterTriggerIsPassedOver() throws TriggerException {
        assertThat(new ReplyReader()
                        .read("{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1,\"lastNs\":2,\"new\":{\"a\":1}}"))
                .isEqualTo(new Reply.Started("t", 1, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hello",
                "{}",
                "{\"type\":\"unheard-of\",\"trial\":\"t\"}",
                "{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1}",
                "{\"type\":\"started\",\"firstNs\":1,\"lastNs\":2}",
                "{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1,\"lastNs\":\"x\"}",
                "{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1,\"lastNs\":2}{}",
                "{\"type\":\"started\",\"trial\":\"t\",\"firstNs\":1,\"lastNs\":99999999999999999999}",
                "{\"type\":\"ready\",\"trial\":\"t\"}",
                "{\"type\":\"failed\",\"trial\":\"t\",\"errno\":1,\"error\":\"no call\"}",
                "{\"type\":\"interval\",\"trial\":\"t\",\"seq\":0,\"ns\":1,\"readNs\":3}",
            })
    void namesTheLineThatIsNoReply(String line) {
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> new ReplyReader().read(line))
                .withMessageContaining(line);
    }

    @Test
    void showsTheBeginningOfALongLine() {
        assertThatExceptionOfType(TriggerException.class)
                .isThrownBy(() -> new ReplyReader().read("x".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(1000).contains("xxx..."));
    }
}
