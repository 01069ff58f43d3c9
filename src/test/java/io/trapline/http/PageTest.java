package io.trapline.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trapline.cluster.RunEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The page, in a browser. Without one it is skipped, unless {@code TRAPLINE_REQUIRE_BROWSER} is set, as deploy/test does.
 * What it looked like is in {@code target/page-*.png}.
 */
class PageTest {
    private static final Path PICTURES = Path.of("target");

    @TempDir
    private Path home;

    @TempDir
    private Path data;

    private FakeCampaigns campaigns;
    private Browser browser;

    @BeforeEach
    void startBrowser() throws Exception {
        Optional<Path> program = Browser.program();
        assumeTrue(
                program.isPresent() || System.getenv("TRAPLINE_REQUIRE_BROWSER") != null,
                "no chromium on this machine: the page was not looked at");
        campaigns = new FakeCampaigns(data);
        browser = Browser.start(
                program.orElseThrow(() -> new IOException("TRAPLINE_REQUIRE_BROWSER is set, and there is no chromium")),
                home);
    }

    @AfterEach
    void stopBrowser() throws Exception {
        if (browser != null) {
            browser.quit();
        }
    }

    @ParameterizedTest
    @CsvSource({"360, light", "360, dark", "1280, light", "1280, dark"})
    void allIsShownAndFitsTheWindow(int width, String scheme) throws Exception {
        campaigns.hosts(
                FakeCampaigns.member("rack-b-1", true, Optional.of("run2")),
                FakeCampaigns.member("rack-c-17.lab.example.org", false, Optional.empty()));
        try (Served served = serve(0)) {
            served.finishAndAwait(served.halfRun());
            served.halfRun();
            served.third("run2");
            served.post(
                    Served.CAMPAIGN.replace("two-paths", "a-name-as-long-as-a-campaign-can-have-before-it-is-refused"));
            browser.resize(width, 1000);
            browser.prefer(scheme);
            browser.open(served.uri());
            browser.await(has("#running article", "2 of 4 trials")
                    + " && document.querySelectorAll('polyline.curve').length === 2");

            assertThat(text("#hosts"))
                    .contains(
                            "rack-b-1",
                            "busy",
                            "Linux 6.18.15, x86_64, 64 CPUs (0-63)",
                            "NUMA node 3: 48-63",
                            "rack-c-17",
                            "lost");
            assertThat(text("#queue")).contains("a-name-as-long-as", "run3");
            assertThat(text("#past")).contains("two-paths", "complete, exit code 0", "report.txt", "journal.jsonl");
            assertThat(browser.value("document.querySelectorAll('#running circle').length")
                            .asInt())
                    .isEqualTo(2);
            assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
            String back = browser.value("getComputedStyle(document.body).backgroundColor")
                    .asText();
            assertThat(back).isEqualTo(scheme.equals("dark") ? "rgb(16, 20, 24)" : "rgb(246, 247, 249)");
            Files.write(PICTURES.resolve("page-" + width + "-" + scheme + ".png"), browser.picture());
        }
    }

    @Test
    void theCurveGrowsAsCellsFinishAndGoesOnAfterTheCoordinatorRestarted() throws Exception {
        URI page;
        try (Served first = serve(0)) {
            page = first.uri();
            first.halfRun();
            browser.open(page);
            browser.await("document.querySelectorAll('#running circle').length === 1");
            first.third("run1");
            browser.await("document.querySelectorAll('#running circle').length === 2");
        }
        browser.await(has("#link", "no connection, trying again"));
        try (Served second = serve(page.getPort())) {
            browser.await(has("#link", "live"));
            second.finish("run1");
            browser.await(has("#past", "exit code 0"));
            assertThat(text("#running")).contains("nothing runs");
        }
    }

    @Test
    void aTokenIsAskedForAndThenSent() throws Exception {
        Path token = Files.writeString(data.resolve("token"), "0123456789abcdefXYZ");
        try (Served served = Served.start(campaigns, Served.settings(Optional.of(token), Duration.ofSeconds(10)))) {
            browser.open(served.uri());
            browser.await("!document.querySelector('#ask').hidden");
            browser.value("document.querySelector('#token').value = '0123456789abcdefXYZ';"
                    + " document.querySelector('#ask button').click()");
            browser.await(has("#hosts", "rack-b-1"));

            assertThat(browser.value("document.querySelector('#ask').hidden").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void textsOfOthersAreNeverMarkup() throws Exception {
        String name = "<img src=x onerror=\"document.title='run by a host name'\">";
        campaigns.hosts(FakeCampaigns.member(name, true, Optional.empty()));
        try (Served served = serve(0)) {
            served.halfRun();
            campaigns.tell("run1", new RunEvent.Refused(RunEvent.Refused.Cause.NO_HOSTS, List.of(name)));
            browser.open(served.uri());
            browser.await(has("#past", "no hosts"));

            assertThat(text("#hosts")).contains(name);
            assertThat(text("#past")).contains(name);
            assertThat(browser.value("document.images.length").asInt()).isZero();
            assertThat(browser.value("document.title").asText()).isEqualTo("trapline");
        }
    }

    private Served serve(int port) throws IOException {
        return Served.start(
                campaigns,
                new HttpSettings("127.0.0.1", port, Optional.empty(), Optional.empty(), false, Duration.ofSeconds(10)));
    }

    private String text(String selector) throws Exception {
        return browser.value("document.querySelector('" + selector + "').innerText")
                .asText();
    }

    private static String has(String selector, String text) {
        return "(document.querySelector('" + selector + "')?.innerText ?? '').includes('" + text + "')";
    }
}
