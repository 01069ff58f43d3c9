package io.trapline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import io.trapline.k8s.Manifests;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A campaign's manifest, and that all manifests call commands as they are. */
class KubernetesTest {
    private static final String CAMPAIGN = """
            apiVersion: trapline/v1
            kind: Campaign
            metadata: {name: two}
            spec:
              paths: [{name: a, variant: {altstack: swap}}, {name: b}]
              workloads: [signal-altstack]
              cpus: [1]
              timing: {warmup: 20ms, interval: 50ms, measure: 100ms, rounds: 2}
            """;

    @TempDir
    private Path directory;

    static Stream<String> overlays() {
        return Stream.concat(
                Stream.of("base"),
                Arrays.stream(new File("k8s/overlays").list()).sorted().map(o -> "overlays/" + o));
    }

    static Stream<String> shipped() {
        return Arrays.stream(new File("k8s/campaigns").list()).sorted();
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void everyContainerCallsACommandThatThereIs(String overlay) throws Exception {
        List<PodTemplateSpec> pods = Manifests.rendered(overlay).pods();
        assertThat(pods).hasSize(2).allSatisfy(pod -> {
            assertThat(Manifests.container(pod).getImage()).isEqualTo(KubectlCommand.IMAGE);
            assertCallsACommand(Manifests.container(pod));
        });
    }

    private static void assertCallsACommand(Container container) {
        assertThat(container.getCommand()).as("the image's entry point").isNullOrEmpty();
        assertThatCode(() -> Main.commandLine().parseArgs(container.getArgs().toArray(String[]::new)))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void theCampaignsThatAreShippedAreWhatTheCommandPrints(String file) throws Exception {
        assertThat(Path.of("k8s/campaigns", file)).hasContent(printed(Path.of("conf", file)));
    }

    @Test
    void allThatIsMadeHasTheRunsIdAndEndsTheOneWayOrTheOther() throws Exception {
        Manifests made = Manifests.read("two", printed(write(CAMPAIGN), "--run", "two-7"));
        PodTemplateSpec pod = made.pods().get(0);
        Job job = (Job) made.all().get(1);

        assertThat(made.all()).hasSize(2).allSatisfy(o -> {
            assertThat(o.getMetadata().getName()).isEqualTo("two-7");
            assertThat(o.getMetadata().getNamespace()).isEqualTo("trapline");
            assertThat(o.getMetadata().getLabels())
                    .containsEntry("trapline.io/run-id", "two-7")
                    .containsEntry("trapline.io/campaign", "two")
                    .containsEntry("app.kubernetes.io/name", "trapline")
                    .containsEntry("app.kubernetes.io/instance", "two-7")
                    .containsKeys("app.kubernetes.io/component", "app.kubernetes.io/managed-by");
        });
        assertThat(pod.getMetadata().getLabels()).isEqualTo(job.getMetadata().getLabels());
        assertThat(pod.getSpec().getRestartPolicy()).isEqualTo("Never");
        assertThat(job.getSpec().getBackoffLimit()).isZero();
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(24 * 3600L);
        List<PodFailurePolicyRule> rules = job.getSpec().getPodFailurePolicy().getRules();
        assertThat(rules).extracting(PodFailurePolicyRule::getAction).containsExactly("Ignore", "FailJob");
        assertThat(rules.get(0).getOnPodConditions().get(0).getType()).isEqualTo("DisruptionTarget");
        assertThat(rules.get(1).getOnExitCodes().getOperator()).isEqualTo("NotIn");
        assertThat(rules.get(1).getOnExitCodes().getValues()).containsExactly(0);
    }

    @Test
    void thePodSubmitsTheFileWithoutAnyRightAndLeavesTheAnswerAsItsLastWord() throws Exception {
        Manifests made = Manifests.read("two", printed(write(CAMPAIGN)));
        Container container = Manifests.container(made.pods().get(0));

        assertCallsACommand(container);
        assertThat(container.getArgs())
                .startsWith("submit", "/campaign/campaign.yaml")
                .contains("--run=two", "--answer=/dev/termination-log", "--to=http://trapline-coordinator:7071");
        assertThat(container.getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(made.pods().get(0).getSpec().getAutomountServiceAccountToken())
                .isFalse();
    }

    @Test
    void behindTlsThePodProvesWhoItIs() throws Exception {
        Manifests made = Manifests.read("two", printed(write(CAMPAIGN), "--tls"));
        Container container = Manifests.container(made.pods().get(0));

        assertCallsACommand(container);
        assertThat(container.getArgs())
                .contains("--to=https://trapline-coordinator:7071", "--ca=/tls/ca.crt", "--token-file=/token/token");
    }

    @Test
    void aJobLastsAnHourLongerThanItsCampaignMay() throws Exception {
        Job job = (Job) Manifests.read("two", printed(write(CAMPAIGN + "  deadline: 30m\n")))
                .all()
                .get(1);
        assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(5400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# é µ\n",
                "\n\n# blank lines first\n",
                "# tab\t\n",
                "# carriage return\r\n",
                "# @RUN@ \"\\n\" $1\n"
            })
    void theFileArrivesByteForByte(String head) throws Exception {
        for (String text : List.of(head + CAMPAIGN, head + CAMPAIGN + "\n\n", head + CAMPAIGN.strip())) {
            ConfigMap map = (ConfigMap)
                    Manifests.read("two", printed(write(text))).all().get(0);
            assertThat(map.getData()).containsExactly(Map.entry("campaign.yaml", text));
            assertThat(map.getImmutable()).isTrue();
        }
    }

    @Test
    void whatIsNoRunIdIsRefused() throws Exception {
        TraplineProcess.Ended ended =
                TraplineProcess.run(directory, "kubectl", write(CAMPAIGN).toString(), "--run", "Two_7");
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.errText()).contains("\"Two_7\" is no run id", "--run");
    }

    private Path write(String campaign) throws Exception {
        return Files.writeString(directory.resolve("two.yaml"), campaign);
    }

    private static String printed(Path file, String... options) throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] args = Stream.concat(Stream.of("kubectl", file.toString()), Arrays.stream(options))
                .toArray(String[]::new);
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        assertThat(code).as(err.toString()).isZero();
        return out.toString();
    }
}
