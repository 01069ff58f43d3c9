package io.trapline.campaign;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys that each section of a campaign file may have. */
final class Keys {
    static final List<String> ROOT = List.of("apiVersion", "kind", "metadata", "spec");
    static final List<String> METADATA = List.of("name");
    static final List<String> SPEC = List.of(
            "question",
            "paths",
            "attach",
            "variant",
            "workloads",
            "models",
            "cpus",
            "clip",
            "placement",
            "guest",
            "timing",
            "hosts",
            "onLoss",
            "deadline",
            "gate");
    static final List<String> PATH = List.of("name", "kernel", "guest", "attach", "variant", "hosts");
    static final List<String> ATTACH = List.of("with", "scope");
    static final List<String> VARIANT = List.of("altstack", "call");
    static final List<String> GUEST = List.of("cpus", "memory", "nodes", "distances", "append", "accelerator");
    static final List<String> TIMING = List.of("warmup", "interval", "measure", "rounds", "exact");
    static final List<String> HOSTS = List.of("select", "run", "skew");
    static final List<String> HOSTS_OF_PATH = List.of("select");
    static final List<String> GATE = List.of("slower");

    /** The sections inside of a spec or a path. */
    private static final Map<String, List<String>> SECTIONS = new LinkedHashMap<>();

    static {
        SECTIONS.put("attach", ATTACH);
        SECTIONS.put("variant", VARIANT);
        SECTIONS.put("guest", GUEST);
        SECTIONS.put("timing", TIMING);
        SECTIONS.put("hosts", HOSTS);
        SECTIONS.put("gate", GATE);
    }

    private Keys() {}

    /** What somebody meant who wrote an unknown key into a section: one of its keys, or one of a section inside. */
    static Optional<String> meant(String read, List<String> known) {
        Map<String, String> owners = owners(known);
        return Nearest.to(read, owners.keySet()).map(key -> {
            String owner = owners.get(key);
            return owner.equals(key) ? key : owner + ": {" + key + ": ...}";
        });
    }

    /** A section's keys, nearest first to what was read; one that holds a section is as near as the nearest in it. */
    static List<String> inOrder(String read, List<String> known) {
        Map<String, String> owners = owners(known);
        return Nearest.inOrder(read, owners.keySet()).stream()
                .map(owners::get)
                .distinct()
                .toList();
    }

    /** The keys of a section and of the sections inside, each with the key of the outer section where it belongs. */
    private static Map<String, String> owners(List<String> known) {
        Map<String, String> owners = new LinkedHashMap<>();
        known.forEach(key -> owners.put(key, key));
        SECTIONS.forEach((section, keys) -> {
            if (known.contains(section)) {
                keys.forEach(key -> owners.putIfAbsent(key, section));
            }
        });
        return owners;
    }
}
