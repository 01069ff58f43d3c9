package io.trapline.journal;

import static io.trapline.trigger.PlainScanner.ascii;

import io.trapline.trigger.IntervalLine;
import io.trapline.trigger.PlainScanner;
import io.trapline.trigger.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The line of a reading, as nearly all lines of a journal are: written, and recognised, without a general parser, which
 * would spend several seconds on a million of them. A line in any other form is not recognised, which is no error: it is
 * then read as all other records are.
 */
final class ReadingLine {
    private static final String BEGIN = "{\"type\":\"said\",\"trial\":\"";
    private static final String ATTEMPT = ",\"attempt\":";
    private static final String REPLY = ",\"reply\":";
    private static final String END = "}";

    private static final byte[] BEGIN_BYTES = ascii(BEGIN);
    private static final byte[] ATTEMPT_BYTES = ascii(ATTEMPT);
    private static final byte[] REPLY_BYTES = ascii(REPLY);
    private static final byte[] END_BYTES = ascii(END);

    private final PlainScanner scanner = new PlainScanner();
    private final IntervalLine interval = new IntervalLine(scanner);

    /** The line's reading; empty when it is in any other form. */
    Optional<JournalRecord> read(byte[] bytes, int from, int length) {
        scanner.begin(bytes, from, length);
        if (!(scanner.literal(BEGIN_BYTES)
                && scanner.text()
                && scanner.literal(ATTEMPT_BYTES)
                && scanner.number()
                && scanner.lastNumber() <= Integer.MAX_VALUE)) {
            return Optional.empty();
        }
        String trial = scanner.lastText();
        int attempt = (int) scanner.lastNumber();
        if (!(scanner.literal(REPLY_BYTES)
                && interval.read()
                && interval.trial().equals(trial)
                && scanner.literal(END_BYTES)
                && scanner.atEnd())) {
            return Optional.empty();
        }
        return Optional.of(new JournalRecord.Said(trial, attempt, interval.reading()));
    }

    /** The line, without its end, of a record that is a reading; empty for all others. */
    static Optional<byte[]> of(JournalRecord entry) {
        if (!(entry instanceof JournalRecord.Said said && said.reply() instanceof Reply.Interval reading)
                || !IntervalLine.isPlain(said.trial())
                || !IntervalLine.isPlain(reading.trial())) {
            return Optional.empty();
        }
        StringBuilder line = new StringBuilder(BEGIN).append(said.trial()).append('"');
        line.append(ATTEMPT).append(said.attempt()).append(REPLY);
        IntervalLine.write(reading, line);
        return Optional.of(line.append(END).toString().getBytes(StandardCharsets.US_ASCII));
    }
}
