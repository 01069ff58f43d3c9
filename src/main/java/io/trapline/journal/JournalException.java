package io.trapline.journal;

import java.io.IOException;

/** A journal, or a run's directory, that can't be used. The message names the file, what was found and what would do. */
public final class JournalException extends IOException {
    private static final long serialVersionUID = 1L;

    /** A message that is complete in itself. */
    public JournalException(String message) {
        super(message);
    }

    /** The same, caused by something. */
    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
