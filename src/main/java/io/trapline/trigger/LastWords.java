package io.trapline.trigger;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines of a program's standard error. Any thread may ask. */
final class LastWords {
    private static final int LINES = 20;

    private final Deque<String> lines = new ArrayDeque<>();

    synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    /** The lines, or nothing when there were none. */
    @Override
    public synchronized String toString() {
        return lines.isEmpty() ? "" : "; its last words: " + String.join(" / ", lines);
    }
}
