package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.campaign.Campaign.Gate;
import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.host.Method;
import io.trapline.host.Method.Altstack;
import io.trapline.host.Method.Attach;
import io.trapline.host.Method.Call;
import io.trapline.host.Method.Scope;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Timing;
import io.trapline.host.Workload;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignReaderTest {
    static final String SMALLEST = """
            apiVersion: trapline/v1
            kind: Campaign
            metadata: {name: base}
            spec:
              paths:
                - {name: locked, attach: {scope: pid}}
                - {name: lockless}
              workloads: [uprobe-nop]
            """;

    @TempDir
    Path dir;

    @Test
    void whatIsLeftOutHasTheDocumentedDefaults() throws CampaignException {
        Campaign campaign = CampaignReader.parse("c.yaml", SMALLEST);

        assertThat(campaign.question()).isEmpty();
        assertThat(campaign.paths().get(1).method()).isEqualTo(Method.DEFAULT);
        assertThat(campaign.paths().get(1).select()).isEmpty();
        assertThat(campaign.models()).containsExactly(Model.THREADS);
        assertThat(campaign.cpus()).isEqualTo(new CpuCounts.PowersOfTwo());
        assertThat(campaign.clip()).isFalse();
        assertThat(campaign.placement()).isEqualTo(new Placement.Compact());
        assertThat(campaign.timing()).isEqualTo(new Timing(Duration.ofMillis(500), Duration.ofMillis(100), 20));
        assertThat(campaign.rounds()).isEqualTo(5);
        assertThat(campaign.select()).isEmpty();
        assertThat(campaign.onLoss()).isEqualTo(OnLoss.REPEAT);
        assertThat(campaign.gate()).isEmpty();
    }

    @Test
    void everyKeyIsRead() throws CampaignException {
        Campaign campaign = CampaignReader.parse("c.yaml", """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: all-keys-2}
                spec:
                  question: Is it read?
                  paths:
                    - name: before
                      hosts: {select: "kernel<6.15 and arch=x86_64"}
                    - name: After_2.0
                      attach: {with: bpf}
                      variant: {altstack: swap}
                      hosts: {select: kernel >= 6.15}
                  attach: {with: perf, scope: pid}
                  variant: {call: libc}
                  workloads: [signal-altstack, uretprobe-push]
                  models: [per-numa-node, processes]
                  cpus: [8, 1, 2]
                  clip: true
                  placement: 8,0-2
                  timing: {warmup: 1s, interval: 2ms, measure: 10ms, rounds: 7}
                  hosts: {select: virtual=false}
                  onLoss: partial
                  gate: {slower: 2.5%}
                """);

        assertThat(campaign.name()).isEqualTo("all-keys-2");
        assertThat(campaign.question()).contains("Is it read?");
        assertThat(campaign.paths())
                .extracting(
                        Campaign.Path::name,
                        Campaign.Path::method,
                        p -> p.select().orElseThrow().toString())
                .containsExactly(
                        tuple(
                                "before",
                                new Method(Attach.PERF, Scope.PID, Altstack.SAME, Call.LIBC),
                                "kernel<6.15 and arch=x86_64"),
                        tuple(
                                "After_2.0",
                                new Method(Attach.BPF, Scope.PID, Altstack.SWAP, Call.LIBC),
                                "kernel>=6.15"));
        assertThat(campaign.workloads())
                .extracting(Workload::name)
                .containsExactly("signal-altstack", "uretprobe-push");
        assertThat(campaign.models()).containsExactly(Model.PER_NUMA_NODE, Model.PROCESSES);
        assertThat(campaign.cpus()).isEqualTo(new CpuCounts.Listed(List.of(1, 2, 8)));
        assertThat(campaign.clip()).isTrue();
        assertThat(campaign.placement()).isEqualTo(new Placement.Listed(List.of(8, 0, 1, 2)));
        assertThat(campaign.timing()).isEqualTo(new Timing(Duration.ofSeconds(1), Duration.ofMillis(2), 5));
        assertThat(campaign.rounds()).isEqualTo(7);
        assertThat(campaign.select()).map(Selector::toString).contains("virtual=false");
        assertThat(campaign.onLoss()).isEqualTo(OnLoss.PARTIAL);
        assertThat(campaign.gate()).contains(new Gate(0.025));
    }

    @Test
    void anAnchorStandsForAWholeValue() throws CampaignException {
        Campaign campaign = CampaignReader.parse("c.yaml", """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: anchors}
                spec:
                  paths:
                    - {name: before, hosts: {select: kernel<6.15}, attach: &pid {scope: pid}}
                    - {name: after, hosts: {select: kernel>=6.15}, attach: *pid}
                  workloads: [uprobe-nop]
                """);

        assertThat(campaign.paths().get(1).method().scope()).isEqualTo(Scope.PID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "uprobe-siglock", "uprobe-filter", "signal-altstack"})
    void theShippedCampaignsAreInOrder(String name) throws CampaignException {
        Path file = Path.of("conf", name + ".yaml");

        Campaign campaign = CampaignReader.parse(file.toString(), CampaignReader.text(file));

        assertThat(campaign.name()).isEqualTo(name);
    }

    @Test
    void aByteOrderMarkOfUtf8IsNoPartOfTheCampaignButOfItsText() throws Exception {
        String text = CampaignReader.text(write(("\uFEFF" + SMALLEST).getBytes(StandardCharsets.UTF_8)));

        assertThat(text).startsWith("\uFEFF");
        assertThat(CampaignReader.parse("c.yaml", text).name()).isEqualTo("base");
    }

    @Test
    void linesMayEndAsOnWindows() throws CampaignException {
        assertThat(CampaignReader.parse("c.yaml", SMALLEST.replace("\n", "\r\n"))
                        .paths())
                .hasSize(2);
    }

    @Test
    void aMissingFileIsNamed() {
        Path file = dir.resolve("missing.yaml");

        assertThatThrownBy(() -> CampaignReader.text(file))
                .isInstanceOf(CampaignException.class)
                .hasMessage(file + ": there is no such file");
    }

    @Test
    void aDirectoryIsNoCampaign() {
        assertThatThrownBy(() -> CampaignReader.text(dir))
                .isInstanceOf(CampaignException.class)
                .hasMessage(dir + ": is a directory; a campaign is one file (give a file in it, such as " + dir
                        + "/quick.yaml)");
    }

    @Test
    void aHugeFileIsNotReadToItsEnd() throws Exception {
        assertThat(CampaignReader.text(write(new byte[1 << 20]))).hasSize(1 << 20);

        Path file = write(new byte[(1 << 20) + 1]);

        assertThatThrownBy(() -> CampaignReader.text(file))
                .isInstanceOf(CampaignException.class)
                .hasMessage(file + ": is larger than 1 MiB, the most that a campaign may have");
    }

    @Test
    void bytesThatAreNotUtf8HaveAPlace() throws Exception {
        Path file = write("kind: Campaign\nname: é\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> CampaignReader.text(file))
                .isInstanceOf(CampaignException.class)
                .hasMessage(file + ":2:7: byte 0xe9 is not UTF-8 (save the file as UTF-8)");
    }

    @Test
    void aCharacterThatIsCutOffAtTheEndIsNotUtf8() throws Exception {
        Path file = write(new byte[] {'a', (byte) 0xc3});

        assertThatThrownBy(() -> CampaignReader.text(file))
                .isInstanceOf(CampaignException.class)
                .hasMessage(file + ":1:2: byte 0xc3 is not UTF-8 (save the file as UTF-8)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "x-UTF-16LE-BOM"})
    void anotherEncodingIsNamed(String charset) throws Exception {
        Path file = write(SMALLEST.getBytes(Charset.forName(charset)));

        assertThatThrownBy(() -> CampaignReader.text(file))
                .isInstanceOf(CampaignException.class)
                .hasMessage(file + ": begins with the byte-order mark of UTF-16 (save it as UTF-8)");
    }

    @Test
    void everyLineThatIsIndentedWithATabIsNamed() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", "spec:\n\tclip: true\n  cpus:\n  \t- 1\n"))
                .hasMessage("""
                        c.yaml:2:1: a tab in the indentation; YAML is indented with blanks (put blanks in its place)
                        c.yaml:4:3: a tab in the indentation; YAML is indented with blanks (put blanks in its place)""");
    }

    @Test
    void aTabElsewhereIsASyntaxErrorOfItsOwn() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", "spec:\n  clip:\ttrue\n"))
                .hasMessage("c.yaml:2:8: this is not YAML: found character '\\t(TAB)' that cannot start any token"
                        + " (put a blank in its place)");
    }

    @Test
    void aControlCharacterIsNamed() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", "kind: Campaign\nspec: {clip: \u0000}\n"))
                .hasMessage("c.yaml:2:14: this is not YAML: the control character U+0000 is not allowed");
    }

    @Test
    void nestingHasALimitThatIsReachedBeforeTheStackIsUsedUp() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", "spec: " + "[".repeat(200_000)))
                .hasMessage("c.yaml:1:26: nested more than 20 deep; a campaign never is");
    }

    @Test
    void aValueThatHoldsItselfIsOfTheWrongKindAndNothingMore() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", SMALLEST + "  models: &m [*m]\n"))
                .hasMessage("c.yaml:9:11: spec.models[0] is a list; wanted is one value");
    }

    @Test
    void aLongValueIsCutInTheMessage() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", SMALLEST + "  onLoss: " + "x".repeat(100_000)))
                .hasMessage(
                        "c.yaml:9:11: spec.onLoss is \"" + "x".repeat(60) + "...\"; known are repeat, fail, partial");
    }

    @Test
    void aProblemHasItsPartsApart() {
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", SMALLEST + "  clipp: true\n"))
                .isInstanceOfSatisfying(CampaignException.class, e -> {
                    Problem problem = e.problems().get(0);
                    assertThat(problem.place()).isEqualTo("c.yaml:9:3");
                    assertThat(problem.fix()).isEqualTo(Optional.of("did you mean clip?"));
                });
    }

    private Path write(byte[] bytes) throws Exception {
        return Files.write(dir.resolve("c.yaml"), bytes);
    }
}
