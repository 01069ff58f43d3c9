package io.trapline.host;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What its owner calls a host by: {@code rack=b}. Keys and values are such that a selector can name them. */
public final class Labels {
    /** A key: letters, digits and inner . _ -, at most 63. */
    public static final String KEY = "[A-Za-z0-9](?:[\\w.-]{0,61}[A-Za-z0-9])?";

    private static final Pattern LABEL = Pattern.compile("(" + KEY + ")=([^\\s=<>!,&|]{1,63})");

    private Labels() {}

    /**
     * Labels by key.
     *
     * @param texts each {@code KEY=VALUE}
     * @throws IllegalArgumentException for a text of another form, or a key that is there twice
     */
    public static Map<String, String> parse(List<String> texts) {
        Map<String, String> labels = new TreeMap<>();
        for (String text : texts) {
            Matcher form = LABEL.matcher(text);
            if (!form.matches()) {
                throw new IllegalArgumentException(
                        "\"" + text + "\" is no label; its form is KEY=VALUE, such as rack=b:"
                                + " a key of letters, digits and inner . _ -, a value without blanks and any of = < > ! , & |,"
                                + " each at most 63 long");
            }
            if (labels.put(form.group(1), form.group(2)) != null) {
                throw new IllegalArgumentException("the label " + form.group(1) + " is given twice; keep one of them");
            }
        }
        return labels;
    }
}
