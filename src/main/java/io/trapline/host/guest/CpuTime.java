package io.trapline.host.guest;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the scheduler has given to a process, all its threads together.
 *
 * @param ranNs how long they ran, in nanoseconds
 * @param waitedNs how long they could have run and waited for a CPU
 */
record CpuTime(long ranNs, long waitedNs) {
    private static final CpuTime NONE = new CpuTime(0, 0);

    /** By /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst); nothing where it can't be read. */
    static CpuTime of(long pid) {
        CpuTime sum = NONE;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                sum = sum.plus(ofThread(thread));
            }
        } catch (IOException e) {
            return NONE; // it has ended
        }
        return sum;
    }

    private static CpuTime ofThread(Path thread) {
        try {
            String[] fields =
                    Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            return new CpuTime(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        } catch (IOException e) {
            return NONE; // it has ended
        }
    }

    private CpuTime plus(CpuTime other) {
        return new CpuTime(ranNs + other.ranNs, waitedNs + other.waitedNs);
    }

    /** What was given since then; threads that ended meanwhile take theirs with them. */
    CpuTime since(CpuTime then) {
        return new CpuTime(Math.max(0, ranNs - then.ranNs), Math.max(0, waitedNs - then.waitedNs));
    }
}
