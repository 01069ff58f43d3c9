package io.trapline.analysis;

/**
 * Mean and spread of some numbers, in their unit.
 *
 * @param n how many, at least 1
 * @param sd sample standard deviation, by n - 1 as the kernel's bench tool has it; 0 for one number
 */
public record Summary(int n, double mean, double sd) {

    /** Of these numbers, at least one. */
    public static Summary of(double[] numbers) {
        double sum = 0;
        for (double x : numbers) {
            sum += x;
        }
        double mean = sum / numbers.length;
        double squares = 0;
        for (double x : numbers) {
            squares += (x - mean) * (x - mean);
        }
        return new Summary(numbers.length, mean, numbers.length < 2 ? 0 : Math.sqrt(squares / (numbers.length - 1)));
    }

    /** Spread relative to the mean; 0.01 is 1 %. */
    public double relativeSd() {
        return sd / mean;
    }
}
