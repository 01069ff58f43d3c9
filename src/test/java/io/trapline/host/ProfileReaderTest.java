package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.trigger.ProfileQuery;
import io.trapline.trigger.TriggerProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a profile says beside CPUs and NUMA nodes. */
class ProfileReaderTest {
    /** A machine without any noise that the kernel would tell of. */
    private static final String QUIET = """
            online: 0-3
            node0: 0-3 | 10
            governor: 0-3=performance
            sys/devices/system/cpu/isolated: 1-3
            sys/devices/system/cpu/nohz_full: 1-3
            sys/devices/system/cpu/smt/control: off
            sys/devices/system/cpu/intel_pstate/no_turbo: 1
            sys/devices/system/cpu/cpufreq/boost: 0
            """;

    @TempDir
    private Path root;

    @Test
    void readsWhatIdentifiesTheHost() throws Exception {
        HostProfile profile = FakeMachine.profile(root, QUIET + """
                        proc/cmdline: isolcpus=1-3
                        proc/cpuinfo: processor : 0\\nmodel name : Some CPU @ 3 GHz
                        proc/meminfo: MemTotal: 16000 kB
                        """);

        assertThat(profile.name()).isEqualTo("fake");
        assertThat(profile.arch()).isEqualTo("x86_64");
        assertThat(profile.kernel()).isEqualTo(new HostProfile.Kernel("6.12.1", "#1 SMP", Optional.of("isolcpus=1-3")));
        assertThat(profile.cpuModel()).hasValue("Some CPU @ 3 GHz");
        assertThat(profile.memKiB()).hasValue(16000);
        assertThat(profile.isolated()).isEqualTo(CpuSet.parse("1-3"));
        assertThat(profile.smt()).isFalse();
        assertThat(profile.virtualization()).isEmpty();
        assertThat(profile.abilities()).as("a copied tree can do nothing").isEmpty();
    }

    @Test
    void aQuietMachineHasNoNoise() throws Exception {
        assertThat(FakeMachine.profile(root, QUIET).noise()).isEmpty();
    }

    static Stream<Arguments> noise() {
        String cpu = "sys/devices/system/cpu/";
        return Stream.of(
                Arguments.of(
                        "governor: 0-1=powersave 2=schedutil",
                        "frequency governor powersave, schedutil on CPUs 0-2",
                        "cpupower frequency-set -g performance"),
                Arguments.of(
                        cpu + "intel_pstate/no_turbo: 0",
                        "turbo is on: the clock follows load and temperature",
                        "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"),
                Arguments.of(
                        cpu + "cpufreq/boost: 1",
                        "boost is on: the clock follows load and temperature",
                        "echo 0 > /sys/devices/system/cpu/cpufreq/boost"),
                Arguments.of(
                        cpu + "smt/control: on\nsiblings: 0,2 1,3",
                        "SMT is on: two threads of a core slow each other down",
                        "echo off > /sys/devices/system/cpu/smt/control"),
                Arguments.of(
                        cpu + "smt/control: notimplemented\nsiblings: 0,2 1,3",
                        "SMT is on: two threads of a core slow each other down",
                        null),
                Arguments.of(
                        cpu + "isolated:",
                        "no CPU is isolated: the scheduler puts other tasks and interrupts on those under measurement",
                        "boot with isolcpus=managed_irq,domain,1-3"),
                Arguments.of(
                        cpu + "nohz_full: (null)",
                        "the timer tick interrupts every CPU (no nohz_full)",
                        "boot with nohz_full=1-3"),
                Arguments.of(
                        "sys/hypervisor/type: xen",
                        "a virtual machine (xen): its host's other guests and threads take CPU time",
                        null));
    }

    @ParameterizedTest
    @MethodSource
    void noise(String lines, String what, String fix) throws Exception {
        assertThat(FakeMachine.profile(root, QUIET + lines).noise())
                .containsExactly(new HostProfile.Noise(what, Optional.ofNullable(fix)));
    }

    @Test
    void isolatedCpusThatMayNotBeUsedDoNotCount() throws Exception {
        HostProfile profile = FakeMachine.profile(root, QUIET + "allowed: 0");
        assertThat(profile.noise())
                .as("one usable CPU can't be isolated from the system")
                .isEmpty();
        assertThat(profile.topology().usable()).isEqualTo(CpuSet.of(0));
    }

    @Test
    void triesEveryWayOfMeasuringOnThisMachine() throws Exception {
        HostProfile profile = ProfileReader.read(ProfileQuery.ask(TriggerProgram.find(), Optional.empty()));

        assertThat(profile.abilities())
                .extracting(HostProfile.Ability::what)
                .isEqualTo(List.of("uprobe-bpf", "uprobe-perf", "uretprobe-bpf", "uretprobe-perf", "signal"));
        assertThat(profile.abilities())
                .allSatisfy(ability -> assertThat(ability.reason().isEmpty())
                        .as("%s fails with a reason or works", ability.what())
                        .isEqualTo(ability.ok()));
        assertThat(profile.topology().usable().size()).isPositive();
    }
}
