package io.trapline.campaign;

import io.trapline.host.Spelled;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of the file. Each reading method yields the value, or nothing after it has noted what is wrong.
 *
 * @param name its keys from the top, for messages: {@code spec.timing.rounds}; empty for the whole document
 * @param node what was read
 * @param keyPlace where its key stands; for a list's item, where the item stands
 */
record Value(String name, Node node, Place keyPlace, Problems problems) {
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d*)");
    private static final Pattern PERCENT = Pattern.compile("(0|[1-9]\\d?)(\\.\\d{0,5}[1-9])?%");
    private static final Pattern LOOSE_PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d{1,6})?)\\s*%?");

    /** Where it begins. */
    Place place() {
        return Place.of(node);
    }

    /** Where a character of a text stands, if that can be known, else where the text begins. */
    Place place(int offset) {
        if (!(node instanceof ScalarNode scalar)) {
            return place();
        }
        int quotes = scalar.isPlain() ? 0 : 1;
        String text = scalar.getValue();
        // Escapes and folded lines make the source longer than the value.
        boolean asWritten = node.getStartMark().isPresent()
                && node.getEndMark().isPresent()
                && node.getStartMark().get().getLine()
                        == node.getEndMark().get().getLine()
                && node.getEndMark().get().getColumn()
                                - node.getStartMark().get().getColumn()
                        == text.codePointCount(0, text.length()) + 2 * quotes;
        return asWritten ? place().plus(quotes + text.codePointCount(0, offset)) : place();
    }

    /** Notes that this value is wrong. */
    void refuse(String message) {
        problems.add(place(), subject() + " " + message);
    }

    /** Notes that this value is wrong, and what would be right. */
    void refuse(String message, String fix) {
        problems.add(place(), subject() + " " + message, fix);
    }

    private String subject() {
        return name.isEmpty() ? "the document" : name;
    }

    /** The mapping, with these keys, that it must be. */
    Optional<MappingNode> mapping(List<String> keys) {
        if (node instanceof MappingNode mapping && standardTag()) {
            return Optional.of(mapping);
        }
        wrongKind("a mapping of these keys: " + String.join(", ", keys));
        return Optional.empty();
    }

    /** The items of the list that it must be; an empty one is refused. */
    List<Value> items() {
        if (!(node instanceof SequenceNode list) || !standardTag()) {
            wrongKind("a list such as [a, b]");
            return List.of();
        }
        if (list.getValue().isEmpty()) {
            refuse("is an empty list", "add an item");
        }
        List<Value> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            items.add(new Value(name + "[" + items.size() + "]", item, Place.of(item), problems));
        }
        return items;
    }

    /** Whether it is a list. */
    boolean isList() {
        return node instanceof SequenceNode;
    }

    /** The text, exactly as written; {@code 6.10} stays 6.10. */
    Optional<String> text() {
        if (!(node instanceof ScalarNode scalar) || isNull() || !standardTag()) {
            wrongKind("one value");
            return Optional.empty();
        }
        if (scalar.getValue().isBlank()) {
            refuse("is empty");
            return Optional.empty();
        }
        return Optional.of(scalar.getValue());
    }

    /** A whole number from least to most, without quotes. */
    Optional<Integer> whole(int least, int most) {
        String allowed = "allowed is " + least + " to " + most;
        Optional<String> read = text();
        if (read.isEmpty()) {
            return Optional.empty();
        }
        if (!WHOLE.matcher(read.get()).matches()) {
            refuse("is " + Quoted.of(read.get()) + ", which is no whole number; " + allowed);
        } else if (quoted()) {
            refuse("is the text " + Quoted.of(read.get()) + "; a number has no quotes", "write " + read.get());
        } else if (!between(read.get(), least, most)) {
            refuse("is " + shortened(read.get()) + "; " + allowed);
        } else {
            return read.map(Integer::valueOf);
        }
        return Optional.empty();
    }

    /** {@code true} or {@code false}. */
    Optional<Boolean> flag() {
        Optional<String> read = text();
        if (read.isPresent() && (quoted() || !List.of("true", "false").contains(read.get()))) {
            refuse("is " + Quoted.of(read.get()) + "; it is either true or false, without quotes");
            return Optional.empty();
        }
        return read.map(Boolean::valueOf);
    }

    /** A duration from least to most; a number without a unit is taken for one of milliseconds, and refused. */
    Optional<Duration> duration(Duration least, Duration most) {
        return duration(least, most, "ms");
    }

    /** The same where a number without a unit is likely one of another unit. */
    Optional<Duration> duration(Duration least, Duration most, String alone) {
        Optional<String> read = text();
        Optional<Duration> duration = read.flatMap(Durations::parse);
        if (read.isPresent() && duration.isEmpty()) {
            String message = "is " + Quoted.of(read.get())
                    + "; a duration is a whole number and ns, us, ms, s or m, without a blank";
            Durations.meant(read.get(), alone)
                    .ifPresentOrElse(
                            meant -> refuse(message, "write " + meant), () -> refuse(message, "such as 500" + alone));
        }
        boolean outside = duration.isPresent()
                && (duration.get().compareTo(least) < 0 || duration.get().compareTo(most) > 0);
        if (outside) {
            refuse("is " + read.orElseThrow() + "; allowed is " + Durations.spell(least) + " to "
                    + Durations.spell(most));
        }
        return outside ? Optional.empty() : duration;
    }

    /** A percentage such as {@code 3%}, as a part of one: 0.03. */
    Optional<Double> percentage() {
        Optional<String> read = text();
        if (read.isEmpty()) {
            return Optional.empty();
        }
        if (PERCENT.matcher(read.get()).matches()) {
            return read.map(
                    p -> new BigDecimal(p.replace("%", "")).movePointLeft(2).doubleValue());
        }
        String message = "is " + Quoted.of(read.get()) + "; a percentage is a number below 100 and %, without a blank";
        var loose = LOOSE_PERCENT.matcher(read.get().strip());
        if (loose.matches()) {
            String number = new BigDecimal(loose.group(1)).stripTrailingZeros().toPlainString();
            refuse(message, "write " + number + "%");
        } else {
            refuse(message, "such as 3%");
        }
        return Optional.empty();
    }

    /** One of an enumeration's spellings. */
    <E extends Enum<E> & Spelled> Optional<E> choice(Class<E> type) {
        List<E> all = Arrays.asList(type.getEnumConstants());
        return word(all.stream().map(Spelled::spelling).toList())
                .flatMap(w -> all.stream().filter(e -> e.spelling().equals(w)).findFirst());
    }

    /** One of two or more words. */
    Optional<String> word(List<String> known) {
        Optional<String> read = text();
        if (read.isPresent() && !known.contains(read.get())) {
            unknown(read.get(), known);
            return Optional.empty();
        }
        return read;
    }

    private void unknown(String read, List<String> known) {
        String message = "is " + Quoted.of(read) + "; known are " + String.join(", ", Nearest.inOrder(read, known));
        Nearest.to(read, known)
                .ifPresentOrElse(meant -> refuse(message, "did you mean " + meant + "?"), () -> refuse(message));
    }

    private void wrongKind(String wanted) {
        if (!standardTag()) {
            refuse("has the tag " + node.getTag() + ", which means nothing here", "leave the tag out");
        } else if (isNull()) {
            refuse("has no value; wanted is " + wanted);
        } else if (node instanceof ScalarNode scalar) {
            refuse("is the single value " + Quoted.of(scalar.getValue()) + "; wanted is " + wanted);
        } else {
            refuse("is " + (isList() ? "a list" : "a mapping") + "; wanted is " + wanted);
        }
    }

    private boolean isNull() {
        return node.getTag().equals(Tag.NULL);
    }

    private boolean standardTag() {
        return List.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ)
                .contains(node.getTag());
    }

    private boolean quoted() {
        return node instanceof ScalarNode scalar && scalar.getScalarStyle() != ScalarStyle.PLAIN;
    }

    /** Compares as 64 bits; all bounds have fewer digits than those hold. */
    private static boolean between(String number, int least, int most) {
        return number.length() < 19 && Long.parseLong(number) >= least && Long.parseLong(number) <= most;
    }

    private static String shortened(String digits) {
        return digits.length() > 24 ? digits.substring(0, 20) + "... (" + digits.length() + " digits)" : digits;
    }
}
