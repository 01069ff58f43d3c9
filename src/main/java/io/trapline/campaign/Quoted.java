package io.trapline.campaign;

/** What was read, made fit for one line of a message. */
final class Quoted {
    private static final int LONGEST = 60;

    private Quoted() {}

    /** In quotes, control characters escaped, cut when it is long. */
    static String of(String read) {
        StringBuilder text = new StringBuilder("\"");
        read.codePoints().limit(LONGEST).forEach(c -> append(text, c));
        return text.append(read.codePointCount(0, read.length()) > LONGEST ? "..." : "")
                .append('"')
                .toString();
    }

    private static void append(StringBuilder text, int codePoint) {
        switch (codePoint) {
            case '\n' -> text.append("\\n");
            case '\t' -> text.append("\\t");
            case '"', '\\' -> text.append('\\').appendCodePoint(codePoint);
            default -> {
                if (Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.FORMAT) {
                    text.append(String.format("\\u%04x", codePoint));
                } else {
                    text.appendCodePoint(codePoint);
                }
            }
        }
    }
}
