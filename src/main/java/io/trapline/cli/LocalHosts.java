package io.trapline.cli;

import io.trapline.campaign.Campaign;
import io.trapline.campaign.CampaignException;
import io.trapline.campaign.Problem;
import io.trapline.host.GuestHost;
import io.trapline.host.Host;
import io.trapline.host.HostProfile;
import io.trapline.host.LocalHost;
import io.trapline.host.guest.Arch;
import io.trapline.host.guest.DebianKernels;
import io.trapline.host.guest.Guest;
import io.trapline.host.guest.GuestException;
import io.trapline.host.guest.GuestSpec;
import io.trapline.trigger.TriggerException;
import io.trapline.trigger.TriggerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** What a campaign needs of this machine: the machine itself, and a guest for each path that has a kernel. */
final class LocalHosts implements AutoCloseable {
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private final List<Host> hosts = new ArrayList<>();
    private Optional<String> noKvm = Optional.empty();

    /** Opens hosts for a campaign. */
    interface Opener {
        /**
         * Opens them, which takes some seconds a guest.
         *
         * @param consoles the directory that guests' consoles are kept in
         */
        LocalHosts open(Path consoles) throws CommandFailure, IOException;
    }

    private LocalHosts() {}

    /** Whether a campaign needs more than the machine itself. */
    static boolean needsGuests(Campaign campaign) {
        return campaign.paths().stream().anyMatch(path -> path.guest().isPresent());
    }

    /** Looks at the kernels that are given as files, before anything is started. */
    static void checkKernels(Campaign campaign) throws CampaignException {
        List<Problem> problems = new ArrayList<>();
        for (Campaign.Path path : campaign.paths()) {
            path.guest().map(GuestSpec::kernel).flatMap(LocalHosts::whyUnfit).ifPresent(why -> {
                String place = campaign.places().paths().get(path.name());
                problems.add(new Problem(place, "the kernel of path " + path.name() + ": " + why, Optional.empty()));
            });
        }
        if (!problems.isEmpty()) {
            throw new CampaignException(problems);
        }
    }

    private static Optional<String> whyUnfit(GuestSpec.KernelSource kernel) {
        try {
            if (kernel instanceof GuestSpec.KernelSource.Image image) {
                Guest.check(image);
            }
            return Optional.empty();
        } catch (GuestException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Opens what the campaign needs, guests one after the other: they share this machine's CPUs.
     *
     * @param consoles the directory that guests' consoles are kept in
     * @param say tells people what takes its time
     */
    static LocalHosts open(Campaign campaign, Path consoles, Consumer<String> say) throws CommandFailure, IOException {
        LocalHosts opened = new LocalHosts();
        boolean all = false;
        try {
            Path program = TriggerProgram.find();
            if (campaign.paths().stream().anyMatch(path -> path.guest().isEmpty())) {
                opened.hosts.add(LocalHost.open(program));
            }
            String machine = Files.readString(HOSTNAME).strip();
            for (Campaign.Path path : campaign.paths()) {
                if (path.guest().isPresent()) {
                    opened.boot(path.name(), path.guest().get(), machine, program, consoles, say);
                }
            }
            all = true;
            return opened;
        } catch (TriggerException e) {
            throw CommandFailure.of(e);
        } catch (GuestException e) {
            throw new CommandFailure(ExitCode.NO_HOSTS, e.getMessage());
        } finally {
            if (!all) {
                opened.close();
            }
        }
    }

    /** Hosts that are none. */
    static LocalHosts simulated(SimulatedOption asked) throws CommandFailure {
        LocalHosts opened = new LocalHosts();
        opened.hosts.addAll(asked.open(SimulatedOption.NAME));
        return opened;
    }

    private void boot(String path, GuestSpec guest, String machine, Path program, Path consoles, Consumer<String> say)
            throws GuestException {
        say.accept("booting the guest of path " + path + ": " + guest.kernel());
        Guest.Parts parts = new Guest.Parts(
                guest,
                program,
                DebianKernels.ofUser(),
                console(consoles, path),
                noKvm,
                line -> say.accept(path + ": " + line));
        long begin = System.nanoTime();
        GuestHost host = GuestHost.open(new GuestHost.Order(path, machine, parts));
        hosts.add(host);
        HostProfile profile = host.profile();
        if (Arch.named(profile.arch()).equals(Arch.here())) {
            noKvm = noKvm.or(() -> profile.guest().flatMap(HostProfile.Guest::noKvm));
        }
        double took = (System.nanoTime() - begin) / 1e9;
        say.accept(String.format(
                Locale.ROOT,
                "%s runs Linux %s (%s) under %s, ready in %.1f s",
                profile.name(),
                profile.kernel().release(),
                profile.arch(),
                profile.guest().orElseThrow().accelerator().spelling(),
                took));
    }

    /** The file that the console of that path's guest is kept in. */
    private static Path console(Path consoles, String path) {
        return consoles.resolve("console-" + path + ".log");
    }

    List<Host> hosts() {
        return List.copyOf(hosts);
    }

    List<HostProfile> profiles() {
        return hosts.stream().map(Host::profile).toList();
    }

    /** Closes them all, whether or not one of them fails to. */
    @Override
    public void close() {
        close(0);
    }

    private void close(int from) {
        if (from < hosts.size()) {
            try {
                hosts.get(from).close();
            } finally {
                close(from + 1);
            }
        }
    }
}
