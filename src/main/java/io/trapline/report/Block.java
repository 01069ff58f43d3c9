package io.trapline.report;

import java.util.List;

/** A part of a report that people read; each format knows how to show each kind. */
public sealed interface Block {

    /** Running text. */
    record Paragraph(String text) implements Block {}

    /** Items, none of which needs another. */
    record Bullets(List<String> items) implements Block {
        public Bullets {
            items = List.copyOf(items);
        }
    }

    /** Labels with one or several values each. */
    record Facts(List<Fact> facts) implements Block {
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    /** A label and its values, at least one. */
    record Fact(String label, List<String> values) {
        public Fact {
            values = List.copyOf(values);
        }
    }

    /** Lines that stay as they are, to the byte. */
    record Verbatim(List<String> lines) implements Block {
        public Verbatim {
            lines = List.copyOf(lines);
        }
    }

    /** A table. */
    record Grid(List<Column> columns, List<List<String>> rows) implements Block {
        public Grid {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /**
     * A table's column.
     *
     * @param number whether its cells are numbers, which stand to the right
     */
    record Column(String title, boolean number) {}
}
