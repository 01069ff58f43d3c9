package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trapline.campaign.Plan.Trial;
import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.Method.Scope;
import io.trapline.host.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    @Test
    void roundsAreOutermostAndPathsAlternate() throws Exception {
        Plan plan = Planner.plan(
                Machines.campaign("cpus: [1, 2]", "timing: {rounds: 2}"), List.of(host("vm", Machines.TWO_CPUS)));

        assertThat(plan.trials())
                .extracting(t -> t.id() + " " + t.round() + " " + t.cell().cpus() + " "
                        + t.cell().path())
                .containsExactly(
                        "t0001 1 0 locked",
                        "t0002 1 0 lockless",
                        "t0003 1 0-1 lockless",
                        "t0004 1 0-1 locked",
                        "t0005 2 0 lockless",
                        "t0006 2 0 locked",
                        "t0007 2 0-1 locked",
                        "t0008 2 0-1 lockless");
    }

    @Test
    void aTrialHasWhatItsCellSays() throws Exception {
        Plan plan = Planner.plan(
                Machines.campaign("cpus: [2]", "models: [processes]"), List.of(host("vm", Machines.TWO_CPUS)));

        Trial trial = plan.trials().get(0);
        assertThat(trial.cell().host()).isEqualTo("vm");
        assertThat(trial.spec().id()).isEqualTo(trial.id());
        assertThat(trial.spec().workload()).isEqualTo(trial.cell().workload());
        assertThat(trial.spec().model()).isEqualTo(trial.cell().model());
        assertThat(trial.spec().cpus()).isEqualTo(trial.cell().cpus());
        assertThat(trial.spec().method().scope()).isEqualTo(Scope.PID);
        assertThat(trial.spec().timing().intervals()).isEqualTo(20);
    }

    @Test
    void eachOfSeveralHostsAlternatesOnItsOwn() throws Exception {
        Plan plan = Planner.plan(
                Machines.campaign("cpus: [1, 2]", "timing: {rounds: 1}"),
                List.of(host("a", Machines.TWO_CPUS), host("b", Machines.TWO_CPUS)));

        assertThat(plan.trials())
                .extracting(t ->
                        t.cell().host() + " " + t.cell().cpus() + " " + t.cell().path())
                .containsExactly(
                        "a 0 locked",
                        "a 0 lockless",
                        "a 0-1 lockless",
                        "a 0-1 locked",
                        "b 0 locked",
                        "b 0 lockless",
                        "b 0-1 lockless",
                        "b 0-1 locked");
    }

    static Stream<Arguments> countsOfMachines() {
        return Stream.of(
                Arguments.of("powers-of-two", Machines.TWO_CPUS, List.of(1, 2)),
                Arguments.of("powers-of-two", Machines.D17_CPUSET, List.of(1, 2, 4, 8, 11)),
                Arguments.of("powers-of-two", Machines.D18_CONTAINER, List.of(1, 2, 3)),
                Arguments.of("powers-of-two", Machines.D20_WIDE_MASK, List.of(1, 2, 4, 8, 16)),
                Arguments.of("powers-of-two", Machines.D22_OFFLINE, List.of(1, 2, 4, 8, 16, 32, 64, 111)),
                Arguments.of("powers-of-two", Machines.D35_KUNPENG916, List.of(1, 2, 4, 8, 16, 32, 64)),
                Arguments.of("topology", Machines.TWO_CPUS, List.of(1, 2)),
                Arguments.of("topology", Machines.D07_GRACE_HOPPER, List.of(1, 8, 72)),
                Arguments.of("topology", Machines.D11_EPYC, List.of(1, 2, 8, 32, 64, 96, 128, 160, 192, 224, 256)),
                Arguments.of("topology", Machines.D17_CPUSET, List.of(1, 8, 11)),
                Arguments.of("topology", Machines.D32_HOLES, List.of(1, 3, 8)),
                Arguments.of("topology", Machines.D35_KUNPENG916, List.of(1, 8, 16, 32, 48, 64)),
                Arguments.of("topology\n  placement: scatter", Machines.D32_HOLES, List.of(1, 3, 8)),
                Arguments.of("topology\n  placement: 0,3,2,4", Machines.D32_HOLES, List.of(1, 2, 4)),
                Arguments.of("all", Machines.D07_GRACE_HOPPER, List.of(72)),
                Arguments.of("all", Machines.D18_CONTAINER, List.of(3)),
                Arguments.of("all\n  placement: [9, 11]", Machines.D18_CONTAINER, List.of(2)),
                Arguments.of("[1, 4, 11, 16]\n  clip: true", Machines.D17_CPUSET, List.of(1, 4, 11)));
    }

    @ParameterizedTest
    @MethodSource("countsOfMachines")
    void countsAreThoseThatTheMachineHas(String cpus, Topology machine, List<Integer> expected) throws Exception {
        Plan plan = Planner.plan(Machines.campaign("cpus: " + cpus), List.of(host("h", machine)));

        assertThat(plan.trials().stream().map(t -> t.cell().cpus().size()).distinct())
                .containsExactlyElementsOf(expected);
        assertThat(plan.trials())
                .allSatisfy(
                        t -> assertThat(t.cell().cpus().minus(machine.usable())).isEqualTo(CpuSet.EMPTY));
    }

    @Test
    void whatClipLeavesOutIsInThePlan() throws Exception {
        List<HostProfile> hosts = List.of(host("small", Machines.TWO_CPUS), host("large", Machines.D17_CPUSET));

        assertThat(Planner.plan(Machines.campaign("cpus: [1, 4, 11, 16]", "clip: true"), hosts)
                        .clipped())
                .containsExactly(
                        new Plan.Clipped("small", List.of(4, 11, 16), 2), new Plan.Clipped("large", List.of(16), 11));
        assertThat(Planner.plan(Machines.campaign("cpus: [1, 2]", "clip: true"), hosts)
                        .clipped())
                .isEmpty();
    }

    @Test
    void listedCpusAreTakenInTheirOrder() throws Exception {
        Plan plan = Planner.plan(
                Machines.campaign("cpus: [1, 2, 3]", "placement: 11,9-10"), List.of(host("h", Machines.D18_CONTAINER)));

        assertThat(plan.trials().stream().map(t -> t.cell().cpus().toString()).distinct())
                .containsExactly("11", "9,11", "9-11");
    }

    static Stream<Arguments> impossible() {
        return Stream.of(
                Arguments.of(
                        "cpus: [1, 2, 4, 8]",
                        Machines.TWO_CPUS,
                        "c.yaml:9:9: CPU counts 4, 8 are more than the 2 usable on host h (online: 0-1; allowed: 0-1)"
                                + " (set clip: true to leave out what a host does not have)"),
                Arguments.of(
                        "cpus: [64]",
                        Machines.D17_CPUSET,
                        "c.yaml:9:9: CPU count 64 is more than the 11 usable on host h (online: 0-127; allowed: 32-42)"
                                + " (set clip: true to leave out what a host does not have)"),
                Arguments.of(
                        "cpus: [3]\n  placement: 0-1",
                        Machines.D35_KUNPENG916,
                        "c.yaml:9:9: CPU count 3 is more than the 2 that the placement lists"
                                + " (set clip: true to leave out what a host does not have)"),
                Arguments.of(
                        "cpus: [4, 8]\n  clip: true",
                        Machines.TWO_CPUS,
                        "c.yaml:9:9: clip leaves out the CPU counts 4, 8 on host h, and so all: it has 2 CPUs to use"
                                + " (online: 0-1; allowed: 0-1) (add a count up to 2)"),
                Arguments.of(
                        "cpus: [4]\n  clip: true\n  placement: [1]",
                        Machines.TWO_CPUS,
                        "c.yaml:9:9: clip leaves out the CPU count 4 on host h, and so all: the placement lists 1 CPU"
                                + " (online: 0-1; allowed: 0-1) (add a count up to 1)"),
                Arguments.of(
                        "cpus: [1, 2, 4]\n  placement: 0-3",
                        Machines.TWO_CPUS,
                        "c.yaml:10:14: the placement can't be had on host h: CPUs 2-3 do not exist (online: 0-1; allowed:"
                                + " 0-1) (choose from 0-1)\n"
                                + "c.yaml:9:9: CPU count 4 is more than the 2 usable on host h (online: 0-1; allowed: 0-1)"
                                + " (set clip: true to leave out what a host does not have)"),
                Arguments.of(
                        "cpus: [1, 2]\n  placement: [0, 7]",
                        Machines.TWO_CPUS,
                        "c.yaml:10:14: the placement can't be had on host h: CPU 7 does not exist (online: 0-1; allowed:"
                                + " 0-1) (choose from 0-1)"),
                Arguments.of(
                        "placement: [0]",
                        Machines.D18_CONTAINER,
                        "c.yaml:9:14: the placement can't be had on host h: CPU 0 is not allowed (online: 0-15; allowed:"
                                + " 9-11) (choose from 9-11)"),
                Arguments.of(
                        "placement: 108-113",
                        Machines.D22_OFFLINE,
                        "c.yaml:9:14: the placement can't be had on host h: CPUs 112-113 do not exist, CPU 110 is offline"
                                + " (online: 0-109,111; allowed: 0-111) (choose from 0-109,111)"),
                Arguments.of(
                        "cpus: all",
                        new Topology(
                                Machines.TWO_CPUS.present(),
                                Machines.TWO_CPUS.online(),
                                CpuSet.of(5),
                                Machines.TWO_CPUS.cpus(),
                                Machines.TWO_CPUS.nodes()),
                        "c.yaml:5:3: host h has no CPU that is both online and allowed (online: 0-1; allowed: 5)"
                                + " (widen the cpuset or the affinity that this was started with)"),
                Arguments.of(
                        "timing: {rounds: 1000}\n  models: [threads, processes, per-numa-node]\n  cpus: [1, 2, 3, 4, 5,"
                                + " 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]",
                        Machines.D35_KUNPENG916,
                        "c.yaml:5:3: these are 102000 trials; at most 100000 are allowed"
                                + " (have fewer rounds, workloads, models or CPU counts)"));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void whatAHostDoesNotHaveIsRefused(String spec, Topology machine, String message) throws Exception {
        Campaign campaign = Machines.campaign(spec);

        assertThatThrownBy(() -> Planner.plan(campaign, List.of(host("h", machine))))
                .isInstanceOf(CampaignException.class)
                .hasMessage(message);
    }

    @Test
    void everyHostThatFallsShortIsNamed() throws Exception {
        Campaign campaign = Machines.campaign("cpus: [4]");

        assertThatThrownBy(() -> Planner.plan(
                        campaign, List.of(host("a", Machines.TWO_CPUS), host("b", Machines.D18_CONTAINER))))
                .isInstanceOfSatisfying(
                        CampaignException.class,
                        e -> assertThat(e.problems())
                                .extracting(Problem::message)
                                .satisfiesExactly(
                                        a -> assertThat(a).contains("2 usable on host a"),
                                        b -> assertThat(b).contains("3 usable on host b")));
    }

    @Test
    void pathsLiveOnTheHostsThatTheySelect() throws Exception {
        HostProfile old = Machines.host("old", "6.14.2", Machines.TWO_CPUS);
        HostProfile fresh = Machines.host("fresh", "6.15.0-rc1", Machines.TWO_CPUS);
        HostProfile other = Machines.host("other", "5.10.0", Machines.TWO_CPUS);

        Plan plan = Planner.plan(beforeAndAfter("kernel<6.15"), List.of(fresh, old, other));

        assertThat(plan.trials().stream()
                        .map(t -> t.cell().path() + " on " + t.cell().host())
                        .distinct())
                .containsExactly("after on fresh", "before on old");
    }

    @Test
    void pathsThatDifferInTheirHostsAloneMayNotMeet() throws Exception {
        Campaign campaign = beforeAndAfter("kernel<6.16");

        assertThatThrownBy(() -> Planner.plan(
                        campaign,
                        List.of(
                                Machines.host("old", "6.14.2", Machines.TWO_CPUS),
                                Machines.host("fresh", "6.15.0", Machines.TWO_CPUS))))
                .isInstanceOf(CampaignException.class)
                .hasMessage("c.yaml:7:7: paths before and after do the same on host fresh, which all of them select"
                        + " (make their hosts.select exclude each other, or let them differ in attach or variant)");
    }

    @Test
    void aPathWithoutAHostIsNamedWithWhatEachHostLacks() throws Exception {
        Campaign campaign = beforeAndAfter("kernel<6.15");

        assertThatThrownBy(() -> Planner.plan(
                        campaign,
                        List.of(
                                Machines.host("old", "6.14.2", Machines.TWO_CPUS),
                                Machines.host("older", "5.10.0", Machines.TWO_CPUS))))
                .isInstanceOf(NoHostException.class)
                .hasMessage("""
                        c.yaml:7:7: no host is selected for path after
                          old: kernel is 6.14.2, not kernel>=6.15
                          older: kernel is 5.10.0, not kernel>=6.10""");
    }

    @Test
    void aCampaignWithoutAHostSaysWhatEachHostLacks() throws Exception {
        Campaign campaign = Machines.campaign("hosts: {select: arch=aarch64 and cpus>=64}");

        assertThatThrownBy(() -> Planner.plan(campaign, List.of(host("vm", Machines.TWO_CPUS))))
                .isInstanceOf(NoHostException.class)
                .hasMessage("""
                        c.yaml:9:10: no host is selected by arch=aarch64 and cpus>=64
                          vm: arch is x86_64, not arch=aarch64; cpus is 2, not cpus>=64""");
        assertThatThrownBy(() -> Planner.plan(campaign, List.of()))
                .isInstanceOf(NoHostException.class)
                .hasMessage("c.yaml:9:10: no host is selected: there is none");
    }

    @Test
    void whatAHostCantMeasureIsListedWithTheReasonAndTheRestIsPlanned() throws Exception {
        HostProfile.Ability denied = new HostProfile.Ability(
                "uprobe-bpf", false, Optional.of("perf_event_open: Permission denied"), Optional.of("run as root"));
        HostProfile host = Machines.host("vm", "6.12", Machines.TWO_CPUS, List.of(denied));
        Campaign campaign = CampaignReader.parse(
                "c.yaml", CampaignReaderTest.SMALLEST.replace("[uprobe-nop]", "[uprobe-nop, syscall-count]"));

        Plan plan = Planner.plan(campaign, List.of(host));

        assertThat(plan.unmeasured())
                .extracting(u -> u.cell().path() + " " + u.cell().workload() + " "
                        + u.cell().cpus() + ": " + u.reason())
                .containsExactly(
                        "locked uprobe-nop 0: perf_event_open: Permission denied; run as root",
                        "lockless uprobe-nop 0: perf_event_open: Permission denied; run as root",
                        "lockless uprobe-nop 0-1: perf_event_open: Permission denied; run as root",
                        "locked uprobe-nop 0-1: perf_event_open: Permission denied; run as root");
        assertThat(plan.trials())
                .hasSize(20)
                .allSatisfy(t -> assertThat(t.cell().workload().name()).isEqualTo("syscall-count"));
    }

    @Test
    void theQuickCampaignIsQuickOnAnyMachine() throws Exception {
        Path file = Path.of("conf/quick.yaml");
        Campaign quick = CampaignReader.parse(file.toString(), CampaignReader.text(file));

        for (Topology machine : List.of(Machines.TWO_CPUS, Machines.D11_EPYC, Machines.D18_CONTAINER)) {
            Plan plan = Planner.plan(quick, List.of(host("h", machine)));

            assertThat(plan.trials()).hasSize(40);
            assertThat(plan.measuring()).isEqualTo(Duration.ofSeconds(44));
        }
    }

    private static Campaign beforeAndAfter(String before) throws CampaignException {
        return CampaignReader.parse("c.yaml", """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: two-kernels}
                spec:
                  paths:
                    - {name: before, hosts: {select: %s}}
                    - {name: after, hosts: {select: kernel>=6.15}}
                  workloads: [uprobe-ret]
                  hosts: {select: kernel>=6.10}
                """.formatted(before));
    }

    private static HostProfile host(String name, Topology topology) {
        return Machines.host(name, "6.12.1", topology);
    }

    @Test
    void hostsThatRunTogetherHaveTheirTrialsOfAPathSideBySideAndJoined() throws Exception {
        Campaign campaign = Machines.campaign("hosts: {run: together}", "cpus: [1, 2]", "timing: {rounds: 2}");

        Plan plan = Planner.plan(
                campaign,
                List.of(
                        Machines.host("a", "6.12", Machines.TWO_CPUS),
                        Machines.host("b", "6.12", Machines.D35_KUNPENG916)));

        Map<String, List<Plan.Trial>> joints = plan.trials().stream()
                .collect(Collectors.groupingBy(t -> t.joint().orElseThrow(), LinkedHashMap::new, Collectors.toList()));
        assertThat(joints).hasSize(2 * 2 * 2);
        assertThat(joints.values()).allSatisfy(joint -> {
            assertThat(joint).extracting(t -> t.cell().host()).containsExactlyInAnyOrder("a", "b");
            assertThat(joint)
                    .extracting(t -> t.cell().path() + t.cell().cpus().size() + t.round())
                    .containsOnly(joint.get(0).cell().path()
                            + joint.get(0).cell().cpus().size()
                            + joint.get(0).round());
        });
    }

    @Test
    void hostsThatRunTogetherNeedTheSameCounts() throws Exception {
        Campaign campaign = Machines.campaign("hosts: {run: together}");

        assertThatThrownBy(() -> Planner.plan(
                        campaign,
                        List.of(
                                Machines.host("a", "6.12", Machines.TWO_CPUS),
                                Machines.host("b", "6.12", Machines.D35_KUNPENG916))))
                .hasMessageContaining("need the same CPU counts, and a would run 1, 2, b 1, 2, 4, 8, 16, 32, 64");
    }
}
