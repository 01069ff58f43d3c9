package io.trapline.cluster;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.remote.RemoteTransportException;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The settings of an actor system: what the command line said, over the files that come with the program. */
final class NodeConfig {
    /** What every actor system of a cluster is called. */
    static final String NAME = "trapline";

    private NodeConfig() {}

    /** Of a process that holds coordinator and worker and listens to nobody else. */
    static Config local() {
        return ConfigFactory.parseResources("trapline-local.conf")
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }

    /**
     * Starts a member on a machine of its own.
     *
     * @param role {@code coordinator} or {@code worker}
     * @param at where it listens; port 0 takes a free one
     * @param name by which the others reach it
     * @throws IOException naming the address, when it can't be listened on
     */
    static <T> ActorSystem<T> start(Behavior<T> guardian, String role, Endpoint at, String name) throws IOException {
        try {
            return ActorSystem.create(guardian, NAME, member(role, at, name));
        } catch (RemoteTransportException e) {
            throw new IOException(at + " can't be listened on: " + e.getMessage(), e);
        }
    }

    private static Config member(String role, Endpoint at, String name) {
        return ConfigFactory.parseMap(Map.of(
                        "akka.cluster.roles", List.of(role),
                        "akka.remote.artery.canonical.hostname", name,
                        "akka.remote.artery.canonical.port", at.port(),
                        "akka.remote.artery.bind.hostname", at.host(),
                        "akka.remote.artery.bind.port", at.port()))
                .withFallback(ConfigFactory.parseResources("trapline-cluster.conf"))
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }
}
