package io.trapline.campaign;

import io.trapline.host.HostProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds for each host the paths that live there. */
final class HostSelection {
    /** A host with at least one path. */
    record Chosen(HostProfile host, List<Campaign.Path> paths) {}

    private final Campaign campaign;
    private final List<HostProfile> hosts;

    private HostSelection(Campaign campaign, List<HostProfile> hosts) {
        this.campaign = campaign;
        this.hosts = hosts;
    }

    /**
     * The hosts that have something to do, in the order given.
     *
     * @throws NoHostException when a path has no host
     */
    static List<Chosen> of(Campaign campaign, List<HostProfile> hosts) throws NoHostException {
        HostSelection selection = new HostSelection(campaign, hosts);
        selection.checkEachPathHasOne();
        return hosts.stream()
                .map(host -> new Chosen(host, selection.paths(host)))
                .filter(chosen -> !chosen.paths().isEmpty())
                .toList();
    }

    private List<Campaign.Path> paths(HostProfile host) {
        return campaign.paths().stream()
                .filter(path -> whyNot(host, path).isEmpty())
                .toList();
    }

    private void checkEachPathHasOne() throws NoHostException {
        List<String> lines = new ArrayList<>();
        if (hosts.isEmpty()) {
            lines.add(campaign.places().hosts() + ": no host is selected: there is none");
        } else if (hosts.stream().allMatch(host -> whyNot(host).isPresent())) {
            lines.add(campaign.places().hosts() + ": no host is selected by "
                    + campaign.select().orElseThrow());
            hosts.forEach(host -> lines.add(line(host, whyNot(host))));
        } else {
            campaign.paths().stream()
                    .filter(path ->
                            hosts.stream().allMatch(host -> whyNot(host, path).isPresent()))
                    .forEach(path -> {
                        String place = campaign.places().paths().get(path.name());
                        lines.add(place + ": no host is selected for path " + path.name());
                        hosts.forEach(host -> lines.add(line(host, whyNot(host, path))));
                    });
        }
        if (!lines.isEmpty()) {
            throw new NoHostException(String.join("\n", lines));
        }
    }

    private static String line(HostProfile host, Optional<String> whyNot) {
        return "  " + host.name() + ": " + whyNot.orElseThrow();
    }

    private Optional<String> whyNot(HostProfile host) {
        return campaign.select().flatMap(select -> select.whyNot(host));
    }

    /** A guest is there for one path, and a path with a kernel for its guests. */
    private static Optional<String> otherGuest(HostProfile host, Campaign.Path path) {
        Optional<String> livesHere = host.guest().map(HostProfile.Guest::path);
        if (livesHere.isEmpty()) {
            return path.guest().map(guest -> "it is not a guest with kernel " + guest.kernel());
        }
        return livesHere
                .filter(name -> path.guest().isEmpty() || !name.equals(path.name()))
                .map(name -> "it is the guest of path " + name);
    }

    private Optional<String> whyNot(HostProfile host, Campaign.Path path) {
        return whyNot(host)
                .or(() -> otherGuest(host, path))
                .or(() -> path.select().flatMap(select -> select.whyNot(host)));
    }
}
