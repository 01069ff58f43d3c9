package io.trapline.http;

import java.util.List;
import java.util.Optional;

/**
 * Why a request was refused.
 *
 * @param message in a sentence
 * @param problems what is wrong in a campaign file, each with its place; none for other refusals
 */
record ErrorView(String message, List<Place> problems) {
    ErrorView {
        problems = List.copyOf(problems);
    }

    /** One problem: {@code place} is file, line and column; {@code fix} the nearest thing that would be right. */
    record Place(String place, String message, Optional<String> fix) {}
}
