package io.trapline.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory that a run is kept in: {@code campaign.yaml} as it was read, {@code journal.jsonl}, and later the
 * reports. It belongs to one campaign for ever, and to one run at a time.
 */
public final class RunDirectory implements Closeable {
    private static final String CAMPAIGN = "campaign.yaml";
    private static final String JOURNAL = "journal.jsonl";

    private final Path path;
    private final JournalWriter writer;
    private final Optional<Journal> earlier;

    private RunDirectory(Path path, JournalWriter writer, Optional<Journal> earlier) {
        this.path = path;
        this.writer = writer;
        this.earlier = earlier;
    }

    /**
     * Makes a directory for a run, or takes up the one that it was broken off in. Nothing that is there is ever
     * overwritten.
     *
     * @param campaign the campaign's name, for messages
     * @param file the campaign file, byte for byte
     * @param resume whether to go on where an earlier run of the same campaign ended; without one it starts anew
     * @throws JournalException when the directory holds something else, the same campaign without {@code resume}, or a
     *     run that is under way
     * @throws IOException naming the file that can't be written
     */
    public static RunDirectory open(Path path, String campaign, byte[] file, boolean resume) throws IOException {
        create(path);
        refuseForeign(path);
        refuseOther(path, campaign, file);
        JournalWriter writer = JournalWriter.open(path.resolve(JOURNAL));
        try {
            refuseOther(path, campaign, file);
            if (!Files.exists(path.resolve(CAMPAIGN))) {
                keep(path, file);
            }
            return new RunDirectory(path, writer, earlier(path, campaign, file, resume, writer));
        } catch (IOException e) {
            writer.close();
            throw e;
        }
    }

    /**
     * Reads the journal of a directory that a run was kept in.
     *
     * @throws JournalException when it is no such directory, or its journal can't be used
     */
    public static Journal read(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            throw new JournalException(path + (Files.exists(path) ? " is no directory" : ": no such directory")
                    + "; give the output directory of a run");
        }
        if (!Files.exists(path.resolve(JOURNAL))) {
            throw new JournalException(path + " holds no " + JOURNAL
                    + ", so no run was recorded there; give the output directory of a run");
        }
        return JournalReader.read(path.resolve(JOURNAL));
    }

    /** The SHA-256 of a campaign file, as {@link JournalRecord.Run} records it. */
    public static String sha256(byte[] file) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }

    /** The directory. */
    public Path path() {
        return path;
    }

    /** Where this run's records go. */
    public JournalWriter journal() {
        return writer;
    }

    /** What was recorded before this run; empty when there was nothing, and it must begin with a run record. */
    public Optional<Journal> earlier() {
        return earlier;
    }

    /** Gives the directory free for other runs. */
    @Override
    public void close() throws IOException {
        writer.close();
    }

    private static void create(Path path) throws IOException {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new JournalException(path + " is no directory; choose another output directory");
        }
        try {
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new IOException("the output directory can't be made: " + Failure.of(path, e), e);
        }
    }

    /** Someone's home directory is not to be strewn with reports because of a slip. */
    private static void refuseForeign(Path path) throws IOException {
        if (Files.exists(path.resolve(CAMPAIGN)) || Files.exists(path.resolve(JOURNAL))) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            Optional<Path> found = files.sorted().findFirst();
            if (found.isPresent()) {
                throw new JournalException(path + " holds " + found.get().getFileName()
                        + " and no run; choose an output directory that is new or empty");
            }
        }
    }

    private static void refuseOther(Path path, String campaign, byte[] file) throws IOException {
        try {
            byte[] kept = Files.readAllBytes(path.resolve(CAMPAIGN));
            if (!Arrays.equals(kept, file)) {
                throw other(path, campaign, file, sha256(kept));
            }
        } catch (NoSuchFileException e) {
            // not taken by a campaign yet
        }
    }

    private static JournalException other(Path path, String campaign, byte[] file, String sha256) {
        return new JournalException(path + " holds another campaign: its file's SHA-256 is " + sha256.substring(0, 12)
                + ", that of " + campaign + " is " + sha256(file).substring(0, 12)
                + "; choose another output directory");
    }

    /** Written aside, synced and renamed: either it is there whole, or not at all. */
    private static void keep(Path path, byte[] file) throws IOException {
        Path target = path.resolve(CAMPAIGN);
        AtomicFile.write(target, file);
        try (FileChannel directory = FileChannel.open(path, StandardOpenOption.READ)) {
            directory.force(true);
        } catch (IOException e) {
            throw new IOException("the output directory can't be synced: " + Failure.of(path, e), e);
        }
    }

    private static Optional<Journal> earlier(
            Path path, String campaign, byte[] file, boolean resume, JournalWriter writer) throws IOException {
        if (writer.isEmpty()) {
            return Optional.empty();
        }
        if (!resume) {
            throw new JournalException(path + " holds a run of this campaign already; --resume goes on with it, or"
                    + " choose another output directory");
        }
        Journal journal = JournalReader.read(path.resolve(JOURNAL));
        if (!journal.run().sha256().equals(sha256(file))) {
            throw other(path, campaign, file, journal.run().sha256());
        }
        return Optional.of(journal);
    }
}
