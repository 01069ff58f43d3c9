package io.trapline.cli;

/** Campaigns for tests of processes. */
final class Campaigns {
    private Campaigns() {}

    /** Two paths that need no rights, on one CPU. */
    static String oneOfEach(String measure, int rounds) {
        return """
                apiVersion: trapline/v1
                kind: Campaign
                metadata: {name: test}
                spec:
                  paths:
                    - {name: locked, variant: {altstack: swap}}
                    - {name: lockless, variant: {altstack: same}}
                  workloads: [signal-altstack]
                  cpus: [1]
                  timing: {warmup: 20ms, interval: 50ms, measure: %s, rounds: %d}
                """.formatted(measure, rounds);
    }
}
