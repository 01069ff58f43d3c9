package io.trapline.host.guest;

import io.trapline.host.CpuSet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * QEMU's command line for a guest, from values alone. The protocol is on QEMU's standard input and output, so the
 * guest's port ends with the process.
 *
 * @param initramfs the file of {@link Initramfs}
 * @param console the file that the guest's console goes to
 * @param control the socket that QEMU connects to, to be controlled (QMP)
 */
record QemuCommand(
        GuestSpec spec, KernelImage kernel, Path initramfs, Path console, Path control, Accelerator accelerator) {
    /**
     * With icount an instruction takes 2^shift ns of the guest's time. 2 ns make a guest of 500 million instructions a
     * second: slow enough that its timer ticks (250 a second) are few beside what is measured, and fast enough for the
     * kernel's own time-outs.
     */
    private static final int SHIFT = 1;

    /** Nanoseconds of the guest's time that each instruction of an exact guest takes. */
    static final int NS_PER_INSTRUCTION = 1 << SHIFT;

    private static final int NEAR = 10;
    private static final int FAR = 20;

    List<String> line() {
        List<String> line = new ArrayList<>(List.of(kernel.arch().qemu()));
        line.addAll(List.of("-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"));
        line.addAll(machine());
        line.addAll(accel());
        line.addAll(List.of("-smp", String.valueOf(spec.cpus()), "-m", spec.memoryMiB() + "M"));
        line.addAll(numa());
        line.addAll(List.of("-kernel", kernel.file().toString(), "-initrd", initramfs.toString()));
        line.addAll(List.of("-append", kernelArguments()));
        line.addAll(ports());
        return line;
    }

    private List<String> machine() {
        String cpu = accelerator == Accelerator.KVM ? "host" : emulatedCpu();
        String machine = switch (kernel.arch()) {
            case X86_64 -> "pc";
            // Version 2 of the interrupt controller serves at most 8 CPUs.
            case AARCH64 -> accelerator == Accelerator.KVM ? "virt,gic-version=host" : "virt,gic-version=3";
        };
        return List.of("-machine", machine, "-cpu", cpu);
    }

    /** One model for all machines and QEMU versions: code that a kernel chooses by the CPU's features is counted too. */
    private String emulatedCpu() {
        return switch (kernel.arch()) {
            case X86_64 -> "qemu64";
            case AARCH64 -> "cortex-a57";
        };
    }

    private List<String> accel() {
        return switch (accelerator) {
            case KVM -> List.of("-accel", "kvm");
            case EMULATION -> List.of("-accel", "tcg,thread=multi");
            case COUNTED ->
                List.of(
                        "-accel",
                        "tcg,thread=single",
                        "-icount",
                        "shift=" + SHIFT + ",sleep=off",
                        "-rtc",
                        "base=2000-01-01,clock=vm");
        };
    }

    private List<String> numa() {
        List<String> line = new ArrayList<>();
        List<GuestSpec.Node> nodes = spec.nodes();
        for (int id = 0; id < nodes.size(); id++) {
            line.add("-object");
            line.add("memory-backend-ram,id=memory" + id + ",size="
                    + nodes.get(id).memoryMiB() + "M");
            line.add("-numa");
            line.add("node,nodeid=" + id + ",memdev=memory" + id
                    + cpus(nodes.get(id).cpus()));
        }
        if (!spec.distances().isEmpty()) {
            line.addAll(distances());
        }
        return line;
    }

    private static String cpus(CpuSet cpus) {
        StringBuilder option = new StringBuilder();
        if (!cpus.isEmpty()) {
            for (String range : cpus.toString().split(",", -1)) {
                option.append(",cpus=").append(range);
            }
        }
        return option.toString();
    }

    /** Who gives QEMU one distance must give all. */
    private List<String> distances() {
        List<String> line = new ArrayList<>();
        for (int from = 0; from < spec.nodes().size(); from++) {
            for (int to = 0; to < spec.nodes().size(); to++) {
                line.add("-numa");
                line.add("dist,src=" + from + ",dst=" + to + ",val=" + distance(from, to));
            }
        }
        return line;
    }

    private int distance(int from, int to) {
        Optional<GuestSpec.Distance> given = spec.distances().stream()
                .filter(d -> (d.from() == from && d.to() == to) || (d.from() == to && d.to() == from))
                .findFirst();
        return given.map(GuestSpec.Distance::value).orElse(from == to ? NEAR : FAR);
    }

    private String kernelArguments() {
        Arch arch = kernel.arch();
        // panic=-1: at once; -no-reboot makes that QEMU's end.
        String arguments =
                "console=%s %s panic=-1 trapline.port=%s".formatted(arch.console(), arch.early(), arch.port());
        if (spec.exact()) {
            // Addresses that differ from boot to boot change hash chains and alignments, and so the count.
            arguments += " nokaslr norandmaps";
        }
        return spec.append().isEmpty() ? arguments : arguments + " " + spec.append();
    }

    private List<String> ports() {
        List<String> line = new ArrayList<>(
                List.of("-chardev", "file,id=console,path=" + escaped(console), "-serial", "chardev:console"));
        line.addAll(List.of("-chardev", "stdio,id=port,signal=off"));
        line.addAll(
                switch (kernel.arch()) {
                    case X86_64 -> List.of("-serial", "chardev:port");
                    case AARCH64 -> List.of("-device", "pci-serial,chardev=port");
                });
        line.addAll(List.of(
                "-chardev", "socket,id=control,path=" + escaped(control), "-mon", "chardev=control,mode=control"));
        return line;
    }

    /** In QEMU's options a comma ends a value, two are one. */
    private static String escaped(Path path) {
        return path.toAbsolutePath().toString().replace(",", ",,");
    }
}
