package io.trapline.trigger;

/** The native program can't be had, or does not do what its protocol says. The message names it and the way out. */
public final class TriggerException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A message that names the place, what was found there, and the fix. */
    public TriggerException(String message) {
        super(message);
    }
}
