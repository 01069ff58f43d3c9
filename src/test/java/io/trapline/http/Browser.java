package io.trapline.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A headless Chromium with one page, driven over its debugging protocol. */
final class Browser {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Far above what anything here takes. */
    private static final long DEADLINE_S = 60;

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<String> messages;
    private int commands;

    private Browser(Process process, WebSocket socket, BlockingQueue<String> messages) {
        this.process = process;
        this.socket = socket;
        this.messages = messages;
    }

    /** The program, if this machine has one. */
    static Optional<Path> program() {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts it with an empty page; {@code home} is empty and its own. */
    static Browser start(Path program, Path home) throws Exception {
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + home,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        HttpClient http = HttpClient.newHttpClient();
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        WebSocket socket = http.newWebSocketBuilder()
                .buildAsync(page(http, endpoint(process)), new Listener(messages))
                .get(DEADLINE_S, TimeUnit.SECONDS);
        return new Browser(process, socket, messages);
    }

    private static URI endpoint(Process process) throws IOException {
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            if (line.startsWith("DevTools listening on ")) {
                return URI.create(line.substring("DevTools listening on ".length()));
            }
        }
        throw new IOException("the browser ended before it listened");
    }

    private static URI page(HttpClient http, URI endpoint) throws Exception {
        URI list = URI.create("http://" + endpoint.getAuthority() + "/json");
        String targets = http.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString())
                .body();
        for (JsonNode target : JSON.readTree(targets)) {
            if (target.get("type").asText().equals("page")) {
                return URI.create(target.get("webSocketDebuggerUrl").asText());
            }
        }
        throw new IOException("the browser has no page: " + targets);
    }

    /** Goes there. */
    void open(URI page) throws Exception {
        command("Page.navigate", Map.of("url", page.toString()));
    }

    /** Makes the window so wide. */
    void resize(int width, int height) throws Exception {
        command(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Has the user prefer {@code light} or {@code dark}. */
    void prefer(String scheme) throws Exception {
        Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", scheme);
        command("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
    }

    /** The window as a PNG. */
    byte[] picture() throws Exception {
        return command("Page.captureScreenshot", Map.of()).get("data").binaryValue();
    }

    /** The value of an expression in the page. */
    JsonNode value(String expression) throws Exception {
        JsonNode result = command("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        return result.get("result").path("value");
    }

    /** Waits until an expression is true in the page. */
    void await(String expression) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!value(expression).asBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never true: " + expression + "\n" + value("document.body.innerText"));
            }
        }
    }

    private JsonNode command(String method, Map<String, Object> parameters) throws Exception {
        int id = ++commands;
        String message = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
        socket.sendText(message, true).get(DEADLINE_S, TimeUnit.SECONDS);
        for (String text = messages.poll(DEADLINE_S, TimeUnit.SECONDS);
                text != null;
                text = messages.poll(DEADLINE_S, TimeUnit.SECONDS)) {
            JsonNode answer = JSON.readTree(text);
            if (answer.path("id").asInt() == id) {
                if (answer.has("error")) {
                    throw new IOException(method + ": " + answer.get("error"));
                }
                return answer.get("result");
            }
        }
        throw new IOException("the browser does not answer " + method);
    }

    /** Ends it in good order: killed, it would go on writing into its home for a while. */
    void quit() throws Exception {
        List<ProcessHandle> children = process.descendants().toList();
        command("Browser.close", Map.of());
        socket.abort();
        if (!process.waitFor(DEADLINE_S, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        for (ProcessHandle child : children) {
            child.destroyForcibly();
            child.onExit().get(DEADLINE_S, TimeUnit.SECONDS);
        }
    }

    private static final class Listener implements WebSocket.Listener {
        private final BlockingQueue<String> messages;
        private final StringBuilder part = new StringBuilder();

        private Listener(BlockingQueue<String> messages) {
            this.messages = messages;
        }

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                messages.add(part.toString());
                part.setLength(0);
            }
            return WebSocket.Listener.super.onText(webSocket, data, last);
        }
    }
}
