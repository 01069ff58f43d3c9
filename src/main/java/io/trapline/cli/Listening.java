package io.trapline.cli;

import io.trapline.cluster.Bind;
import io.trapline.cluster.Endpoint;
import java.io.IOException;
import java.net.UnknownHostException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say who may reach a member of a cluster. */
final class Listening {
    @Option(
            names = "--bind",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The address to listen on. Default: ${DEFAULT-VALUE}, which this machine alone can reach.")
    private String bind = "";

    @Option(
            names = "--insecure",
            description =
                    "Allow an address that other machines can reach although nothing is encrypted and nobody has to"
                            + " prove who he is.")
    private boolean insecure;

    @Mixin
    private TlsOptions keys = new TlsOptions();

    /** Whether others may come in without encryption and proof. */
    boolean insecure() {
        return insecure;
    }

    /**
     * Where to listen, and how.
     *
     * @throws CommandFailure when others could reach it without proof and nobody said that they may
     * @throws IOException naming the file of a key or certificate that can't be used
     */
    Bind at(int port) throws CommandFailure, IOException {
        Bind listening = new Bind(endpoint(port), keys.tls());
        try {
            if (!listening.at().isLoopback() && listening.tls().isEmpty() && !insecure) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--bind " + bind
                                + " can be reached by other machines, and nothing is encrypted there: anybody who"
                                + " reaches it can run campaigns. Give --cert, --key and --ca (deploy/certificates"
                                + " makes them) or, if the network is trusted, --insecure");
            }
            return listening;
        } catch (UnknownHostException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--bind " + bind + ": no address of that name is known");
        }
    }

    private Endpoint endpoint(int port) throws CommandFailure {
        try {
            return new Endpoint(bind, port);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--port: " + e.getMessage());
        }
    }
}
