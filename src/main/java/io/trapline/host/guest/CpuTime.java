package io.trapline.host.guest;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * What the scheduler has given to a process.
 *
 * @param threads what each of its threads was given, by thread id
 */
record CpuTime(Map<String, Share> threads) {
    private static final Share NOTHING = new Share(0, 0);

    CpuTime {
        threads = Map.copyOf(threads);
    }

    /**
     * What one thread was given.
     *
     * @param ranNs how long it ran, in nanoseconds
     * @param waitedNs how long it could have run and waited for a CPU
     */
    record Share(long ranNs, long waitedNs) {
        /** By the first two numbers of a schedstat file (Documentation/scheduler/sched-stats.rst); empty for all else. */
        static Optional<Share> parse(String schedstat) {
            String[] fields = schedstat.strip().split(" ", -1);
            try {
                return fields.length < 2
                        ? Optional.empty()
                        : Optional.of(new Share(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    /** By /proc/PID/task/TID/schedstat; without the threads for which it can't be read. */
    static CpuTime of(long pid) {
        Map<String, Share> threads = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                share(task).ifPresent(share -> threads.put(task.getFileName().toString(), share));
            }
        } catch (IOException | DirectoryIteratorException e) {
            return new CpuTime(threads); // it has ended
        }
        return new CpuTime(threads);
    }

    private static Optional<Share> share(Path task) {
        try {
            return Share.parse(Files.readString(task.resolve("schedstat")));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    /** How long its threads have run since then, all together, in nanoseconds. */
    long ranSince(CpuTime then) {
        return since(then, Share::ranNs).sum();
    }

    /**
     * How long the one of its threads that waited longest has waited for a CPU since then, in nanoseconds. The sum would
     * have one moment as often as threads waited in it, and a guest whose CPUs all spin would seem to wait for ever.
     */
    long waitedSince(CpuTime then) {
        return since(then, Share::waitedNs).max().orElse(0);
    }

    /** One figure a thread; those that ended meanwhile take theirs with them. */
    private LongStream since(CpuTime then, ToLongFunction<Share> figure) {
        return threads.entrySet().stream()
                .mapToLong(thread -> figure.applyAsLong(thread.getValue())
                        - figure.applyAsLong(then.threads.getOrDefault(thread.getKey(), NOTHING)))
                .map(given -> Math.max(0, given)); // an id may have been given to another thread
    }
}
