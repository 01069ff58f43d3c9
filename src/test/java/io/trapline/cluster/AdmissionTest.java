package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.CampaignReader;
import io.trapline.host.HostProfile;
import io.trapline.journal.JournalWriter;
import io.trapline.journal.SampleRun;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which campaign may start on which hosts. */
class AdmissionTest {
    @TempDir
    private Path directory;

    private Submission campaign(String select, int cpus) throws Exception {
        String text = """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: test}
                spec:
                  paths: [{name: a, variant: {altstack: swap}}, {name: b, variant: {altstack: same}}]
                  workloads: [signal-altstack]
                  cpus: [%d]
                  hosts: {select: "%s"}
                """.formatted(cpus, select);
        try (JournalWriter writer = JournalWriter.open(directory.resolve("journal.jsonl"))) {
            return new Submission(
                    CampaignReader.parse("test.yaml", text), "r1", "sha", "test", writer, Earlier.NOTHING);
        }
    }

    private static Map<String, HostProfile> hosts(String... names) {
        Map<String, HostProfile> hosts = new LinkedHashMap<>();
        for (String name : names) {
            hosts.put(name, SampleRun.host(name));
        }
        return hosts;
    }

    private static List<String> started(Admission admission) {
        return ((Admission.Start) admission)
                .hosts().stream().map(HostProfile::name).toList();
    }

    private static RunEvent.Refused refused(Admission admission) {
        return ((Admission.Refuse) admission).event();
    }

    @Test
    void itStartsOnTheHostsThatItSelectsAndTakesNoOthers() throws Exception {
        Submission one = campaign("host=left", 1);

        assertThat(started(Admission.of(one, hosts("left", "right"), Set.of("right"), false, false)))
                .containsExactly("left");
    }

    @Test
    void itWaitsForAHostThatAnotherHasAndKeepsThoseBehindItFromTakingWhatItWants() throws Exception {
        Submission both = campaign("arch=x86_64", 1);

        assertThat(Admission.of(both, hosts("left", "right"), Set.of("right"), false, true))
                .isEqualTo(new Admission.Wait(Set.of("left", "right")));
    }

    @Test
    void itWaitsForHostsThatMayComeAndIsRefusedOnceTheirTimeIsOverWithThoseThatAreThere() throws Exception {
        Submission absent = campaign("host=other", 1);

        assertThat(Admission.of(absent, Map.of(), Set.of(), false, false)).isEqualTo(new Admission.Wait(Set.of()));
        assertThat(Admission.of(absent, hosts("left"), Set.of(), false, false)).isEqualTo(new Admission.Wait(Set.of()));
        RunEvent.Refused late = refused(Admission.of(absent, hosts("left"), Set.of(), false, true));
        assertThat(late.cause()).isEqualTo(RunEvent.Refused.Cause.NO_HOSTS);
        assertThat(String.join("\n", late.problems())).contains("host=other", "left");
        assertThat(refused(Admission.of(absent, Map.of(), Set.of(), false, true))
                        .problems())
                .containsExactly("no worker said hello in time");
    }

    @Test
    void whereNoOtherHostWillEverComeItDoesNotWait() throws Exception {
        assertThat(refused(Admission.of(campaign("host=other", 1), hosts("left"), Set.of(), true, false))
                        .cause())
                .isEqualTo(RunEvent.Refused.Cause.NO_HOSTS);
    }

    @Test
    void whatNoHostCanEverDoIsBadInputAtOnce() throws Exception {
        RunEvent.Refused refused =
                refused(Admission.of(campaign("host=left", 65), hosts("left"), Set.of(), false, false));

        assertThat(refused.cause()).isEqualTo(RunEvent.Refused.Cause.BAD_INPUT);
        assertThat(String.join("\n", refused.problems())).contains("65");
    }
}
