package io.trapline.campaign;

import io.trapline.host.Method;
import io.trapline.host.Workload;
import io.trapline.host.guest.GuestSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a path amounts to in a campaign: two paths of equal effect measure one and the same thing.
 *
 * @param keys for each workload, what it looks at
 * @param select on which hosts
 * @param guest in which guest
 */
record PathEffect(List<Map<String, String>> keys, Optional<Selector> select, Optional<GuestSpec> guest) {
    private static final Map<String, Function<Method, Object>> CHOICES = new LinkedHashMap<>();

    static {
        CHOICES.put("attach.with", Method::attach);
        CHOICES.put("attach.scope", Method::scope);
        CHOICES.put("variant.altstack", Method::altstack);
        CHOICES.put("variant.call", Method::call);
    }

    /** A path's effect, hosts included. */
    static PathEffect of(Campaign.Path path, List<Workload> workloads) {
        return new PathEffect(keys(path.method(), workloads), path.select(), path.guest());
    }

    /** Its effect on a host that it is known to run on. */
    static List<Map<String, String>> keys(Method method, List<Workload> workloads) {
        return workloads.stream().map(method::keys).toList();
    }

    /** The file's keys in which two methods differ. */
    static List<String> differences(Method one, Method other) {
        return CHOICES.keySet().stream()
                .filter(key ->
                        !CHOICES.get(key).apply(one).equals(CHOICES.get(key).apply(other)))
                .toList();
    }
}
