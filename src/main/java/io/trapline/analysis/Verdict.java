package io.trapline.analysis;

/** What a trial, a cell or a run is worth. */
public enum Verdict {
    /** All was measured, and all that was checked held. */
    VALID,
    /** Something is missing. */
    INCOMPLETE,
    /** Something was measured that can't be right. */
    INVALID;

    /** The worse of two. */
    public Verdict and(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
