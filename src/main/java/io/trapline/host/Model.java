package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the threads of a trial are spread over processes. */
public enum Model implements Spelled {
    /** One process, a thread a CPU: they share an mm and a signal lock. */
    @JsonProperty("threads")
    THREADS("threads"),
    /** One process a CPU. */
    @JsonProperty("processes")
    PROCESSES("processes"),
    /** One process a NUMA node, a thread a CPU inside. */
    @JsonProperty("per-numa-node")
    PER_NUMA_NODE("per-numa-node");

    private final String spelling;

    Model(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String spelling() {
        return spelling;
    }
}
