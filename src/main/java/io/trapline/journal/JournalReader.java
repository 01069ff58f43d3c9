package io.trapline.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads a journal. A last line without its newline was being written when the run died: it is left out, and said so.
 * All else that is wrong is an error with the line's number.
 */
public final class JournalReader {
    /** More would wait for the one that puts together what they parsed; and each holds a block in memory. */
    private static final int PARSERS = Math.min(4, Runtime.getRuntime().availableProcessors());

    private final Path file;
    private final JournalBuilder journal = new JournalBuilder();
    private long lines;

    private JournalReader(Path file) {
        this.file = file;
    }

    /**
     * Reads a journal whole.
     *
     * @throws JournalException naming the file, the line and what is there, when it is no journal, is of a later format
     *     than {@link JournalRecord#FORMAT}, or contradicts itself
     * @throws IOException naming the file, when it can't be read
     */
    public static Journal read(Path file) throws IOException {
        ExecutorService parsers = Executors.newFixedThreadPool(PARSERS);
        try (Blocks blocks = Blocks.of(file)) {
            return new JournalReader(file).read(blocks, parsers);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("the journal can't be read: " + Failure.of(file, e), e);
        } finally {
            parsers.shutdownNow();
        }
    }

    /** Parsing takes most of the time: each parser has a block in work, and there is one to go on with. */
    private Journal read(Blocks blocks, ExecutorService parsers) throws IOException {
        int most = PARSERS + 1;
        Queue<CompletableFuture<ParsedBlock>> ahead = new ArrayDeque<>();
        try {
            Optional<byte[]> block = blocks.next();
            for (boolean first = true; block.isPresent(); first = false, block = blocks.next()) {
                byte[] bytes = block.get();
                boolean isFirst = first;
                ahead.add(CompletableFuture.supplyAsync(() -> ParsedBlock.of(bytes, isFirst), parsers));
                addUntil(most - 1, ahead);
            }
        } catch (Blocks.TooLongException e) {
            addUntil(0, ahead);
            lines++;
            throw bad("this line is longer than any record", e);
        }
        addUntil(0, ahead);
        if (lines == 0) {
            throw new JournalException(file + " is empty"
                    + (blocks.rest() > 0 ? " but for a line that was never finished" : "")
                    + ": no run was recorded in it");
        }
        return journal.build(torn(blocks.rest()));
    }

    /** Puts blocks together until so many are left. */
    private void addUntil(int left, Queue<CompletableFuture<ParsedBlock>> ahead) throws JournalException {
        while (ahead.size() > left) {
            add(ahead.remove().join());
        }
    }

    private void add(ParsedBlock block) throws JournalException {
        for (int i = 0; i < block.records().size(); i++) {
            lines++;
            try {
                journal.add(block.records().get(i));
            } catch (IllegalArgumentException e) {
                throw bad("this line can't be: " + e.getMessage() + ": " + block.beginning(i), e);
            }
        }
        if (block.wrong().isPresent()) {
            lines++;
            throw bad(block.wrong().get().problem(), block.wrong().get().cause());
        }
    }

    private Optional<String> torn(int rest) {
        return rest == 0
                ? Optional.empty()
                : Optional.of("line " + (lines + 1) + " of the journal was never finished; its " + rest
                        + " bytes are left out");
    }

    private JournalException bad(String problem, Exception cause) {
        return new JournalException(file + ":" + lines + ": " + problem, cause);
    }
}
