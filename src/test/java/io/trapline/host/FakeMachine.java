package io.trapline.host;

import static java.util.stream.Collectors.toList;

import io.trapline.trigger.ProfileQuery;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine made of files, as the real trigger reads it. It is described by lines {@code key: value}:
 *
 * <pre>
 *   online: 0-7                CPUs that run; present is the same unless said
 *   allowed: 2-3               the process's own set
 *   node0: 0-3 | 10 20         a NUMA node's CPUs | its distances; both may be missing: "node1: |" has an empty list,
 *                              "node1:" no list at all
 *   siblings: 0,4 1,5          cores with more than one thread
 *   llc: 0-3 4-7               last-level caches
 *   package: 0-3 4-7           packages, numbered from 0
 *   khz: 0-3=5500000           highest frequencies
 *   governor: 0-3=powersave    frequency governors
 *   sys/some/file: text        any other file; \n ends a line of it
 * </pre>
 */
final class FakeMachine {
    private static final String CPU = "sys/devices/system/cpu/";
    private static final String NODE = "sys/devices/system/node/";

    private final Path root;
    private final Map<String, String> lines = new LinkedHashMap<>();

    private FakeMachine(Path root, String description) {
        this.root = root;
        for (String line : description.strip().split("\\s*\n\\s*", -1)) {
            int colon = line.indexOf(':');
            lines.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
    }

    /** Lays the machine out in an empty directory and lets the real trigger read it. */
    static HostProfile profile(Path root, String description) throws TriggerException, IOException {
        new FakeMachine(root, description).layOut();
        return ProfileReader.read(ProfileQuery.ask(TriggerProgram.find(), Optional.of(root)));
    }

    private void layOut() throws IOException {
        file("proc/sys/kernel/hostname", "fake");
        file("proc/sys/kernel/osrelease", "6.12.1");
        file("proc/sys/kernel/version", "#1 SMP");
        file("proc/sys/kernel/arch", "x86_64");
        CpuSet online = CpuSet.parse(lines.getOrDefault("online", ""));
        CpuSet present = CpuSet.parse(lines.getOrDefault("present", online.toString()));
        for (int id : present.stream().toArray()) {
            Files.createDirectories(root.resolve(CPU + "cpu" + id));
        }
        for (int id : online.stream().toArray()) {
            file(CPU + "cpu" + id + "/topology/thread_siblings_list", Integer.toString(id));
        }
        file(CPU + "present", present.toString());
        for (Map.Entry<String, String> line : lines.entrySet()) {
            layOut(line.getKey(), line.getValue());
        }
    }

    private void layOut(String key, String value) throws IOException {
        if (key.matches("node\\d+")) {
            node(key, value);
            return;
        }
        switch (key) {
            case "online", "present" -> file(CPU + key, value);
            case "allowed" -> file("proc/self/status", "Name:\ttrapline\nCpus_allowed_list:\t" + value);
            case "siblings" -> {
                for (String core : words(value)) {
                    each(core, "topology/thread_siblings_list", core);
                }
            }
            case "llc" -> {
                for (String cache : words(value)) {
                    each(cache, "cache/index0/level", "3");
                    each(cache, "cache/index0/type", "Unified");
                    each(cache, "cache/index0/shared_cpu_list", cache);
                }
            }
            case "package" -> {
                List<String> packages = words(value);
                for (String cpus : packages) {
                    each(cpus, "topology/physical_package_id", Integer.toString(packages.indexOf(cpus)));
                }
            }
            case "khz" -> eachValue(value, "cpufreq/cpuinfo_max_freq");
            case "governor" -> eachValue(value, "cpufreq/scaling_governor");
            default -> file(key, value.replace("\\n", "\n"));
        }
    }

    private void node(String name, String value) throws IOException {
        Files.createDirectories(root.resolve(NODE + name));
        int bar = value.indexOf('|');
        if (bar >= 0) {
            file(NODE + name + "/cpulist", value.substring(0, bar).strip());
        }
        String distances = value.substring(bar + 1).strip();
        if (!distances.isEmpty()) {
            file(NODE + name + "/distance", distances);
        }
    }

    private void eachValue(String value, String file) throws IOException {
        for (String part : words(value)) {
            String[] sides = part.split("=", 2);
            each(sides[0], file, sides[1]);
        }
    }

    private void each(String cpus, String file, String text) throws IOException {
        for (int id : CpuSet.parse(cpus).stream().toArray()) {
            file(CPU + "cpu" + id + "/" + file, text);
        }
    }

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(" ")).collect(toList());
    }
}
