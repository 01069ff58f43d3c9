package io.trapline.host.guest;

/** A guest can't be had: its kernel, its emulator or its boot. The message names the place, what was found, the fix. */
public final class GuestException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A message for people. */
    public GuestException(String message) {
        super(message);
    }
}
