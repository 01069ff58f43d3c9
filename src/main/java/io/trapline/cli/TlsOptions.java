package io.trapline.cli;

import io.trapline.tls.MemberTls;
import io.trapline.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say by which key and certificate a member of a cluster is known. */
final class TlsOptions {
    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description =
                    "Encrypt what goes between coordinator and workers, and show this certificate (PEM, with those that"
                            + " vouch for it); read again every minute. See deploy/certificates.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--key", paramLabel = "FILE", description = "The certificate's key (PEM, PKCS#8).")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificates that vouch for the members of the cluster.")
    private Optional<Path> ca = Optional.empty();

    @Option(
            names = "--keystore",
            paramLabel = "FILE",
            description = "PKCS#12 file with key and certificate, in place of --cert and --key.")
    private Optional<Path> keystore = Optional.empty();

    @Option(names = "--keystore-password-file", paramLabel = "FILE", description = "Holds the password of --keystore.")
    private Optional<Path> keystorePasswordFile = Optional.empty();

    /**
     * What the options say; empty when they say nothing.
     *
     * @throws CommandFailure when one is missing or too many
     * @throws IOException naming the file that can't be used
     */
    Optional<MemberTls> tls() throws CommandFailure, IOException {
        Optional<TlsFiles> own = own("--", certificate, key, keystore, keystorePasswordFile);
        if (own.isPresent() != ca.isPresent()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    own.isPresent()
                            ? "--ca is missing: the certificates that vouch for the others of the cluster"
                            : "--ca alone is not enough: give --cert and --key, or --keystore, as well");
        }
        return own.isPresent() ? Optional.of(new MemberTls(own.get(), ca.orElseThrow())) : Optional.empty();
    }

    /**
     * The files that a set of options names; empty when it names none.
     *
     * @param prefix what these options begin with, for messages
     * @throws CommandFailure when one is missing or too many
     */
    static Optional<TlsFiles> own(
            String prefix,
            Optional<Path> certificate,
            Optional<Path> key,
            Optional<Path> keystore,
            Optional<Path> passwordFile)
            throws CommandFailure {
        together(prefix + "cert", certificate, prefix + "key", key);
        together(prefix + "keystore", keystore, prefix + "keystore-password-file", passwordFile);
        if (certificate.isPresent() && keystore.isPresent()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "give " + prefix + "cert and " + prefix + "key or " + prefix + "keystore, not both");
        }
        return certificate
                .<TlsFiles>map(file -> new TlsFiles.Pem(file, key.orElseThrow()))
                .or(() -> keystore.map(file -> new TlsFiles.Keystore(file, passwordFile.orElseThrow())));
    }

    private static void together(String one, Optional<Path> first, String other, Optional<Path> second)
            throws CommandFailure {
        if (first.isPresent() != second.isPresent()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    first.isPresent() ? one + " needs " + other + " as well" : other + " needs " + one + " as well");
        }
    }
}
