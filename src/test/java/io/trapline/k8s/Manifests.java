package io.trapline.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Objects of Kubernetes, read so that a field which their kind has not is an error. */
public record Manifests(String name, List<HasMetadata> all) {
    /** Kinds that the cluster gets from cert-manager; no model of them is at hand. */
    private static final Set<String> FOREIGN = Set.of("cert-manager.io/v1 Issuer", "cert-manager.io/v1 Certificate");

    private static final Path K8S = Path.of("k8s");

    /** What {@code kubectl kustomize k8s/DIRECTORY} prints. */
    public static Manifests rendered(String directory) throws IOException, InterruptedException {
        requireKubectl();
        Process kubectl = new ProcessBuilder(
                        "kubectl", "kustomize", K8S.resolve(directory).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String yaml = new String(kubectl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(kubectl.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(kubectl.exitValue()).as("kubectl kustomize " + directory).isZero();
        return read(directory, yaml);
    }

    /** Skips the test without kubectl; deploy/test says whether it must be there ("1") or is too old ("0"). */
    static void requireKubectl() {
        boolean there = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(d -> Path.of(d, "kubectl").toFile().canExecute());
        String required = System.getenv().getOrDefault("TRAPLINE_REQUIRE_KUBECTL", there ? "1" : "0");
        Assumptions.assumeTrue(required.equals("1"), "no kubectl 1.26 or later is there");
    }

    /** The documents of a file. */
    public static Manifests read(String name, String yaml) {
        Object read = new KubernetesSerialization()
                .unmarshal(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
        List<HasMetadata> all = read instanceof Collection<?> several
                ? several.stream().map(HasMetadata.class::cast).toList()
                : List.of((HasMetadata) read);
        all.forEach(o -> refuseUnknown(
                o, name + ": " + o.getKind() + " " + o.getMetadata().getName()));
        return new Manifests(name, all);
    }

    private static void refuseUnknown(Object value, String where) {
        if (value instanceof GenericKubernetesResource foreign) {
            assertThat(FOREIGN).as(where).contains(foreign.getApiVersion() + " " + foreign.getKind());
        } else if (value instanceof Collection<?> several) {
            several.forEach(v -> refuseUnknown(v, where));
        } else if (value instanceof KubernetesResource) {
            for (Method getter : value.getClass().getMethods()) {
                if (getter.getParameterCount() == 0 && getter.getName().startsWith("get")) {
                    refuseUnknown(getter, value, where);
                }
            }
        }
    }

    private static void refuseUnknown(Method getter, Object value, String where) {
        try {
            Object field = getter.invoke(value);
            String name = where + "." + getter.getName().substring("get".length());
            if (getter.getName().equals("getAdditionalProperties")) {
                assertThat((Map<?, ?>) field).as("unknown fields in " + where).isEmpty();
            } else if (field != value) {
                refuseUnknown(field, name);
            }
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(where, e);
        }
    }

    /** All of a kind. */
    <T extends HasMetadata> List<T> of(Class<T> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The one of a kind and name. */
    <T extends HasMetadata> T one(Class<T> kind, String called) {
        return of(kind).stream()
                .filter(o -> o.getMetadata().getName().equals(called))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no " + kind.getSimpleName() + " " + called));
    }

    /** The templates of all pods. */
    public List<PodTemplateSpec> pods() {
        return all.stream().flatMap(Manifests::template).toList();
    }

    private static Stream<PodTemplateSpec> template(HasMetadata object) {
        if (object instanceof StatefulSet set) {
            return Stream.of(set.getSpec().getTemplate());
        }
        if (object instanceof DaemonSet set) {
            return Stream.of(set.getSpec().getTemplate());
        }
        return object instanceof Job job ? Stream.of(job.getSpec().getTemplate()) : Stream.empty();
    }

    PodTemplateSpec coordinator() {
        return one(StatefulSet.class, "trapline-coordinator").getSpec().getTemplate();
    }

    PodTemplateSpec worker() {
        return one(DaemonSet.class, "trapline-worker").getSpec().getTemplate();
    }

    /** The one container of a pod. */
    public static Container container(PodTemplateSpec pod) {
        assertThat(pod.getSpec().getContainers()).hasSize(1);
        return pod.getSpec().getContainers().get(0);
    }
}
