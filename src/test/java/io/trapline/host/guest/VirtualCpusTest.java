package io.trapline.host.guest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trapline.host.CpuSet;
import io.trapline.host.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualCpusTest {
    @TempDir
    private Path directory;

    /** QEMU's threads are the same under emulation as under KVM, which few machines of tests have. */
    @Test
    void pinsTheThreadsOfARealQemu() throws Exception {
        Rights.needPrograms(List.of(Arch.X86_64.qemu(), "taskset"));
        Path socket = directory.resolve("control");
        int cpus = Math.min(2, Runtime.getRuntime().availableProcessors());
        try (Qmp control = Qmp.listen(socket, event -> {})) {
            Process qemu = new ProcessBuilder(
                            Arch.X86_64.qemu(),
                            "-S",
                            "-nodefaults",
                            "-display",
                            "none",
                            "-accel",
                            "tcg,thread=multi",
                            "-smp",
                            String.valueOf(cpus),
                            "-chardev",
                            "socket,id=control,path=" + socket,
                            "-mon",
                            "chardev=control,mode=control")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("qemu.log").toFile())
                    .start();
            try {
                JsonNode threads = control.execute("query-cpus-fast");
                Map<Long, CpuSet> before = allowed(qemu, threads);
                CpuSet pinned = VirtualCpus.pin(threads, directory).orElseThrow();
                Map<Long, CpuSet> after = allowed(qemu, threads);
                assertThat(after).hasSize(cpus).doesNotContainValue(CpuSet.EMPTY);
                assertThat(after.values()).allMatch(set -> pinned.and(set).equals(set));
                assertThat(pinned.size()).isEqualTo(cpus);
                assertThat(after.values()).allMatch(set -> set.size() == 1).doesNotHaveDuplicates();
                assertThat(after)
                        .allSatisfy((thread, set) ->
                                assertThat(before.get(thread).and(set)).isEqualTo(set));
            } finally {
                qemu.destroyForcibly().waitFor();
            }
        }
    }

    /** The CPUs that each of those threads may use, as the kernel has it. */
    private static Map<Long, CpuSet> allowed(Process qemu, JsonNode threads) throws IOException {
        Map<Long, CpuSet> sets = new HashMap<>();
        for (JsonNode thread : threads) {
            long id = thread.path("thread-id").asLong();
            String list = Files.readAllLines(Path.of("/proc/" + qemu.pid() + "/task/" + id + "/status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElseThrow();
            sets.put(id, CpuSet.parse(list.split(":", -1)[1].strip()));
        }
        return sets;
    }

    @Test
    void eachGetsACpuOfItsOwnOrNoneDoes() throws Exception {
        JsonNode threads = new ObjectMapper()
                .readTree("[{\"cpu-index\": 1, \"thread-id\": 902}, {\"cpu-index\": 0, \"thread-id\": 901}]");
        assertThat(VirtualCpus.plan(threads, CpuSet.parse("3,5,7"))).isEqualTo(Map.of(901L, 3, 902L, 5));
        assertThat(VirtualCpus.plan(threads, CpuSet.of(3))).isEmpty();
    }
}
