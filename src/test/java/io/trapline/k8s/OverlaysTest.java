package io.trapline.k8s;

import static io.trapline.k8s.Manifests.container;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.File;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kubectl makes of k8s/base and of each overlay. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OverlaysTest {
    private static final String CPU = "cpu";

    private final Map<String, Manifests> rendered = new HashMap<>();

    /** Once, as kubectl takes its time. */
    private Manifests rendered(String overlay) throws Exception {
        if (!rendered.containsKey(overlay)) {
            rendered.put(overlay, Manifests.rendered(overlay));
        }
        return rendered.get(overlay);
    }

    static Stream<String> all() {
        return Stream.concat(
                Stream.of("base"),
                Stream.of(new File("k8s/overlays").list()).sorted().map(o -> "overlays/" + o));
    }

    @Test
    void aFieldThatItsKindHasNotIsAnError() {
        assertThatThrownBy(() -> Manifests.read("test", """
                        apiVersion: apps/v1
                        kind: DaemonSet
                        metadata: {name: d}
                        spec: {template: {spec: {containers: [{name: c, resources: {limit: {}}}]}}}
                        """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("DaemonSet d.Spec.Template.Spec.Containers.Resources", "limit");
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyObjectIsLabelledAndInTheNamespace(String overlay) throws Exception {
        for (HasMetadata object : rendered(overlay).all()) {
            assertThat(object.getMetadata().getLabels())
                    .as(object.getKind())
                    .containsEntry("app.kubernetes.io/part-of", "trapline");
            if (!(object instanceof Namespace)) {
                assertThat(object.getMetadata().getNamespace()).isEqualTo("trapline");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void selectorsSelectThePodsThatAreMeant(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        Map<String, String> coordinator = manifests.coordinator().getMetadata().getLabels();
        Map<String, String> worker = manifests.worker().getMetadata().getLabels();
        StatefulSet set = manifests.one(StatefulSet.class, "trapline-coordinator");
        Service service = manifests.one(Service.class, set.getSpec().getServiceName());

        assertThat(coordinator).containsAllEntriesOf(set.getSpec().getSelector().getMatchLabels());
        assertThat(coordinator).containsAllEntriesOf(service.getSpec().getSelector());
        assertThat(coordinator).containsAllEntriesOf(budget(manifests, "trapline-coordinator"));
        assertThat(worker)
                .containsAllEntriesOf(manifests
                        .one(DaemonSet.class, "trapline-worker")
                        .getSpec()
                        .getSelector()
                        .getMatchLabels())
                .containsAllEntriesOf(budget(manifests, "trapline-worker"));
        assertThat(selects(service.getSpec().getSelector(), worker)).isFalse();
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
    }

    private static Map<String, String> budget(Manifests manifests, String name) {
        return manifests
                .one(PodDisruptionBudget.class, name)
                .getSpec()
                .getSelector()
                .getMatchLabels();
    }

    private static boolean selects(Map<String, String> selector, Map<String, String> labels) {
        return labels.entrySet().containsAll(selector.entrySet());
    }

    @ParameterizedTest
    @MethodSource("all")
    void nobodyIsEvicted(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        assertThat(manifests
                        .one(PodDisruptionBudget.class, "trapline-coordinator")
                        .getSpec()
                        .getMaxUnavailable()
                        .getIntVal())
                .isZero();
        for (String counted : List.of("trapline-worker", "trapline-campaign")) {
            assertThat(manifests
                            .one(PodDisruptionBudget.class, counted)
                            .getSpec()
                            .getMinAvailable()
                            .getIntVal())
                    .as("more than the 150 000 pods that Kubernetes is made for")
                    .isGreaterThan(150_000);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void nobodyHasATokenOrARole(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        assertThat(manifests.all())
                .extracting(HasMetadata::getKind)
                .doesNotContain("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding");
        assertThat(manifests.of(ServiceAccount.class))
                .hasSize(3)
                .allSatisfy(a -> assertThat(a.getAutomountServiceAccountToken()).isFalse());
        assertThat(manifests.pods()).hasSize(2).allSatisfy(pod -> {
            assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getSpec().getEnableServiceLinks()).isFalse();
            manifests.one(ServiceAccount.class, pod.getSpec().getServiceAccountName());
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    void theCoordinatorIsRestrictedAndKeepsItsRunsOnAVolume(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        StatefulSet set = manifests.one(StatefulSet.class, "trapline-coordinator");

        assertThat(set.getSpec().getReplicas()).isEqualTo(1);
        assertThat(set.getSpec().getVolumeClaimTemplates()).singleElement().satisfies(claim -> {
            assertThat(claim.getMetadata().getName()).isEqualTo("data");
        });
        assertRestricted(manifests.coordinator());
    }

    /** The Pod Security Standard of that name, and a root file system that can't be written. */
    static void assertRestricted(PodTemplateSpec pod) {
        SecurityContext context = container(pod).getSecurityContext();
        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getSecurityContext().getRunAsUser()).isPositive();
        assertThat(pod.getSpec().getSecurityContext().getSeccompProfile().getType())
                .isEqualTo("RuntimeDefault");
        assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(context.getPrivileged()).isNull();
        assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(context.getCapabilities().getAdd()).isNullOrEmpty();
        assertThat(pod.getSpec().getHostNetwork()).isNull();
        assertThat(pod.getSpec().getHostPID()).isNull();
        assertThat(pod.getSpec().getVolumes())
                .allSatisfy(v -> assertThat(v.getHostPath()).isNull());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    base,                  restricted, '',            false
                    overlays/simulated,    restricted, '',            false
                    overlays/capabilities, privileged, SYS_ADMIN,     false
                    overlays/capabilities-bpf, privileged, BPF PERFMON, false
                    overlays/tls,          privileged, SYS_ADMIN,     false
                    overlays/tls-cert-manager, privileged, SYS_ADMIN, false
                    overlays/kind,         privileged, SYS_ADMIN,     false
                    overlays/numa,         privileged, SYS_ADMIN,     false
                    overlays/privileged,   privileged, '',            true
                    """)
    void theWorkersHaveTheRightsOfTheirOverlay(String overlay, String level, String added, boolean privileged)
            throws Exception {
        Manifests manifests = rendered(overlay);
        PodTemplateSpec worker = manifests.worker();
        SecurityContext context = container(worker).getSecurityContext();

        assertThat(manifests.one(Namespace.class, "trapline").getMetadata().getLabels())
                .containsEntry("pod-security.kubernetes.io/enforce", level)
                .containsEntry("pod-security.kubernetes.io/warn", "restricted");
        if (level.equals("restricted")) {
            assertRestricted(worker);
            return;
        }
        assertThat(worker.getSpec().getSecurityContext().getRunAsUser())
                .as("Kubernetes gives added capabilities to no other user")
                .isZero();
        assertThat(context.getReadOnlyRootFilesystem()).isTrue();
        assertThat(Boolean.TRUE.equals(context.getPrivileged())).isEqualTo(privileged);
        if (!privileged) {
            assertThat(context.getCapabilities().getDrop()).containsExactly("ALL");
            assertThat(context.getCapabilities().getAdd()).containsExactly(added.split(" "));
            assertThat(context.getAllowPrivilegeEscalation()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void theCoordinatorHasWholeCpusAndIsTheLastToBeEvicted(String overlay) throws Exception {
        assertGuaranteed(container(rendered(overlay).coordinator()).getResources());
    }

    @Test
    void pinnedWorkersAreGuaranteedToo() throws Exception {
        assertGuaranteed(container(rendered("overlays/numa").worker()).getResources());
        assertThat(container(rendered("base").worker()).getResources().getLimits())
                .as("a limit would throttle what is measured")
                .doesNotContainKey(CPU);
    }

    private static void assertGuaranteed(ResourceRequirements resources) {
        assertThat(resources.getRequests()).containsOnlyKeys(CPU, "memory").isEqualTo(resources.getLimits());
        BigDecimal cpus = Quantity.getAmountInBytes(resources.getLimits().get(CPU));
        assertThat(cpus.stripTrailingZeros().scale()).as(cpus + " CPUs").isLessThanOrEqualTo(0);
    }

    @ParameterizedTest
    @MethodSource("all")
    void noProbeEndsWhatIsMerelyBusy(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        Probe liveness = container(manifests.coordinator()).getLivenessProbe();

        assertThat(liveness.getHttpGet().getPath()).isEqualTo("/health");
        assertThat(liveness.getPeriodSeconds() * liveness.getFailureThreshold()).isGreaterThanOrEqualTo(300);
        assertThat(container(manifests.worker()).getLivenessProbe()).isNull();
        assertThat(container(manifests.worker()).getReadinessProbe()).isNull();
        assertThat(container(manifests.worker()).getStartupProbe()).isNull();
    }

    @ParameterizedTest
    @MethodSource("all")
    void podsAreGivenTheTimeThatAnOrderlyEndTakes(String overlay) throws Exception {
        Config phases = ConfigFactory.load().getConfig("akka.coordinated-shutdown");
        long seconds = phases.getConfig("phases").root().keySet().stream()
                .map(name -> "phases." + name + ".timeout")
                .mapToLong(path -> Optional.of(path)
                        .filter(phases::hasPath)
                        .map(phases::getDuration)
                        .orElse(phases.getDuration("default-phase-timeout"))
                        .toSeconds())
                .sum();
        assertThat(seconds).isGreaterThan(30);
        assertThat(rendered(overlay).pods())
                .allSatisfy(pod -> assertThat(pod.getSpec().getTerminationGracePeriodSeconds())
                        .isGreaterThanOrEqualTo(seconds));
    }

    @ParameterizedTest
    @MethodSource("all")
    void imagesHaveATagThatStays(String overlay) throws Exception {
        assertThat(rendered(overlay).pods())
                .allSatisfy(pod -> assertThat(container(pod).getImage()).matches(".*:\\d+\\.\\d+\\.\\d+"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void onlyTwoPortsAreOpenAndOnlyBetweenOurOwnPods(String overlay) throws Exception {
        Manifests manifests = rendered(overlay);
        NetworkPolicy deny = manifests.one(NetworkPolicy.class, "trapline-default-deny");
        assertThat(deny.getSpec().getPodSelector().getMatchLabels()).isNullOrEmpty();
        assertThat(deny.getSpec().getPolicyTypes()).containsExactlyInAnyOrder("Ingress", "Egress");
        assertThat(deny.getSpec().getIngress()).isNullOrEmpty();
        assertThat(deny.getSpec().getEgress()).isNullOrEmpty();

        List<String> open = new ArrayList<>();
        for (NetworkPolicy policy : manifests.of(NetworkPolicy.class)) {
            String own = policy.getSpec().getPodSelector().getMatchLabels().get("app.kubernetes.io/component");
            policy.getSpec()
                    .getIngress()
                    .forEach(rule -> rule.getFrom()
                            .forEach(peer -> rule.getPorts()
                                    .forEach(port -> open.add(
                                            component(peer.getPodSelector().getMatchLabels()) + " -> " + own + " "
                                                    + port.getPort().getIntVal()))));
            policy.getSpec()
                    .getEgress()
                    .forEach(rule -> rule.getTo()
                            .forEach(peer -> rule.getPorts()
                                    .forEach(port -> open.add(own + " => "
                                            + component(peer.getPodSelector().getMatchLabels()) + " "
                                            + port.getPort().getIntVal()))));
        }
        assertThat(open)
                .containsExactlyInAnyOrder(
                        "worker -> coordinator 2551",
                        "worker => coordinator 2551",
                        "coordinator -> worker 2551",
                        "coordinator => worker 2551",
                        "campaign -> coordinator 7071",
                        "campaign => coordinator 7071",
                        "null => kube-dns 53",
                        "null => kube-dns 53");
    }

    private static String component(Map<String, String> labels) {
        return labels.getOrDefault("app.kubernetes.io/component", labels.get("k8s-app"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"overlays/tls", "overlays/tls-cert-manager"})
    void withTlsTheApiHasKeysAndATokenFromSecretsAndIsProbedByHttps(String overlay) throws Exception {
        PodTemplateSpec coordinator = rendered(overlay).coordinator();
        assertThat(container(coordinator).getArgs())
                .contains("--http-cert=/tls/tls.crt", "--http-key=/tls/tls.key", "--http-token-file=/token/token");
        assertThat(container(coordinator).getLivenessProbe().getHttpGet().getScheme())
                .isEqualTo("HTTPS");
        assertThat(container(coordinator).getReadinessProbe().getHttpGet().getScheme())
                .isEqualTo("HTTPS");
        assertThat(container(coordinator).getStartupProbe().getHttpGet().getScheme())
                .isEqualTo("HTTPS");
        assertThat(coordinator.getSpec().getVolumes().stream()
                        .filter(v -> v.getSecret() != null)
                        .map(v -> v.getSecret().getSecretName()))
                .containsExactly("trapline-tls", "trapline-token");
    }

    @Test
    void workersRunWhereTheLabelSaysAndWhereATaintKeepsOthersAway() throws Exception {
        PodTemplateSpec worker = rendered("base").worker();
        assertThat(worker.getSpec().getNodeSelector()).containsExactly(Map.entry("trapline.io/measure", "true"));
        assertThat(worker.getSpec().getTolerations())
                .singleElement()
                .satisfies(t -> assertThat(t.getKey() + t.getOperator()).isEqualTo("trapline.io/measureExists"));
        assertThat(rendered("overlays/simulated").worker().getSpec().getNodeSelector())
                .as("any node")
                .isNullOrEmpty();
    }
}
