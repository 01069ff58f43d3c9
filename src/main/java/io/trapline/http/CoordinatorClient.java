package io.trapline.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.trapline.http.ClientException.Kind;
import io.trapline.tls.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Asks a coordinator over its HTTP API. Each method waits for the answer, half a minute at most. */
public final class CoordinatorClient {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int REFUSED_FROM = 400;

    private final URI coordinator;
    private final Optional<Token> token;
    private final HttpClient http;

    private CoordinatorClient(URI coordinator, Optional<Token> token, HttpClient http) {
        this.coordinator = coordinator;
        this.token = token;
        this.http = http;
    }

    /**
     * For the coordinator at that address.
     *
     * @param coordinator as {@code https://host:port}
     * @param tokenFile holds the token that it wants
     * @param ca a PEM file with the certificates that vouch for it; without one, those that Java trusts
     * @throws IOException when a file can't be used
     */
    public static CoordinatorClient of(URI coordinator, Optional<Path> tokenFile, Optional<Path> ca)
            throws IOException {
        HttpClient.Builder http =
                HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).version(HttpClient.Version.HTTP_1_1);
        if (ca.isPresent()) {
            http.sslContext(TlsFiles.clientContext(ca.get()));
        }
        Optional<Token> token = Optional.empty();
        if (tokenFile.isPresent()) {
            token = Optional.of(Token.read(tokenFile.get()));
        }
        return new CoordinatorClient(coordinator, token, http.build());
    }

    /**
     * Puts a campaign in the queue, unless a run of that id and with this campaign is there already.
     *
     * @param run the id to give it; empty for a new one of the coordinator's choice
     * @param file what to call it in messages
     * @return the run's id
     * @throws ClientException with all problems of the campaign
     */
    public String submit(Optional<String> run, String file, String text) throws ClientException {
        HttpRequest request = request("campaigns?file=" + encoded(file)
                        + run.map(id -> "&run=" + encoded(id)).orElse(""))
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(text))
                .build();
        return json(send(request), new TypeReference<RunView.Id>() {}).id();
    }

    /** Every run that is kept, the newest first. */
    public List<RunView> runs() throws ClientException {
        return json(send(request("runs").build()), new TypeReference<>() {});
    }

    /** Every host. */
    public List<HostView> hosts() throws ClientException {
        return json(send(request("hosts").build()), new TypeReference<>() {});
    }

    /** Who came to the workers' port. */
    public CallersView callers() throws ClientException {
        return json(send(request("callers").build()), new TypeReference<>() {});
    }

    /** Ends a run early, or takes it from the queue. */
    public void cancel(String run, String reason) throws ClientException {
        HttpRequest request = request("runs/" + encoded(run) + "?reason=" + encoded(reason))
                .DELETE()
                .build();
        json(send(request), new TypeReference<RunView.Id>() {});
    }

    /** A file of a run, byte for byte. */
    public byte[] file(String run, RunFile file) throws ClientException {
        HttpRequest request =
                request("runs/" + encoded(run) + "/" + file.fileName()).build();
        HttpResponse<InputStream> response = send(request);
        DigestInputStream digested = new DigestInputStream(response.body(), Digest.begin());
        byte[] content;
        try (digested) {
            content = digested.readAllBytes();
        } catch (IOException e) {
            throw unanswered(e);
        }
        String sent = response.headers().firstValue(Digest.HEADER).orElse("none");
        String arrived = Digest.headerValue(digested.getMessageDigest());
        if (!sent.equals(arrived)) {
            throw new ClientException(
                    Kind.BAD_ANSWER,
                    file.fileName() + " of run " + run + " arrived damaged: its digest is " + arrived
                            + ", the coordinator says " + sent + "; fetch it again");
        }
        return content;
    }

    /**
     * The events of a run as they come.
     *
     * @param lastEventId of the last event that is known; empty for none
     */
    EventStream events(String run, Optional<String> lastEventId) throws ClientException {
        HttpRequest.Builder request =
                request("runs/" + encoded(run) + "/events").header("Accept", "text/event-stream");
        lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
        return new EventStream(send(request.build()).body());
    }

    /** Where the coordinator is. */
    URI coordinator() {
        return coordinator;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(coordinator.resolve("/api/v1/" + path)).timeout(ANSWER_WITHIN);
        token.ifPresent(t -> request.header("Authorization", t.authorization()));
        return request;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private HttpResponse<InputStream> send(HttpRequest request) throws ClientException {
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() >= REFUSED_FROM) {
                throw refused(response.statusCode(), response.body());
            }
            return response;
        } catch (IOException e) {
            throw unanswered(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException(Kind.NO_CONNECTION, "interrupted while asking " + coordinator);
        }
    }

    private <T> T json(HttpResponse<InputStream> response, TypeReference<T> type) throws ClientException {
        try (InputStream body = response.body()) {
            return Json.read(new String(body.readAllBytes(), StandardCharsets.UTF_8), type);
        } catch (JsonProcessingException e) {
            throw noCoordinator(response.statusCode());
        } catch (IOException e) {
            throw unanswered(e);
        }
    }

    private ClientException refused(int status, InputStream body) throws IOException {
        ErrorView error;
        try (body) {
            error = Json.read(new String(body.readAllBytes(), StandardCharsets.UTF_8), new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            return noCoordinator(status);
        }
        if (status == 401) {
            String what = token.isPresent() ? " does not know this token" : " wants a token";
            return new ClientException(
                    Kind.REFUSED, coordinator + what, "give the file that it was started with: --token-file FILE");
        }
        List<String> lines = new ArrayList<>();
        error.problems()
                .forEach(p -> lines.add(p.place() + ": " + p.message()
                        + p.fix().map(fix -> " (" + fix + ")").orElse("")));
        if (lines.isEmpty()) {
            lines.add(coordinator + ": " + error.message());
        }
        return new ClientException(
                switch (status) {
                    case 404 -> Kind.NOT_FOUND;
                    case 503 -> Kind.NO_CONNECTION;
                    default -> Kind.REFUSED;
                },
                lines);
    }

    private ClientException noCoordinator(int status) {
        return new ClientException(
                Kind.BAD_ANSWER,
                coordinator + " answers " + status + ", but not as a trapline coordinator does",
                "give a coordinator's address: --to URL");
    }

    private ClientException unanswered(IOException e) {
        if (e instanceof SSLException) {
            return new ClientException(
                    Kind.NO_CONNECTION,
                    "no connection to " + coordinator + ": TLS: " + e.getMessage(),
                    "give the certificate that vouches for it: --ca FILE");
        }
        String cause = e instanceof ConnectException ? "nothing listens there, or there is no way to it" : e.toString();
        return new ClientException(
                Kind.NO_CONNECTION,
                "no connection to " + coordinator + ": " + cause,
                "start a coordinator there (trapline coordinator), or give the address of one: --to URL");
    }
}
