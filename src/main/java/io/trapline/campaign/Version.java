package io.trapline.campaign;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Numbers with points between them. */
record Version(List<Integer> parts) {
    private static final Pattern LEADING = Pattern.compile("^\\d{1,9}(\\.\\d{1,9})*");

    Version {
        parts = List.copyOf(parts);
    }

    /** The version that a text begins with: 6.12.1 of {@code 6.12.1-cloud}; empty when it begins with no number. */
    static Optional<Version> leading(String text) {
        return LEADING.matcher(text)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .map(numbers -> new Version(Pattern.compile("\\.")
                        .splitAsStream(numbers)
                        .map(Integer::valueOf)
                        .toList()));
    }

    /** Compares only as many parts as the other has; parts that this one lacks count as 0. */
    int compareUpTo(Version other) {
        return IntStream.range(0, other.parts.size())
                .map(i -> Integer.compare(i < parts.size() ? parts.get(i) : 0, other.parts.get(i)))
                .filter(c -> c != 0)
                .findFirst()
                .orElse(0);
    }

    @Override
    public String toString() {
        return parts.stream().map(String::valueOf).collect(Collectors.joining("."));
    }
}
