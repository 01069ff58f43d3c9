package io.trapline.trigger;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One line that the trigger writes, as {@code src/main/c/PROTOCOL.md} defines it. Times are CLOCK_MONOTONIC
 * nanoseconds of the machine that the trigger runs on; counters are cumulative.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ProfileReply.class, name = "profile"),
    @JsonSubTypes.Type(value = Reply.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Reply.Started.class, name = "started"),
    @JsonSubTypes.Type(value = Reply.Interval.class, name = "interval"),
    @JsonSubTypes.Type(value = Reply.Done.class, name = "done"),
    @JsonSubTypes.Type(value = Reply.Failed.class, name = "failed"),
    @JsonSubTypes.Type(value = Reply.Refused.class, name = "refused")
})
public sealed interface Reply permits ProfileReply, Reply.OfTrial, Reply.Refused {

    /** A reply that belongs to a trial. */
    sealed interface OfTrial extends Reply {
        /** The trial's id, as the run command gave it. */
        String trial();
    }

    /**
     * All threads are pinned and wait for {@code go}.
     *
     * @param bytes the target's first bytes before the probe was attached, hexadecimal; empty for a workload without
     *     a target
     * @param attached the same bytes afterwards, as this process reads them: the breakpoint shows
     * @param instruction the target's first instruction by name
     * @param consumers how many consumers the kernel walks at each hit
     */
    record Ready(
            String trial,
            Optional<String> bytes,
            Optional<String> attached,
            Optional<String> instruction,
            OptionalInt consumers,
            List<ThreadPlace> threads)
            implements OfTrial {
        public Ready {
            threads = List.copyOf(threads);
        }
    }

    /**
     * Where a thread is, read back from the kernel.
     *
     * @param mask the effective affinity mask as a CPU list
     * @param node the NUMA node of its CPU
     * @param counterNode the NUMA node that holds its counter
     */
    record ThreadPlace(int cpu, long pid, long tid, String mask, OptionalInt node, OptionalInt counterNode) {}

    /** The threads run: the first and the last thread's start. */
    record Started(String trial, long firstNs, long lastNs) implements OfTrial {}

    /**
     * One reading of all counters.
     *
     * @param seq 0 is the reading that ends the warm-up
     * @param ns when the reading began
     * @param readNs how long it took
     * @param ops operations so far, one number a CPU, CPUs ascending; not copied, not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // one a CPU and interval: boxing would cost more than all else here
    record Interval(String trial, long seq, long ns, long readNs, long[] ops) implements OfTrial {}

    /**
     * The trial has ended and all its threads with it.
     *
     * @param hits what the probe or the handler counted; empty for a baseline
     * @param inFlight the most by which hits and operations may differ
     * @param overruns intervals whose deadline had passed when the reader woke
     * @param stopped true when a stop ended it early
     */
    record Done(
            String trial,
            long operations,
            OptionalLong hits,
            List<Long> opsByCpu,
            List<Long> hitsByCpu,
            int inFlight,
            OptionalLong voluntarySwitches,
            OptionalLong involuntarySwitches,
            OptionalLong migrations,
            OptionalLong stealMs,
            long overruns,
            boolean stopped)
            implements OfTrial {
        public Done {
            opsByCpu = opsByCpu == null ? List.of() : List.copyOf(opsByCpu);
            hitsByCpu = hitsByCpu == null ? List.of() : List.copyOf(hitsByCpu);
        }
    }

    /**
     * The trial could not be run to its end.
     *
     * @param call the call that failed
     * @param errno its errno; empty when it is none of the kernel's
     * @param error what happened
     * @param fix what would mend it
     */
    record Failed(String trial, String call, OptionalInt errno, String error, Optional<String> fix)
            implements OfTrial {}

    /** A line that was no command; nothing has changed. */
    record Refused(String line, String error, Optional<String> fix) implements Reply {}
}
