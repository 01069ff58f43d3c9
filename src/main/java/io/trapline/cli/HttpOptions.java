package io.trapline.cli;

import io.trapline.cluster.Campaigns;
import io.trapline.http.HttpServer;
import io.trapline.http.HttpSettings;
import io.trapline.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say how a coordinator's HTTP API is served. */
final class HttpOptions {
    private static final Pattern ADDRESS =
            Pattern.compile("(?<host>[^:\\[\\]]+|\\[[0-9A-Fa-f:.]+\\]):(?<port>\\d{1,5})");
    private static final int HIGHEST_PORT = 65535;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:" + HttpSettings.DEFAULT_PORT,
            description =
                    "Where the API and the page are. Default: ${DEFAULT-VALUE}, which this machine alone can reach.")
    private String address = "";

    @Option(
            names = "--http-token-file",
            paramLabel = "FILE",
            description = "Holds the token that callers of the API must have.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--http-cert",
            paramLabel = "FILE",
            description =
                    "Serve HTTPS with this certificate (PEM, with those that vouch for it); read again every minute.")
    private Optional<Path> certificate = Optional.empty();

    @Option(names = "--http-key", paramLabel = "FILE", description = "The certificate's key (PEM, PKCS#8).")
    private Optional<Path> key = Optional.empty();

    @Option(
            names = "--http-keystore",
            paramLabel = "FILE",
            description = "Serve HTTPS with the key in this PKCS#12 file, in place of --http-cert and --http-key.")
    private Optional<Path> keystore = Optional.empty();

    @Option(
            names = "--http-keystore-password-file",
            paramLabel = "FILE",
            description = "Holds the password of --http-keystore.")
    private Optional<Path> keystorePasswordFile = Optional.empty();

    /**
     * Serves these campaigns as the options say.
     *
     * @param insecure whether others than this machine may come in without TLS or a token
     */
    HttpServer serve(Campaigns campaigns, boolean insecure) throws CommandFailure, IOException {
        Matcher given = ADDRESS.matcher(address);
        if (!given.matches() || Integer.parseInt(given.group("port")) > HIGHEST_PORT) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT, "--http " + address + " is no address: HOST:PORT is, as 127.0.0.1:7071");
        }
        String host = given.group("host").replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(given.group("port"));
        Optional<TlsFiles> tls = TlsOptions.own("--http-", certificate, key, keystore, keystorePasswordFile);
        return HttpServer.start(campaigns, new HttpSettings(host, port, tokenFile, tls, insecure, PATIENCE));
    }
}
