package io.trapline.campaign;

import java.util.Optional;

/**
 * Something wrong in a campaign file.
 *
 * @param place file, line and column: {@code quick.yaml:7:12}
 * @param message what was read and what is allowed
 * @param fix the nearest thing that would be right
 */
public record Problem(String place, String message, Optional<String> fix) {
    @Override
    public String toString() {
        return place + ": " + message + fix.map(f -> " (" + f + ")").orElse("");
    }
}
