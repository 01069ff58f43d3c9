package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.trapline.host.CpuSet;
import io.trapline.host.HostProfile;
import io.trapline.host.guest.Accelerator;
import io.trapline.host.guest.Arch;
import io.trapline.host.guest.GuestSpec;
import io.trapline.host.guest.GuestSpec.Distance;
import io.trapline.host.guest.GuestSpec.KernelSource;
import io.trapline.host.guest.GuestSpec.Node;
import io.trapline.host.guest.GuestSpec.Wanted;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Campaigns whose paths are kernels in guests. */
class GuestCampaignTest {
    private static final String BEGIN = """
            apiVersion: trapline/v1
            kind: Campaign
            metadata: {name: guests}
            spec:
              workloads: [uprobe-nop, uprobe-ret]
              cpus: [1]
            """;

    @Test
    void aPathSaysWhatTheCampaignDoesNot() throws CampaignException {
        Campaign campaign = read("""
              guest: {cpus: 4, memory: 1G, append: quiet}
              paths:
                - {name: before, kernel: before/bzImage}
                - {name: after, kernel: 'debian:6.12/arm64', guest: {cpus: 2, accelerator: emulation}}
            """);
        assertThat(campaign.paths())
                .extracting(path -> path.guest().orElseThrow())
                .containsExactly(
                        new GuestSpec(
                                image("before/bzImage"), 4, 1024, List.of(), List.of(), "quiet", Wanted.BEST, false),
                        new GuestSpec(
                                new KernelSource.Debian("6.12", Optional.of(Arch.AARCH64)),
                                2,
                                1024,
                                List.of(),
                                List.of(),
                                "quiet",
                                Wanted.EMULATION,
                                false));
    }

    @Test
    void nodesShareTheMemoryThatTheyDoNotName() throws CampaignException {
        Campaign campaign = read("""
              guest: {cpus: 4, memory: 1G, nodes: ['0-1,3', '128M,cpus=2', 256M], distances: ['0,2=51']}
              paths:
                - {name: before, kernel: before/bzImage}
                - {name: after, kernel: after/bzImage}
            """);
        GuestSpec guest = campaign.paths().get(0).guest().orElseThrow();
        assertThat(guest.nodes())
                .containsExactly(
                        new Node(CpuSet.of(0, 1, 3), 341), new Node(CpuSet.of(2), 128), new Node(CpuSet.EMPTY, 256));
        assertThat(guest.memoryMiB()).isEqualTo(341 + 128 + 256);
        assertThat(guest.distances()).containsExactly(new Distance(0, 2, 51));
    }

    @Test
    void aKernelGivenBesideTheFileIsNotLookedForAmongHosts() throws CampaignException {
        Campaign campaign = CampaignReader.parse("c.yaml", BEGIN + """
              paths:
                - {name: before, hosts: {select: kernel<6.15}}
                - {name: after, hosts: {select: kernel>=6.15}}
            """, Map.of("after", "after/bzImage"));

        assertThat(campaign.paths())
                .extracting(
                        path -> path.select().isPresent(), path -> path.guest().isPresent())
                .containsExactly(tuple(true, false), tuple(false, true));
    }

    @Test
    void initIsRefusedWhereNothingLooksAtIt() {
        assertThatThrownBy(() -> read("""
              paths:
                - {name: before, kernel: before/bzImage, guest: {append: quiet init=/nonexistent}}
                - {name: after, kernel: after/bzImage, guest: {append: rdinit=/nonexistent}}
            """))
                .isInstanceOfSatisfying(
                        CampaignException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .satisfies(problem -> assertThat(problem.fix()).contains("write rdinit=")));
    }

    @Test
    void kernelsGivenBesideTheFileWin() throws CampaignException {
        String paths = """
              paths:
                - {name: before, kernel: 'debian:6.1'}
                - {name: after}
            """;
        Campaign campaign =
                CampaignReader.parse("c.yaml", BEGIN + paths, Map.of("before", "a/bzImage", "after", "b/bzImage"));
        assertThat(campaign.paths())
                .extracting(path -> path.guest().orElseThrow().kernel())
                .containsExactly(image("a/bzImage"), image("b/bzImage"));
        assertThatThrownBy(() -> CampaignReader.parse("c.yaml", BEGIN + paths, Map.of("aftr", "b/bzImage")))
                .isInstanceOf(CampaignException.class)
                .hasMessage("c.yaml:8:5: a kernel was given for path \"aftr\"; the campaign's paths are before, after");
    }

    @Test
    void aProblemOfAllPathsIsToldOnce() {
        assertThatThrownBy(() -> read("""
                  guest: {memory: 1M}
                  paths:
                    - {name: before, kernel: 'debian:6.1'}
                    - {name: after, kernel: 'debian:6.12'}
                """))
                .hasMessage("c.yaml:7:19: spec.guest.memory is \"1M\"; memory is a whole number and M or G,"
                        + " from 64M to 1024G (such as 512M)");
    }

    @Test
    void exactGuestsHaveOneCpu() throws CampaignException {
        Campaign campaign = read("""
              timing: {exact: true}
              paths:
                - {name: before, kernel: 'debian:6.1'}
                - {name: after, kernel: 'debian:6.12'}
            """);
        assertThat(campaign.paths())
                .extracting(path -> path.guest().orElseThrow())
                .allMatch(guest -> guest.exact() && guest.cpus() == 1);
    }

    @Test
    void eachPathRunsInItsGuestAndTheyTakeTurns() throws Exception {
        Campaign campaign = read("""
              timing: {rounds: 2}
              paths:
                - {name: before, kernel: 'debian:6.1'}
                - {name: after, kernel: 'debian:6.12'}
            """);
        List<HostProfile> guests = List.of(guest("before"), guest("after"));
        assertThat(Planner.plan(campaign, guests).trials())
                .extracting(t ->
                        t.round() + " " + t.cell().workload() + " " + t.cell().host())
                .containsExactly(
                        "1 uprobe-nop before@vm",
                        "1 uprobe-nop after@vm",
                        "1 uprobe-ret after@vm",
                        "1 uprobe-ret before@vm",
                        "2 uprobe-nop after@vm",
                        "2 uprobe-nop before@vm",
                        "2 uprobe-ret before@vm",
                        "2 uprobe-ret after@vm");
    }

    @Test
    void aPathWithAKernelNeedsItsGuest() throws CampaignException {
        Campaign campaign = read("""
              paths:
                - {name: here}
                - {name: after, kernel: 'debian:6.12'}
            """);
        HostProfile vm = Machines.host("vm", "6.18.1", Machines.TWO_CPUS);
        assertThatThrownBy(() -> Planner.plan(campaign, List.of(vm, guest("other"))))
                .isInstanceOf(NoHostException.class)
                .hasMessageContaining("no host is selected for path after")
                .hasMessageContaining("vm: it is not a guest with kernel debian:6.12")
                .hasMessageContaining("other@vm: it is the guest of path other");
    }

    private static HostProfile guest(String path) {
        return Machines.host("(none)", "6.12.1", Machines.TWO_CPUS)
                .asGuest(
                        path + "@vm",
                        new HostProfile.Guest(
                                "vm",
                                path,
                                Accelerator.EMULATION,
                                OptionalInt.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
    }

    private static KernelSource image(String file) {
        return new KernelSource.Image(Path.of(file));
    }

    private static Campaign read(String spec) throws CampaignException {
        return CampaignReader.parse("c.yaml", BEGIN + spec);
    }
}
