package io.trapline.host;

import io.trapline.trigger.TriggerException;
import java.util.Optional;

/** Reads the kernel's lists of CPUs, which a profile holds as text. */
final class KernelText {
    /** What nohz_full holds when there is no such list: the kernel prints a mask that it does not have. */
    private static final String NO_MASK = "(null)";

    private KernelText() {}

    /**
     * A list of CPUs; empty when the file was not there or the kernel had no list to print.
     *
     * @throws TriggerException when it is no list, naming the profile's field
     */
    static Optional<CpuSet> cpus(String field, Optional<String> text) throws TriggerException {
        if (text.isEmpty() || text.get().strip().equals(NO_MASK)) {
            return Optional.empty();
        }
        try {
            return Optional.of(CpuSet.parse(text.get()));
        } catch (IllegalArgumentException e) {
            throw new TriggerException(
                    "the profile's field " + field + " is no list of CPUs such as 0-3,8: " + e.getMessage());
        }
    }
}
