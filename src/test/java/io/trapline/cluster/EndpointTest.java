package io.trapline.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How addresses are written, and who can reach them. */
class EndpointTest {

    @ParameterizedTest
    @CsvSource({
        "coordinator.example:2551, coordinator.example, 2551",
        "10.0.0.7:0, 10.0.0.7, 0",
        "[::1]:65535, [::1], 65535"
    })
    void anAddressIsReadAndWrittenInOneNotation(String text, String host, int port) {
        Endpoint endpoint = Endpoint.parse(text);

        assertThat(endpoint).isEqualTo(new Endpoint(host, port));
        assertThat(endpoint).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":2551", "host:port", "::1:2551", "a b:1", "host:123456", "[x]:1"})
    void whatIsNoAddressIsNamedWithOneThatIs(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is no HOST:PORT such as coordinator.example:2551");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void aPortThatIsNoneIsRefusedWithThoseThatAre(int port) {
        assertThatThrownBy(() -> new Endpoint("host", port)).hasMessage("port " + port + ": 0 to 65535 are allowed");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true, false",
        "127.8.8.8, true, false",
        "localhost, true, false",
        "[::1], true, false",
        "0.0.0.0, false, true",
        "[::], false, true",
        "192.0.2.1, false, false"
    })
    void whoCanReachIt(String host, boolean loopback, boolean wildcard) throws UnknownHostException {
        assertThat(new Endpoint(host, 1).isLoopback()).isEqualTo(loopback);
        assertThat(new Endpoint(host, 1).isWildcard()).isEqualTo(wildcard);
    }

    @Test
    void aNameThatNobodyKnowsIsAnError() {
        assertThatThrownBy(() -> new Endpoint("no-such-host.invalid", 1).isLoopback())
                .isInstanceOf(UnknownHostException.class);
    }
}
