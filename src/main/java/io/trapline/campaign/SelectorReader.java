package io.trapline.campaign;

import io.trapline.campaign.Selector.Op;
import io.trapline.campaign.Selector.Term;
import io.trapline.host.Labels;
import io.trapline.host.Spelled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code TERM and TERM ...}, where a term is a key, a comparison and a value: {@code kernel>=6.15}. */
final class SelectorReader {
    private static final int MAX_LENGTH = 1000;
    private static final Pattern AND = Pattern.compile("\\s+and\\s+");
    private static final Pattern TERM =
            Pattern.compile("\\s*([A-Za-z][\\w.-]*)\\s*(!=|>=|<=|=|>|<)\\s*([^\\s=<>!,&|]+)\\s*");
    private static final Pattern VERSION = Pattern.compile("\\d{1,9}(\\.\\d{1,9}){0,3}");
    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

    private final Value value;
    private final List<Term> terms = new ArrayList<>();

    private SelectorReader(Value value) {
        this.value = value;
    }

    /** The selector of a path's mapping {@code {select: ...}}; empty after all that is wrong in it was noted. */
    static Optional<Selector> ofPath(Value value) {
        return Section.of(value, Keys.HOSTS_OF_PATH, value.problems())
                .required("select", "kernel>=6.15", SelectorReader::read);
    }

    /** The selector of a text; empty after all that is wrong in it was noted. */
    static Optional<Selector> read(Value value) {
        return value.text().flatMap(text -> new SelectorReader(value).read(text));
    }

    private Optional<Selector> read(String text) {
        int before = value.problems().count();
        if (text.length() > MAX_LENGTH) {
            value.refuse("has " + text.length() + " characters; at most " + MAX_LENGTH + " are allowed");
            return Optional.empty();
        }
        int from = 0;
        for (Matcher and = AND.matcher(text); and.find(); from = and.end()) {
            term(text.substring(from, and.start()), from);
        }
        term(text.substring(from), from);
        return value.problems().count() == before ? Optional.of(new Selector(terms)) : Optional.empty();
    }

    private void term(String text, int at) {
        Matcher m = TERM.matcher(text);
        if (text.isBlank()) {
            refuse(at, "a term is missing here", "such as arch=x86_64");
            return;
        }
        if (!m.matches()) {
            String shape = Quoted.of(text.strip())
                    + " is no term; a term is KEY OP VALUE with one of = != >= <= > <, and terms are joined by and";
            if (text.contains("==")) {
                refuse(at, shape, "write " + text.strip().replace("==", "="));
            } else {
                refuse(at, shape, "such as kernel>=6.15 and arch=x86_64");
            }
            return;
        }
        Optional<String> label = label(m.group(1));
        Optional<Selector.Key> key =
                label.isPresent() ? Optional.of(Selector.Key.LABEL) : find(Selector.Key.values(), m.group(1));
        if (key.isEmpty()) {
            unknownKey(at + m.start(1), m.group(1));
            return;
        }
        Op op = find(Op.values(), m.group(2)).orElseThrow();
        if (!key.get().ordered() && op != Op.EQUAL && op != Op.NOT_EQUAL) {
            refuse(
                    at + m.start(2),
                    m.group(1) + " can only be compared with = and !=",
                    "write " + m.group(1) + "=" + m.group(3));
        } else if (valueFits(key.get(), m.group(3), at + m.start(3))) {
            terms.add(new Term(key.get(), label.orElse(""), op, m.group(3)));
        }
    }

    private static Optional<String> label(String key) {
        return Optional.of(key)
                .filter(k -> k.startsWith(Selector.LABEL_PREFIX))
                .map(k -> k.substring(Selector.LABEL_PREFIX.length()))
                .filter(k -> k.matches(Labels.KEY));
    }

    /** A key with a dot is meant to be a label, whatever stands before the dot. */
    private void unknownKey(int at, String key) {
        List<String> known = spellings(Selector.Key.values());
        int dot = key.indexOf('.');
        if (dot > 0 && dot < key.length() - 1) {
            refuse(
                    at,
                    "unknown key " + Quoted.of(key) + "; known are " + String.join(", ", known),
                    "did you mean " + Selector.LABEL_PREFIX + key.substring(dot + 1) + "?");
        } else {
            unknown(at, "unknown key", key, known);
        }
    }

    private boolean valueFits(Selector.Key key, String read, int at) {
        return switch (key) {
            case KERNEL -> matches(VERSION, read, at, "kernel is compared with a version such as 6.15 or 6.12.1");
            case CPUS, NODES -> matches(COUNT, read, at, key.spelling() + " is compared with a whole number");
            case ARCH -> known(read, at, "arch is compared with an unknown name", List.of("x86_64", "aarch64"));
            case VIRTUAL -> known(read, at, "virtual is compared with an unknown word", List.of("true", "false"));
            case HOST, LABEL -> true;
        };
    }

    private boolean matches(Pattern pattern, String read, int at, String wanted) {
        boolean fits = pattern.matcher(read).matches();
        if (!fits) {
            refuse(at, wanted + ", not with " + Quoted.of(read));
        }
        return fits;
    }

    private boolean known(String read, int at, String what, List<String> known) {
        if (!known.contains(read)) {
            unknown(at, what, read, known);
        }
        return known.contains(read);
    }

    private void unknown(int at, String what, String read, List<String> known) {
        String message =
                what + " " + Quoted.of(read) + "; known are " + String.join(", ", Nearest.inOrder(read, known));
        Nearest.to(read, known)
                .ifPresentOrElse(
                        meant -> refuse(at, message, "did you mean " + meant + "?"), () -> refuse(at, message));
    }

    private void refuse(int at, String message) {
        value.problems().add(value.place(at), value.name() + ": " + message);
    }

    private void refuse(int at, String message, String fix) {
        value.problems().add(value.place(at), value.name() + ": " + message, fix);
    }

    private static <E extends Enum<E> & Spelled> Optional<E> find(E[] all, String spelling) {
        return Arrays.stream(all).filter(e -> e.spelling().equals(spelling)).findFirst();
    }

    private static List<String> spellings(Spelled[] all) {
        return Arrays.stream(all).map(Spelled::spelling).toList();
    }
}
