package io.trapline.host.guest;

import io.trapline.host.guest.GuestSpec.KernelSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Which kernel a guest was booted from, so that a reader can check what was measured.
 *
 * @param asked as the campaign or the command line has it: a file, or {@code debian:6.12}
 * @param file the image, absolute
 * @param sha256 of the file as it is, before it is unpacked
 * @param arch by the image's header
 * @param banner the version in the image, with who built it and when; empty when there is none in it
 * @param debianPackage the package that it came in and that package's version, when Debian's was asked for
 */
public record KernelUsed(
        String asked,
        String file,
        String sha256,
        String arch,
        Optional<String> banner,
        Optional<String> debianPackage) {
    private static final int BUFFER = 1 << 16;

    /** Of an image that was read from that file. */
    static KernelUsed of(KernelSource asked, Path file, KernelImage image) throws IOException {
        return new KernelUsed(
                asked.toString(),
                file.toAbsolutePath().normalize().toString(),
                sha256(file),
                image.arch().spelling(),
                image.banner(),
                asked instanceof KernelSource.Debian ? Optional.of(DebianKernels.packageOf(file)) : Optional.empty());
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digested = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            byte[] buffer = new byte[BUFFER];
            while (digested.read(buffer) >= 0) {
                // the digest sees what is read
            }
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }
}
