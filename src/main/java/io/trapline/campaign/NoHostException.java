package io.trapline.campaign;

/** A campaign, or a path of it, for which there is no host; the message tells of each host why it is not meant. */
public final class NoHostException extends Exception {
    private static final long serialVersionUID = 1L;

    NoHostException(String message) {
        super(message);
    }
}
