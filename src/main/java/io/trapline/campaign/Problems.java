package io.trapline.campaign;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Collects what is wrong in one file, so that all of it can be told at once. */
final class Problems {
    private record Found(Place place, Problem problem) {}

    private final String file;
    private final List<Found> found = new ArrayList<>();

    /** For the file of that name, as its user spelled it. */
    Problems(String file) {
        this.file = file;
    }

    /** Notes a problem that has no obvious fix. */
    void add(Place place, String message) {
        found.add(new Found(place, new Problem(spell(place), message, Optional.empty())));
    }

    /** Notes a problem and what would be right. */
    void add(Place place, String message, String fix) {
        found.add(new Found(place, new Problem(spell(place), message, Optional.of(fix))));
    }

    /** How many there are so far. */
    int count() {
        return found.size();
    }

    /** {@code quick.yaml:7:12}. */
    String spell(Place place) {
        return file + ":" + place.line() + ":" + place.column();
    }

    /** Throws if there is a problem, with all of them in the file's order. */
    void throwIfAny() throws CampaignException {
        if (!found.isEmpty()) {
            throw new CampaignException(found.stream()
                    .sorted(Comparator.comparing(Found::place))
                    .map(Found::problem)
                    .distinct() // what the campaign says for all paths is read once for each
                    .toList());
        }
    }
}
