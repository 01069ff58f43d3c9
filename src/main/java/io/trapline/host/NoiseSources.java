package io.trapline.host;

import io.trapline.host.HostProfile.Noise;
import io.trapline.trigger.ProfileReply;
import io.trapline.trigger.ProfileReply.RawCpu;
import io.trapline.trigger.TriggerException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What on a host disturbs a measurement, each with the command that changes it. Only what its kernel says. */
final class NoiseSources {
    private static final String CPU = "/sys/devices/system/cpu/";

    private final ProfileReply reply;
    private final CpuSet usable;

    private NoiseSources(ProfileReply reply, CpuSet usable) {
        this.reply = reply;
        this.usable = usable;
    }

    static List<Noise> of(ProfileReply reply, Topology topology, CpuSet isolated, boolean smt) throws TriggerException {
        NoiseSources sources = new NoiseSources(reply, topology.usable());
        CpuSet tickless = KernelText.cpus("nohzFull", reply.nohzFull()).orElse(CpuSet.EMPTY);
        return Stream.of(
                        sources.virtualMachine(),
                        sources.governor(),
                        sources.turbo(),
                        sources.boost(),
                        sources.smt(smt),
                        sources.notIsolated(isolated),
                        sources.notTickless(tickless))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Noise> virtualMachine() {
        return reply.hypervisor()
                .map(name -> new Noise(
                        "a virtual machine (" + name + "): its host's other guests and threads take CPU time",
                        Optional.empty()));
    }

    private Optional<Noise> governor() {
        List<RawCpu> scaled = reply.cpus().stream()
                .filter(cpu -> usable.contains(cpu.id()))
                .filter(cpu ->
                        cpu.governor().filter(g -> !g.equals("performance")).isPresent())
                .toList();
        if (scaled.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = scaled.stream()
                .flatMap(cpu -> cpu.governor().stream())
                .distinct()
                .toList();
        return noise(
                "frequency governor " + String.join(", ", names) + " on CPUs "
                        + CpuSet.of(scaled.stream().mapToInt(RawCpu::id)),
                "cpupower frequency-set -g performance");
    }

    private Optional<Noise> turbo() {
        return when(
                reply.noTurbo(),
                "0"::equals,
                "turbo is on: the clock follows load and temperature",
                CPU + "intel_pstate/no_turbo",
                "1");
    }

    private Optional<Noise> boost() {
        return when(
                reply.boost(),
                "1"::equals,
                "boost is on: the clock follows load and temperature",
                CPU + "cpufreq/boost",
                "0");
    }

    private Optional<Noise> smt(boolean on) {
        if (!on) {
            return Optional.empty();
        }
        String what = "SMT is on: two threads of a core slow each other down";
        Optional<Noise> switched =
                when(reply.smt(), state -> !state.startsWith("not"), what, CPU + "smt/control", "off");
        return switched.or(() -> Optional.of(new Noise(what, Optional.empty())));
    }

    private Optional<Noise> notIsolated(CpuSet isolated) {
        CpuSet wanted = allButOne();
        if (!usable.and(isolated).isEmpty() || wanted.isEmpty()) {
            return Optional.empty();
        }
        return noise(
                "no CPU is isolated: the scheduler puts other tasks and interrupts on those under measurement",
                "boot with isolcpus=managed_irq,domain," + wanted);
    }

    private Optional<Noise> notTickless(CpuSet tickless) {
        CpuSet wanted = allButOne();
        if (!usable.and(tickless).isEmpty() || wanted.isEmpty()) {
            return Optional.empty();
        }
        String kernel = reply.nohzFull().isPresent() ? "" : " (a kernel with CONFIG_NO_HZ_FULL)";
        return noise("the timer tick interrupts every CPU (no nohz_full)", "boot with nohz_full=" + wanted + kernel);
    }

    /** One CPU must stay for the rest of the system. */
    private CpuSet allButOne() {
        return usable.size() < 2 ? CpuSet.EMPTY : usable.minus(CpuSet.of(usable.first()));
    }

    private static Optional<Noise> when(
            Optional<String> state, Predicate<String> noisy, String what, String file, String value) {
        return state.filter(noisy).flatMap(on -> noise(what, "echo " + value + " > " + file));
    }

    private static Optional<Noise> noise(String what, String fix) {
        return Optional.of(new Noise(what, Optional.of(fix)));
    }
}
