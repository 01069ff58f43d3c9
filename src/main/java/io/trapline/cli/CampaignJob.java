package io.trapline.cli;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.trapline.campaign.Campaign;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A campaign as Kubernetes runs it: a ConfigMap with the file, and a Job whose pod submits it. Both have the run's id as
 * name and label. What they are is in the template {@code campaign-job.yaml}.
 *
 * @param run the run's id
 * @param campaign what the text says
 * @param text the campaign file
 * @param image of the pod
 * @param tls whether the coordinator wants HTTPS and a token, as in overlay {@code tls}
 */
record CampaignJob(String run, Campaign campaign, String text, String image, boolean tls) {
    private static final Pattern PLACE = Pattern.compile("@([A-Z]+)@");
    private static final String HOST = "trapline-coordinator:7071";

    /** What a literal block of YAML holds as it is: visible characters, and one line's end at the end. */
    private static final Pattern LITERAL =
            Pattern.compile("[\\x21-\\x7e\\u00a1-\\ud7ff][\\n\\x20-\\x7e\\u00a1-\\ud7ff]*(?<!\\n)\\n");

    /** For the queue before a run's own deadline begins, and the report after it. */
    private static final Duration MARGIN = Duration.ofHours(1);

    /** Of a campaign that sets none. */
    private static final Duration DEADLINE = Duration.ofHours(24);

    /** The manifest, for {@code kubectl create -f}. */
    String yaml() {
        Map<String, String> values = Map.of(
                "RUN", run,
                "CAMPAIGN", campaign.name(),
                "TEXT", scalar(text, "    "),
                "DEADLINE",
                        Long.toString(campaign.deadline()
                                .map(MARGIN::plus)
                                .orElse(DEADLINE)
                                .toSeconds()),
                "IMAGE", image,
                "TO", String.join("\n            ", to()));
        return PLACE.matcher(template()).replaceAll(m -> Matcher.quoteReplacement(values.get(m.group(1))));
    }

    private List<String> to() {
        return tls
                ? List.of("- --to=https://" + HOST, "- --ca=/tls/ca.crt", "- --token-file=/token/token")
                : List.of("- --to=http://" + HOST);
    }

    /** For people where that is safe, else as JSON has it, which is YAML as well. */
    private static String scalar(String text, String indent) {
        if (LITERAL.matcher(text).matches()) {
            return "|\n" + text.stripTrailing().replaceAll("(?m)^(?=.)", indent);
        }
        return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
    }

    private static String template() {
        try (InputStream in = CampaignJob.class.getResourceAsStream("campaign-job.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the program's own jar can't be read", e);
        }
    }
}
