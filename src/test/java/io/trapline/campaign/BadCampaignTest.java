package io.trapline.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said about bad campaigns, word for word: the cases of bad-input.txt. */
class BadCampaignTest {
    /** One case: the campaign's lines and the lines that are expected. */
    record Case(String title, List<String> campaign, List<String> said) {
        @Override
        public String toString() {
            return title;
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void saysAllThatIsWrong(Case bad) {
        String text = String.join("\n", bad.campaign()) + "\n";
        CampaignException thrown =
                catchThrowableOfType(CampaignException.class, () -> CampaignReader.parse("c.yaml", text));
        assertThat(thrown).as("a problem in\n%s", text).isNotNull();
        assertThat(thrown.getMessage()).isEqualTo(String.join("\n", bad.said()));
        assertThat(thrown.problems()).hasSize(bad.said().size());
    }

    static Stream<Case> cases() throws IOException {
        try (InputStream in = BadCampaignTest.class.getResourceAsStream("bad-input.txt")) {
            String[] parts = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^## ");
            List<String> base = lines(parts[0].substring(parts[0].indexOf("The base campaign:")), "  ");
            return Arrays.stream(parts).skip(1).map(part -> toCase(base, part));
        }
    }

    private static Case toCase(List<String> base, String part) {
        String title = part.lines().findFirst().orElseThrow();
        List<String> campaign = new ArrayList<>(title.startsWith("whole:") ? List.of() : base);
        int at = campaign.size();
        for (String line :
                part.lines().skip(1).filter(l -> l.matches("[-+] .*")).toList()) {
            if (line.startsWith("-")) {
                at = campaign.indexOf(line.substring(2));
                campaign.remove(at);
            } else {
                campaign.add(at++, line.substring(2));
            }
        }
        return new Case(title, campaign, lines(part, "> "));
    }

    private static List<String> lines(String text, String prefix) {
        return text.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }
}
