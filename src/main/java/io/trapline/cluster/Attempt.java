package io.trapline.cluster;

/**
 * One try at a trial: what every message about it names.
 *
 * @param trial the trial's id in the plan
 * @param number from 1
 */
public record Attempt(String trial, int number) {
    @Override
    public String toString() {
        return "trial " + trial + " attempt " + number;
    }
}
