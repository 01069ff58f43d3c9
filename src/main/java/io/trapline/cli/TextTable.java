package io.trapline.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows under titles, in columns that are as wide as they must be.
 *
 * @param none the only line when there are no rows
 */
record TextTable(List<String> titles, List<List<String>> rows, String none) {
    private static final String GAP = "  ";

    List<String> lines() {
        if (rows.isEmpty()) {
            return List.of(none);
        }
        int[] widths = IntStream.range(0, titles.size())
                .map(column ->
                        all().mapToInt(row -> row.get(column).length()).max().orElse(0))
                .toArray();
        return all().map(row -> line(row, widths)).toList();
    }

    private Stream<List<String>> all() {
        return Stream.concat(Stream.of(titles), rows.stream());
    }

    private static String line(List<String> row, int[] widths) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(row.get(i) + " ".repeat(widths[i] - row.get(i).length()));
        }
        return String.join(GAP, cells).stripTrailing();
    }
}
