package io.trapline.trigger;

/** The native program can't be had, or does not do what its protocol says. The message names it and the way out. */
public final class TriggerException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean late;

    /** A message that names the place, what was found there, and the fix. */
    public TriggerException(String message) {
        this(message, false);
    }

    private TriggerException(String message, boolean late) {
        super(message);
        this.late = late;
    }

    /** For a program that did not do in time what it was waited for; the message says what and how long. */
    public static TriggerException late(String message) {
        return new TriggerException(message, true);
    }

    /** Whether a deadline passed. */
    public boolean isLate() {
        return late;
    }
}
