package io.trapline.cluster;

import akka.actor.BootstrapSetup;
import akka.actor.setup.ActorSystemSetup;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.remote.RemoteTransportException;
import akka.remote.artery.tcp.SSLEngineProviderSetup;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.time.Duration;
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
     * @param at where it listens, and how
     * @param name by which the others reach it
     * @param door counts who comes in
     * @throws IOException naming the address, when it can't be listened on
     */
    static <T> ActorSystem<T> start(Behavior<T> guardian, String role, Bind at, String name, Door door)
            throws IOException {
        Config config = member(role, at, name);
        ActorSystemSetup setup = ActorSystemSetup.create(BootstrapSetup.create(config));
        if (at.tls().isPresent()) {
            MemberEngines engines = new MemberEngines(at.tls().get(), door);
            setup = setup.withSetup(SSLEngineProviderSetup.create(s -> engines));
        }
        try {
            ActorSystem<T> system = ActorSystem.create(guardian, NAME, setup);
            Duration every = config.getDuration("trapline.tls.reload-every");
            at.tls()
                    .ifPresent(tls -> system.scheduler()
                            .scheduleWithFixedDelay(
                                    every,
                                    every,
                                    tls::reload,
                                    system.dispatchers()
                                            .lookup(DispatcherSelector.fromConfig("trapline.blocking-dispatcher"))));
            return system;
        } catch (RemoteTransportException e) {
            throw new IOException(at.at() + " can't be listened on: " + e.getMessage(), e);
        }
    }

    /** The JVM's own properties come first: who sets one knows why. */
    private static Config member(String role, Bind at, String name) {
        return ConfigFactory.defaultOverrides()
                .withFallback(ConfigFactory.parseMap(Map.of(
                        "akka.cluster.roles", List.of(role),
                        "akka.remote.artery.transport", at.tls().isPresent() ? "tls-tcp" : "tcp",
                        "akka.remote.artery.canonical.hostname", name,
                        "akka.remote.artery.canonical.port", at.at().port(),
                        "akka.remote.artery.bind.hostname", at.at().host(),
                        "akka.remote.artery.bind.port", at.at().port())))
                .withFallback(ConfigFactory.parseResources("trapline-cluster.conf"))
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }
}
