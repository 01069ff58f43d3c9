package io.trapline.host;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How an operation is done, where a workload leaves a choice. Each workload looks at what applies to it (see {@link
 * #keys}); two methods that are alike in that are one and the same to it.
 *
 * @param attach what is attached to a probe
 * @param scope whom a probe watches
 * @param altstack what a handler does to the alternate stack
 * @param call how a signal is raised
 */
public record Method(Attach attach, Scope scope, Altstack altstack, Call call) {
    /** What a campaign gets that says nothing. */
    public static final Method DEFAULT = new Method(Attach.BPF, Scope.SYSTEM, Altstack.SAME, Call.DIRECT);

    /** What is attached to a probe. */
    public enum Attach implements Spelled {
        /** A BPF program that counts hits in a per-CPU map. */
        @JsonProperty("bpf")
        BPF("bpf"),
        /** Counting perf events, one a CPU or thread, each a consumer of its own. */
        @JsonProperty("perf")
        PERF("perf");

        private final String spelling;

        Attach(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** Whom a probe watches. */
    public enum Scope implements Spelled {
        /** All processes: the filter's lock is skipped since Linux 6.10 (commit cdf355cc60e3). */
        @JsonProperty("system")
        SYSTEM("system"),
        /** The measured processes alone: the filter's rwlock is taken for reading at each hit. */
        @JsonProperty("pid")
        PID("pid");

        private final String spelling;

        Scope(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** What a handler does to the alternate stack. */
    public enum Altstack implements Spelled {
        /**
         * Nothing: the return updates nothing and takes no lock. On x86 that is due to commit 6c3118c32129 from Linux
         * 5.16 on, and since 6.12 (commit d10b554919d4) to the refusal to change a stack that is in force.
         */
        @JsonProperty("same")
        SAME("same"),
        /**
         * It sets the other one of two, so the return must update, on x86 under the process's siglock. The stacks carry
         * SS_AUTODISARM, so each delivery takes them out of force: work of the thread's own beside the lock.
         */
        @JsonProperty("swap")
        SWAP("swap");

        private final String spelling;

        Altstack(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** How a signal is raised. */
    public enum Call implements Spelled {
        /** tgkill(2) alone. */
        @JsonProperty("direct")
        DIRECT("direct"),
        /** raise(3) of the C library, with the system calls that it adds. */
        @JsonProperty("libc")
        LIBC("libc");

        private final String spelling;

        Call(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** The keys and spellings that matter to a workload, in the order of the trigger's run line. */
    public Map<String, String> keys(Workload workload) {
        Map<String, String> keys = new LinkedHashMap<>();
        if (workload.kind().isProbe()) {
            keys.put("attach", attach.spelling());
            keys.put("scope", scope.spelling());
        }
        if (workload.kind() == Workload.Kind.ALTSTACK) {
            keys.put("altstack", altstack.spelling());
        }
        if (workload.kind().isSignal()) {
            keys.put("call", call.spelling());
        }
        return keys;
    }
}
