package io.trapline.campaign;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.campaign.Campaign.Gate;
import io.trapline.campaign.Campaign.OnLoss;
import io.trapline.campaign.Campaign.Places;
import io.trapline.campaign.Campaign.Together;
import io.trapline.host.Model;
import io.trapline.host.Placement;
import io.trapline.host.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;

/** Makes a campaign of a document's tree: which keys there are, and which default each has. */
final class DocumentReader {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    private static final Duration SHORTEST_RUN = Duration.ofSeconds(1);
    private static final Duration LONGEST_RUN = Duration.ofDays(7);

    private final Map<String, String> kernels;
    private final Problems problems;
    private final Section root;
    private final Section spec;

    /** @param kernels those that were given beside the file, by the path's name */
    DocumentReader(Node document, Map<String, String> kernels, Problems problems) {
        this.kernels = Map.copyOf(kernels);
        this.problems = problems;
        Value whole = new Value("", document, Place.of(document), problems);
        root = Section.of(whole, Keys.ROOT, problems);
        spec = root.section("spec", Keys.SPEC);
    }

    /** The campaign; every part is read before the first problem is told. */
    Campaign campaign() throws CampaignException {
        root.constant("apiVersion", CampaignReader.API_VERSION);
        root.constant("kind", CampaignReader.KIND);
        Optional<String> name = root.required("metadata", "{name: my-campaign}", this::name);
        Optional<String> question = spec.optional("question", Value::text);
        Optional<List<Workload>> workloads = spec.required("workloads", "[uprobe-nop]", Lists::workloads);
        TimingReader timing = new TimingReader(spec);
        PathsReader paths = new PathsReader(spec, new GuestReader(spec, timing.exact(), kernels), problems);
        List<Campaign.Path> read = paths.read(workloads.orElse(Workload.all()));
        Optional<List<Model>> models = spec.orDefault("models", List.of(Model.THREADS), Lists::models);
        Optional<CpuCounts> cpus = spec.orDefault("cpus", new CpuCounts.PowersOfTwo(), Lists::cpuCounts);
        Optional<Boolean> clip = spec.orDefault("clip", false, Value::flag);
        Optional<Placement> placement = spec.orDefault("placement", new Placement.Compact(), Lists::placement);
        HostsReader hosts = new HostsReader(spec);
        Optional<Selector> select = hosts.select();
        Optional<Together> together = hosts.together();
        if (read.stream().anyMatch(path -> path.guest().isPresent())) {
            hosts.refuseGuests();
        }
        Optional<OnLoss> onLoss = spec.orDefault("onLoss", OnLoss.REPEAT, v -> v.choice(OnLoss.class));
        Optional<Duration> deadline = spec.optional("deadline", v -> v.duration(SHORTEST_RUN, LONGEST_RUN, "s"));
        Optional<Gate> gate = spec.optional("gate", this::gate);
        if (gate.isPresent()) {
            timing.checkGate();
        }
        checkKernels(paths.places().keySet());
        problems.throwIfAny();
        return new Campaign(
                name.orElseThrow(),
                question,
                read,
                workloads.orElseThrow(),
                models.orElseThrow(),
                cpus.orElseThrow(),
                clip.orElseThrow(),
                placement.orElseThrow(),
                timing.timing(),
                timing.rounds(),
                select,
                together,
                onLoss.orElseThrow(),
                gate,
                deadline,
                new Places(
                        problems.spell(spec.place()),
                        problems.spell(spec.place("cpus")),
                        problems.spell(spec.place("placement")),
                        problems.spell(spec.place("hosts")),
                        paths.places()));
    }

    private void checkKernels(Set<String> paths) {
        kernels.keySet().stream()
                .filter(name -> !paths.contains(name))
                .forEach(name -> problems.add(
                        spec.place("paths"),
                        "a kernel was given for path " + Quoted.of(name) + "; the campaign's paths are "
                                + String.join(", ", paths)));
    }

    private Optional<String> name(Value metadata) {
        return Section.of(metadata, Keys.METADATA, problems).required("name", "my-campaign", name -> {
            Optional<String> read = name.text();
            if (read.isPresent() && !LABEL.matcher(read.get()).matches()) {
                name.refuse("is " + Quoted.of(read.get())
                        + "; allowed are a-z, 0-9 and hyphens between them, at most 63 in all");
            }
            return read;
        });
    }

    private Optional<Gate> gate(Value gate) {
        return Section.of(gate, Keys.GATE, problems)
                .required("slower", "3%", Value::percentage)
                .map(Gate::new);
    }
}
