package io.trapline.host.guest;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Unpacks what gzip has compressed, each level into a file of its own.
 *
 * @param named what messages call the image
 * @param scratch the directory for the files
 * @param levels how many have been unpacked
 * @param mostBytes how large what is unpacked may be
 */
record Unpacking(Path named, Path scratch, int levels, long mostBytes) {
    /** As an EFI zboot image that is compressed once more. */
    private static final int MOST_LEVELS = 2;

    /** Kernels are some 10 MB, those with all debugging options some 100 MB. */
    private static final long MOST_BYTES = 1L << 30;

    private static final int BUFFER = 1 << 16;

    Unpacking(Path named, Path scratch) {
        this(named, scratch, 0, MOST_BYTES);
    }

    /** For what was found in an unpacked file. */
    Unpacking inside() {
        return new Unpacking(named, scratch, levels + 1, mostBytes);
    }

    /**
     * Unpacks what begins at that offset.
     *
     * @return the unpacked file
     * @throws GuestException when it is damaged, too large, or compressed too often
     */
    Path unpack(Path file, long offset) throws IOException, GuestException {
        if (levels == MOST_LEVELS) {
            throw new GuestException(
                    "%s: is compressed more than %d times; unpack it first (gunzip)".formatted(named, MOST_LEVELS));
        }
        Path unpacked = scratch.resolve("kernel-" + (levels + 1));
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(offset);
            try (InputStream plain = new GZIPInputStream(in, BUFFER);
                    OutputStream out = Files.newOutputStream(unpacked)) {
                copy(plain, out);
            }
        } catch (EOFException | ZipException e) {
            throw new GuestException(
                    named + ": begins as compressed by gzip, but is cut off or damaged (" + e.getMessage() + ")");
        }
        return unpacked;
    }

    private void copy(InputStream from, OutputStream to) throws IOException, GuestException {
        byte[] buffer = new byte[BUFFER];
        long left = mostBytes;
        for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
            left -= n;
            if (left < 0) {
                throw new GuestException(
                        "%s: unpacks to more than %d bytes, which no kernel does; give the image itself"
                                .formatted(named, mostBytes));
            }
            to.write(buffer, 0, n);
        }
    }
}
