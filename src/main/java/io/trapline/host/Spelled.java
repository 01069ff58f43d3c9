package io.trapline.host;

/** A value that has one spelling in campaign files, on the trigger's wire, and in reports. */
public interface Spelled {
    /** That spelling. */
    String spelling();
}
