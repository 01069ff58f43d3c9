package io.trapline.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Makes the tree of the one YAML document (version 1.2) that a file may hold. */
final class YamlDocument {
    /** Deeper nesting than this has no meaning in a campaign; the parser itself would run out of stack at some depth. */
    private static final int MAX_DEPTH = 20;

    private static final Pattern TAB_INDENT = Pattern.compile(" *\t");

    private final String text;
    private final Problems problems;
    private final LoadSettings settings = LoadSettings.builder().build();

    private YamlDocument(String text, Problems problems) {
        this.text = text;
        this.problems = problems;
    }

    /**
     * The document's root.
     *
     * @throws CampaignException when there is none; of the parser's own errors only the first is known, as it can't go
     *     on after one
     */
    static Node root(String text, Problems problems) throws CampaignException {
        Optional<Node> root = new YamlDocument(text.startsWith("\uFEFF") ? text.substring(1) : text, problems).root();
        problems.throwIfAny();
        return root.orElseThrow();
    }

    private Optional<Node> root() {
        if (hasTabs()) {
            return Optional.empty();
        }
        try {
            return checkEvents() ? new Compose(settings).composeString(text) : Optional.empty();
        } catch (MarkedYamlEngineException e) {
            refuse(e);
        } catch (ReaderException e) {
            int at = text.offsetByCodePoints(0, Math.min(e.getPosition(), text.codePointCount(0, text.length())));
            problems.add(
                    CampaignText.endOf(text.substring(0, at)),
                    String.format("this is not YAML: the control character U+%04X is not allowed", e.getCodePoint()));
        } catch (YamlEngineException e) {
            problems.add(Place.START, "this is not YAML: " + e.getMessage());
        }
        return Optional.empty();
    }

    private boolean hasTabs() {
        List<String> lines = text.lines().toList();
        int before = problems.count();
        for (int i = 0; i < lines.size(); i++) {
            Matcher tab = TAB_INDENT.matcher(lines.get(i));
            if (tab.lookingAt()) {
                problems.add(
                        new Place(i + 1, tab.end()),
                        "a tab in the indentation; YAML is indented with blanks",
                        "put blanks in its place");
            }
        }
        return problems.count() > before;
    }

    /** Looks at the flat sequence of events first, which is safe at any depth. */
    private boolean checkEvents() {
        List<Place> documents = new ArrayList<>();
        int depth = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            switch (event.getEventId()) {
                case DocumentStart -> documents.add(Place.of(event.getStartMark()));
                case MappingStart, SequenceStart -> depth++;
                case MappingEnd, SequenceEnd -> depth--;
                default -> {}
            }
            if (depth > MAX_DEPTH) {
                problems.add(
                        Place.of(event.getStartMark()), "nested more than " + MAX_DEPTH + " deep; a campaign never is");
                return false;
            }
        }
        if (documents.isEmpty()) {
            problems.add(
                    Place.START,
                    "the file has nothing in it",
                    "begin with apiVersion: " + CampaignReader.API_VERSION + " and kind: " + CampaignReader.KIND);
        }
        documents.stream()
                .skip(1)
                .forEach(second -> problems.add(
                        second,
                        "another YAML document begins here; a file holds one campaign",
                        "put it into its own file"));
        return documents.size() == 1;
    }

    /** Tells the parser's words, where it was when it met the problem, and what the cause mostly is. */
    private void refuse(MarkedYamlEngineException e) {
        String words = e.getProblem();
        // The parser advises so about any character, wherever it stands.
        int advice = words.indexOf(". (Do not use");
        String message = "this is not YAML: " + (advice < 0 ? words : words.substring(0, advice))
                + e.getContextMark()
                        .map(mark -> ", " + e.getContext() + " that begins at "
                                + problems.spell(Place.of(Optional.of(mark))))
                        .orElse("");
        Place place = Place.of(e.getProblemMark());
        if (words.contains("found '<block")) {
            problems.add(place, message, "look at the indentation of this line and the one before");
        } else if (words.contains("end of stream") || words.contains("<stream end>")) {
            problems.add(place, message, "close what begins there");
        } else if (words.contains("(TAB)")) {
            problems.add(place, message, "put a blank in its place");
        } else if (words.contains("mapping values") || words.contains("cannot start any token")) {
            problems.add(place, message, "put quotes around the text");
        } else {
            problems.add(place, message);
        }
    }
}
