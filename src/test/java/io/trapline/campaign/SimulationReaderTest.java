package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trapline.host.simulated.Fault;
import io.trapline.host.simulated.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file that says what simulated hosts are like. */
class SimulationReaderTest {
    @TempDir
    private Path directory;

    @Test
    void allOfItIsRead() throws CampaignException, IOException {
        Simulation read = read("""
                  arch: aarch64
                  kernel: 6.15.2
                  cpus: 12
                  nodes: 3
                  labels: [rack=b, board=x1]
                  curve: [{cpus: 1, ops: 1000}, {cpus: 12, ops: 6000}]
                  faults:
                    - {crash: 139, words: page fault, host: 2, trial: 1, after: 3}
                    - {hang: true}
                    - {lie: 50%}
                    - {jump-back: 60m, after: 0}
                    - {drift: -200}
                """);

        assertThat(read.profile("a").topology().nodes()).hasSize(3);
        assertThat(read.profile("a").labels()).isEqualTo(Map.of("rack", "b", "board", "x1"));
        assertThat(read.profile("a").kernel().release()).isEqualTo("6.15.2");
        assertThat(read.profile("a").simulation()).hasValue("lab.yaml");
        assertThat(read.curve().rate(12)).isEqualTo(6000);
        OptionalInt any = OptionalInt.empty();
        assertThat(read.faults())
                .containsExactly(
                        new Fault(
                                OptionalInt.of(2),
                                OptionalInt.of(1),
                                OptionalInt.of(3),
                                new Fault.Crash(139, "page fault")),
                        new Fault(any, any, any, new Fault.Hang()),
                        new Fault(any, any, any, new Fault.Lie(0.5)),
                        new Fault(any, any, OptionalInt.of(0), new Fault.Jump(Duration.ofHours(-1))),
                        new Fault(any, any, any, new Fault.Drift(-200)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cpu: 4 | lab.yaml:4:3: unknown key \"cpu\" in spec; known are cpus, arch, curve, nodes, faults,"
                        + " kernel, labels (did you mean cpus?)",
                "nodes: 3 | lab.yaml:4:10: spec: 64 CPUs can't be divided among 3 NUMA nodes",
                "labels: [rack] | \"rack\" is no label; its form is KEY=VALUE",
                "faults: [{hang: true, lie: 3%}] | must have one of crash, hang, lie, jump, jump-back, drift, and has hang and"
                        + " lie",
                "faults: [{after: 3}] | jump-back, drift, and has none",
                "curve: [{cpus: 4, ops: 1}, {cpus: 4, ops: 2}] | 4 CPUs have a rate already"
            })
    void whatIsWrongIsToldWithItsPlace(String line, String problem) {
        assertThatThrownBy(() -> read("  " + line + "\n")).hasMessageContaining(problem);
    }

    private Simulation read(String spec) throws CampaignException, IOException {
        Path file = directory.resolve("lab.yaml");
        Files.writeString(file, "apiVersion: trapline/v1\nkind: Simulation\nspec:\n" + spec);
        return SimulationReader.read(file);
    }
}
