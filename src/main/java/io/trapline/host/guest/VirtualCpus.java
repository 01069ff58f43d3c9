package io.trapline.host.guest;

import com.fasterxml.jackson.databind.JsonNode;
import io.trapline.host.CpuSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pins a guest's CPUs, which are threads of QEMU's, each to a CPU of this machine. */
final class VirtualCpus {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final Duration TO_PIN = Duration.ofSeconds(5);

    private VirtualCpus() {}

    /**
     * Pins them; where there are more than this process may use CPUs, they are left to the scheduler.
     *
     * @param threads QEMU's answer to {@code query-cpus-fast}
     * @return the CPUs that they are pinned to, the guest's in ascending order; empty when they are not
     */
    static Optional<CpuSet> pin(JsonNode threads, Path scratch) throws GuestException, IOException {
        Map<Long, Integer> plan = plan(threads, allowed());
        for (Map.Entry<Long, Integer> pin : plan.entrySet()) {
            List<String> line =
                    List.of("taskset", "-p", "-c", String.valueOf(pin.getValue()), String.valueOf(pin.getKey()));
            Tool.run(line, scratch, Map.of(), TO_PIN);
        }
        return Optional.of(CpuSet.of(plan.values().stream().mapToInt(Integer::intValue)))
                .filter(cpus -> !cpus.isEmpty());
    }

    /** Which thread belongs on which CPU: in the order of the guest's CPUs, ascending. */
    static Map<Long, Integer> plan(JsonNode threads, CpuSet allowed) {
        Map<Long, Integer> pins = new LinkedHashMap<>();
        int[] cpus = allowed.stream().toArray();
        if (threads.size() <= cpus.length) {
            for (JsonNode thread : threads) {
                pins.put(
                        thread.path("thread-id").asLong(),
                        cpus[thread.path("cpu-index").asInt()]);
            }
        }
        return pins;
    }

    private static CpuSet allowed() throws IOException {
        return Files.readAllLines(STATUS).stream()
                .filter(line -> line.startsWith(ALLOWED))
                .map(line -> CpuSet.parse(line.substring(ALLOWED.length()).strip()))
                .findFirst()
                .orElse(CpuSet.EMPTY);
    }
}
