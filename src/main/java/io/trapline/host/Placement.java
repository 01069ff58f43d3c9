package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Which CPUs a CPU count means. {@link Placements} turns it into ids. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Placement.Compact.class, name = "compact"),
    @JsonSubTypes.Type(value = Placement.Scatter.class, name = "scatter"),
    @JsonSubTypes.Type(value = Placement.Listed.class, name = "listed")
})
public sealed interface Placement {
    /** Fill a NUMA node before the next one, cores before SMT siblings. */
    record Compact() implements Placement {}

    /** Round-robin over NUMA nodes, cores before SMT siblings. */
    record Scatter() implements Placement {}

    /** The first n of these ids, in this order. */
    record Listed(List<Integer> ids) implements Placement {
        public Listed {
            ids = List.copyOf(ids);
        }
    }
}
