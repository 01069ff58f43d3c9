package io.trapline.report;

/** Text from outside (names of hosts and CPUs, a kernel's version, messages) on its way to a terminal or a page. */
final class Plain {
    private Plain() {}

    /** Without control and formatting characters (an escape sequence, a change of writing direction), in one line. */
    static String text(String text) {
        return text.codePoints()
                .map(c -> switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> c == '\n' || c == '\t' ? ' ' : '?';
                    default -> c;
                })
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
