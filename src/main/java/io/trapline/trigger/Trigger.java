package io.trapline.trigger;

/** What runs trials: the native program, or what stands in for it. It says all to one {@link Listener}. */
public interface Trigger {
    /** Gets what a trigger says, in order and from one thread. */
    interface Listener {
        /** One reply. */
        void said(Reply reply);

        /**
         * The trigger is gone; the last call.
         *
         * @param how what it wrote that was no reply, if so; its exit status or signal by name; its last words
         */
        void ended(String how);
    }

    /** Sends a command. A trigger that is gone takes nothing any more; its listener hears of that. */
    void send(Command command);

    /** Whether it lives now; its listener may hear of its end a little later. */
    boolean isAlive();

    /** What it said on standard error last, as the end of a sentence; nothing when it said nothing. */
    String lastWords();

    /** Ends it at once; it is gone when this returns. */
    void kill();
}
