package io.trapline.cli;

import io.trapline.cluster.Endpoint;
import java.net.UnknownHostException;
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

    /** Whether others may come in without encryption and proof. */
    boolean insecure() {
        return insecure;
    }

    /**
     * Where to listen.
     *
     * @throws CommandFailure when others could reach it and nobody said that they may
     */
    Endpoint at(int port) throws CommandFailure {
        try {
            Endpoint endpoint = new Endpoint(bind, port);
            if (!endpoint.isLoopback() && !insecure) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "--bind " + bind
                                + " can be reached by other machines, and nothing is encrypted there: anybody who"
                                + " reaches it can run campaigns. If the network is trusted, add --insecure");
            }
            return endpoint;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--port: " + e.getMessage());
        } catch (UnknownHostException e) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--bind " + bind + ": no address of that name is known");
        }
    }
}
