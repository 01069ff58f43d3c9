package io.trapline.analysis;

import io.trapline.trigger.Reply;

/** What may have disturbed a trial without making it invalid. */
public enum Disturbance {
    /** Time that the hypervisor gave to others. */
    STEAL("ms of CPU time taken by the hypervisor", "ms of CPU time taken by the hypervisor"),
    /** The measured threads had to make way. */
    PREEMPTION("involuntary context switch", "involuntary context switches"),
    /** Readings that came late; their stamps are right. */
    OVERRUN("late reading", "late readings"),
    /** Counters in the memory of another NUMA node than the thread's. */
    REMOTE_COUNTER("counter on another NUMA node", "counters on another NUMA node");

    private final String one;
    private final String several;

    Disturbance(String one, String several) {
        this.one = one;
        this.several = several;
    }

    /** So much of it in words: {@code 1 late reading}. */
    public String inWords(long amount) {
        return amount + " " + (amount == 1 ? one : several);
    }

    /** How much of it a trial had; 0 for none, and when it was not counted there. */
    public long in(TrialResult.Measured trial) {
        return switch (this) {
            case STEAL -> trial.done().stealMs().orElse(0);
            case PREEMPTION -> trial.done().involuntarySwitches().orElse(0);
            case OVERRUN -> trial.done().overruns();
            case REMOTE_COUNTER ->
                trial.ready().threads().stream().filter(Disturbance::remote).count();
        };
    }

    private static boolean remote(Reply.ThreadPlace thread) {
        return thread.counterNode().isPresent() && !thread.counterNode().equals(thread.node());
    }
}
