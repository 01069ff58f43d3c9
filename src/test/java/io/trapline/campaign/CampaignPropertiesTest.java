package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.trapline.campaign.Campaign.CpuCounts;
import io.trapline.campaign.Plan.Trial;
import io.trapline.host.HostProfile;
import io.trapline.host.Placement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every campaign; a failing case is named by its seed. */
class CampaignPropertiesTest {
    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aCampaignThatIsWrittenReadsBack(long seed) throws CampaignException {
        RandomCampaign random = new RandomCampaign(new Random(seed));

        Campaign read = CampaignReader.parse("c.yaml", random.text());

        assertThat(read).usingRecursiveComparison().ignoringFields("places").isEqualTo(random.campaign());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void damageIsEitherHarmlessOrHasAPlaceInTheFile(long seed) {
        Random random = new Random(seed);
        String text = new RandomCampaign(random).text();

        for (int i = 0; i < 10; i++) {
            String damaged = damage(text, random);
            try {
                assertThat(CampaignReader.parse("c.yaml", damaged).paths()).hasSizeGreaterThan(1);
            } catch (CampaignException e) {
                assertThat(e.problems())
                        .allSatisfy(problem -> assertThat(placeIn(damaged, problem.place()))
                                .as("%s in\n%s", problem, damaged)
                                .isTrue());
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyCellIsPlannedOnceARoundAndEachPathTakesEachTurnEquallyOften(long seed) throws Exception {
        Random random = new Random(seed);
        Campaign campaign = plannable(new RandomCampaign(random).campaign(), 2 * (1 + random.nextInt(3)));
        HostProfile host = Machines.host("h", "6.12", Machines.D17_CPUSET);

        Plan plan = Planner.plan(campaign, List.of(host));

        List<String> ids = plan.trials().stream().map(Trial::id).toList();
        assertThat(ids).isEqualTo(ids.stream().distinct().sorted().toList());
        List<Integer> inOrder = plan.trials().stream().map(Trial::round).toList();
        assertThat(inOrder).isEqualTo(inOrder.stream().sorted().toList());
        Set<List<Object>> distinct = plan.trials().stream()
                .map(t -> List.<Object>of(t.cell(), t.round()))
                .collect(Collectors.toSet());
        assertThat(distinct).hasSameSizeAs(plan.trials());
        Map<Cell, Long> rounds =
                plan.trials().stream().collect(Collectors.groupingBy(Trial::cell, Collectors.counting()));
        assertThat(rounds.values()).allMatch(n -> n == campaign.rounds());
        assertThat(turns(plan, campaign.paths().size()).values()).allMatch(sum -> sum == 0);
        assertThat(Planner.plan(campaign, List.of(host))).isEqualTo(plan);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aTrialKeepsItsIdWhenLessCanBeMeasured(long seed) throws Exception {
        Campaign campaign = plannable(new RandomCampaign(new Random(seed)).campaign(), 2);
        HostProfile.Ability denied = new HostProfile.Ability("signal", false, Optional.of("no"), Optional.empty());

        Plan all = Planner.plan(campaign, List.of(Machines.host("h", "6.12", Machines.D17_CPUSET)));
        Plan less = Planner.plan(campaign, List.of(Machines.host("h", "6.12", Machines.D17_CPUSET, List.of(denied))));

        assertThat(Set.copyOf(all.trials()).containsAll(less.trials())).isTrue();
        assertThat(less.trials()).noneMatch(t -> t.cell().workload().kind().isSignal());
        assertThat(less.trials().size() + campaign.rounds() * less.unmeasured().size())
                .isEqualTo(all.trials().size());
    }

    /** For each cell, the sum over all rounds of how far its turn is from the middle one. */
    private static Map<Cell, Integer> turns(Plan plan, int paths) {
        Map<Cell, Integer> sums = new HashMap<>();
        for (int i = 0; i < plan.trials().size(); i++) {
            sums.merge(plan.trials().get(i).cell(), 2 * (i % paths) - (paths - 1), Integer::sum);
        }
        return sums;
    }

    /** The campaign on any host, with counts that the machine has. */
    private static Campaign plannable(Campaign c, int rounds) {
        return new Campaign(
                c.name(),
                c.question(),
                c.paths().stream()
                        .map(p -> new Campaign.Path(p.name(), p.method(), Optional.empty(), Optional.empty()))
                        .toList(),
                c.workloads(),
                c.models(),
                new CpuCounts.PowersOfTwo(),
                c.clip(),
                c.placement() instanceof Placement.Listed ? new Placement.Compact() : c.placement(),
                c.timing(),
                rounds,
                Optional.empty(),
                Optional.empty(),
                c.onLoss(),
                c.gate(),
                c.deadline(),
                c.places());
    }

    private static String damage(String text, Random random) {
        int at = random.nextInt(text.length());
        String signs = "\t\n :-{}[],&*#?|>!%@\"'\\0z\u0000\u00e9";
        String put = random.nextBoolean() ? "" : String.valueOf(signs.charAt(random.nextInt(signs.length())));
        return text.substring(0, at) + put + text.substring(at + random.nextInt(2));
    }

    /** Whether a place is in the text, or just after the end of a line or of the text. */
    private static boolean placeIn(String text, String place) {
        String[] parts = place.split(":", -1);
        List<String> lines = (text + "\n ").lines().toList();
        int line = Integer.parseInt(parts[1]);
        int column = Integer.parseInt(parts[2]);
        return parts[0].equals("c.yaml")
                && line >= 1
                && line <= lines.size()
                && column >= 1
                && column <= lines.get(line - 1).length() + 1;
    }
}
