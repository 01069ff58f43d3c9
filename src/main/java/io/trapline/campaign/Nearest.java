package io.trapline.campaign;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which of the known words somebody meant. */
final class Nearest {
    /** Known words are short; what is longer than this is no typing error. */
    private static final int LONGEST = 64;

    /** One letter begins too many words. */
    private static final int SHORTEST_BEGINNING = 2;

    private Nearest() {}

    /** The nearest of the known words that are likely meant. */
    static Optional<String> to(String read, Collection<String> known) {
        return inOrder(read, known).stream()
                .limit(1)
                .filter(k -> isLikely(read, k))
                .findFirst();
    }

    /** The known words, likely ones first and then nearest first; equally near ones keep their order. */
    static List<String> inOrder(String read, Collection<String> known) {
        return known.stream()
                .sorted(Comparator.comparing((String k) -> !isLikely(read, k)).thenComparingInt(k -> distance(read, k)))
                .toList();
    }

    /** Whether a known word was meant: a third of what was read may differ, rounded, or it was cut off. */
    private static boolean isLikely(String read, String known) {
        int allowed = Math.max(1, (Math.min(read.length(), LONGEST) + 1) / 3);
        boolean cutOff = read.length() >= SHORTEST_BEGINNING && folded(known).startsWith(folded(read));
        return cutOff || distance(read, known) <= allowed;
    }

    /**
     * How many letters must be put in, left out, replaced or swapped with their neighbour to make one word the other
     * (optimal string alignment); capitals count as small letters.
     */
    static int distance(String one, String other) {
        String a = folded(one);
        String b = folded(other);
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (swapped(a, i, b, j)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }

    private static boolean swapped(String a, int i, String b, int j) {
        return i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    }

    private static String folded(String word) {
        return word.substring(0, Math.min(word.length(), LONGEST)).toLowerCase(Locale.ROOT);
    }
}
