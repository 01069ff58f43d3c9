package io.trapline.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

/** How tests of single actors set them up: as the program does, but with nobody to talk to. */
final class Kits {
    private Kits() {}

    static Config config() {
        return ConfigFactory.parseString("akka.actor.provider = local")
                .withFallback(ConfigFactory.parseResources("trapline.conf"))
                .withFallback(ConfigFactory.load())
                .resolve();
    }
}
