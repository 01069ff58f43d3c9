package io.trapline.cli;

import io.trapline.http.CoordinatorClient;
import io.trapline.http.HttpSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which coordinator a command asks. */
final class CoordinatorOptions {
    private static final String DEFAULT = "http://127.0.0.1:" + HttpSettings.DEFAULT_PORT;

    @Option(
            names = "--to",
            paramLabel = "URL",
            description = "The coordinator's address, as https://host:port. Default: $TRAPLINE_COORDINATOR, or" + " "
                    + DEFAULT + ".",
            defaultValue = "${TRAPLINE_COORDINATOR:-" + DEFAULT + "}")
    private URI coordinator;

    @Option(names = "--token-file", paramLabel = "FILE", description = "Holds the token that the coordinator wants.")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM file with the certificates that vouch for the coordinator. Default: those that Java"
                    + " trusts.")
    private Optional<Path> ca = Optional.empty();

    /** A client for it. */
    CoordinatorClient client() throws IOException, CommandFailure {
        boolean http = "http".equals(coordinator.getScheme()) || "https".equals(coordinator.getScheme());
        if (!http || coordinator.getHost() == null) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "--to " + coordinator + " is no address of a coordinator: https://host:port is");
        }
        return CoordinatorClient.of(coordinator, tokenFile, ca);
    }

    /** How these options are given again. */
    String spelled() {
        return "--to " + coordinator
                + tokenFile.map(file -> " --token-file " + file).orElse("")
                + ca.map(file -> " --ca " + file).orElse("");
    }
}
