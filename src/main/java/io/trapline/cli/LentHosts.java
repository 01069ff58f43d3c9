package io.trapline.cli;

import io.trapline.cluster.Claim;
import io.trapline.cluster.WorkerNode.Lent;
import io.trapline.host.Host;
import io.trapline.host.LocalHost;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a worker lends, and its claim to it: this machine, or hosts that are none. */
final class LentHosts implements AutoCloseable {
    private final List<Lent> hosts;
    private final Claim claim;

    private LentHosts(List<Lent> hosts, Claim claim) {
        this.hosts = hosts;
        this.claim = claim;
    }

    /**
     * This machine, which one worker at a time has.
     *
     * @param name the host's name; empty for the machine's own
     * @param purpose what others are told who want it too
     */
    static LentHosts machine(Optional<String> name, Map<String, String> labels, String purpose)
            throws CommandFailure, IOException {
        Claim claim = ThisMachine.take(purpose);
        try {
            Host host = LocalHost.open(TriggerProgram.find());
            return new LentHosts(List.of(lent(host, name.orElse(host.profile().name()), labels)), claim);
        } catch (TriggerException e) {
            claim.close();
            throw CommandFailure.of(e);
        }
    }

    /**
     * Simulated hosts; as many workers may have such as have directories of their own.
     *
     * @param name what their names begin with
     * @param data the worker's directory
     */
    static LentHosts simulated(SimulatedOption asked, String name, Map<String, String> labels, Path data)
            throws CommandFailure, IOException {
        List<Host> hosts = asked.open(name);
        Claim claim = Claim.take(
                data.resolve("worker.lock"),
                "the directory " + data,
                "the worker of process " + ProcessHandle.current().pid());
        return new LentHosts(
                hosts.stream()
                        .map(host -> lent(host, host.profile().name(), labels))
                        .toList(),
                claim);
    }

    private static Lent lent(Host host, String name, Map<String, String> labels) {
        Map<String, String> all = new TreeMap<>(host.profile().labels());
        all.putAll(labels);
        return new Lent(host, host.profile().named(name).labelled(all));
    }

    List<Lent> hosts() {
        return hosts;
    }

    /** Their names, as few words as do. */
    @Override
    public String toString() {
        String first = hosts.get(0).profile().name();
        return hosts.size() == 1 ? "the host " + first + " joins" : hosts.size() + " hosts from " + first + " on join";
    }

    @Override
    public void close() throws IOException {
        hosts.forEach(lent -> lent.host().close());
        claim.close();
    }
}
