package io.trapline.campaign;

import java.util.Comparator;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A place in a text.
 *
 * @param line from 1
 * @param column from 1, in code points
 */
record Place(int line, int column) implements Comparable<Place> {
    /** Where a file begins. */
    static final Place START = new Place(1, 1);

    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

    /** Where the node begins; that of an alias is the place of its anchor. */
    static Place of(Node node) {
        return of(node.getStartMark());
    }

    /** The parser counts from 0. */
    static Place of(Optional<Mark> mark) {
        return mark.map(m -> new Place(m.getLine() + 1, m.getColumn() + 1)).orElse(START);
    }

    /** The place so many code points further in the same line. */
    Place plus(int columns) {
        return new Place(line, column + columns);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
