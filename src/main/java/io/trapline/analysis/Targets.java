package io.trapline.analysis;

import io.trapline.host.Workload;
import java.util.Map;
import java.util.Optional;

/**
 * The first instruction that each probed function must have, and the breakpoint that must replace it, as bytes in
 * memory. Encodings are those of the Intel SDM (nop, push rbp, ret, int3) and the Arm ARM (nop; stp x29, x30, [sp,
 * #-16]!; ret); arm64's uprobes use brk #5 (UPROBES_BRK_IMM in asm/brk-imm.h).
 */
final class Targets {
    private static final Map<String, Map<String, String>> FIRST = Map.of(
            "x86_64", Map.of("nop", "90", "push", "55", "ret", "c3"),
            "aarch64", Map.of("nop", "1f2003d5", "push", "fd7bbfa9", "ret", "c0035fd6"));

    private static final Map<String, String> BREAKPOINT = Map.of("x86_64", "cc", "aarch64", "a00020d4");

    private Targets() {}

    /** The first instruction's bytes; empty for a workload without a target, or an architecture not known here. */
    static Optional<String> firstInstruction(Workload workload, String arch) {
        String target = workload.name().substring(workload.name().lastIndexOf('-') + 1);
        return workload.kind().isProbe()
                ? Optional.ofNullable(FIRST.getOrDefault(arch, Map.of()).get(target))
                : Optional.empty();
    }

    /** The breakpoint's bytes; empty for an architecture not known here. */
    static Optional<String> breakpoint(String arch) {
        return Optional.ofNullable(BREAKPOINT.get(arch));
    }
}
