package io.trapline.k8s;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * As much of a Kubernetes API server as kubectl needs to get a Job and its pods, to read a log, and to run a command in a
 * pod: which is run here.
 */
final class StubApiServer implements AutoCloseable {
    private static final String WEB_SOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String EXEC_PROTOCOL = "v5.channel.k8s.io";
    private static final String PODS = "/api/v1/namespaces/trapline/pods";
    private static final String JOBS = "/apis/batch/v1/namespaces/trapline/jobs/";

    /** Runs a command as the pod would. */
    interface Exec {
        Process start(List<String> command) throws IOException;
    }

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> jobs = new ArrayList<>();
    private final Exec exec;
    private List<String> pods = List.of();
    private String log = "";
    private int failures;

    StubApiServer(Exec exec) throws IOException {
        this.exec = exec;
        threads.execute(this::accept);
    }

    /** What each further question for the Job is answered with; the last one stays. */
    synchronized void jobs(String... json) {
        jobs.clear();
        jobs.addAll(List.of(json));
    }

    /** The log of every pod, and the Job's pods as JSON. */
    synchronized void pods(String logOfEach, String... json) {
        log = logOfEach;
        pods = List.of(json);
    }

    /** So many questions from now on are answered with an internal error. */
    synchronized void fail(int questions) {
        failures = questions;
    }

    /** What kubectl needs to find it. */
    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                current-context: stub
                clusters: [{name: stub, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: nobody, user: {}}]
                contexts: [{name: stub, context: {cluster: stub, user: nobody}}]
                """.formatted(socket.getLocalPort());
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private record Request(String path, String query, Map<String, String> headers) {}

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            Request request = request(in);
            if (request.path().endsWith("/exec")) {
                exec(request, client.getOutputStream());
            } else {
                answer(request, client.getOutputStream());
            }
        } catch (IOException | InterruptedException e) {
            Thread.currentThread().interrupt(); // the client went away: its test fails by itself
        }
    }

    private static Request request(InputStream in) throws IOException {
        String[] line = line(in).split(" ", -1);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String[] parts = header.split(": *", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        String[] target = line[1].split("\\?", 2);
        return new Request(target[0], target.length > 1 ? target[1] : "", headers);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private synchronized void answer(Request request, OutputStream out) throws IOException {
        boolean discovery = !request.path().contains("/namespaces/");
        if (!discovery && failures > 0) {
            failures--;
            send(out, 500, "application/json", status(500, "InternalError", "etcdserver: request timed out"));
        } else if (request.path().endsWith("/log")) {
            send(out, 200, "text/plain", log);
        } else {
            String body = body(request.path());
            boolean found = !body.isEmpty();
            send(
                    out,
                    found ? 200 : 404,
                    "application/json",
                    found ? body : status(404, "NotFound", "there is no such thing: not found"));
        }
    }

    private String body(String path) {
        return switch (path) {
            case "/api" -> """
                    {"kind":"APIVersions","versions":["v1"]}""";
            case "/apis" -> """
                    {"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"batch",
                     "versions":[{"groupVersion":"batch/v1","version":"v1"}],
                     "preferredVersion":{"groupVersion":"batch/v1","version":"v1"}}]}""";
            case "/api/v1" -> resources("v1", "pods", "Pod", "po");
            case "/apis/batch/v1" -> resources("batch/v1", "jobs", "Job", "job");
            case PODS -> """
                    {"kind":"PodList","apiVersion":"v1","metadata":{},"items":[%s]}""".formatted(String.join(",", pods));
            default -> path.startsWith(JOBS) ? job() : path.startsWith(PODS) ? pod(path) : "";
        };
    }

    private static String resources(String group, String plural, String kind, String singular) {
        return """
                {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"%s","resources":[{"name":"%s",
                 "singularName":"%s","namespaced":true,"kind":"%s","verbs":["get","list","watch","create"]}]}""".formatted(group, plural, singular, kind);
    }

    private String job() {
        return jobs.isEmpty() ? "" : jobs.size() > 1 ? jobs.remove(0) : jobs.get(0);
    }

    private String pod(String path) {
        if (path.endsWith("/trapline-coordinator-0")) {
            return """
                    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"trapline-coordinator-0","namespace":"trapline"},
                     "spec":{"containers":[{"name":"coordinator"}]},"status":{"phase":"Running"}}""";
        }
        String name = "\"name\":\"" + path.substring(PODS.length() + 1) + "\"";
        return pods.stream().filter(p -> p.contains(name)).findFirst().orElse("");
    }

    private static String status(int code, String reason, String message) {
        return """
                {"kind":"Status","apiVersion":"v1","status":"Failure","message":"%s","reason":"%s","code":%d}""".formatted(message, reason, code);
    }

    private static void send(OutputStream out, int code, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        out.write(("HTTP/1.1 " + code + " X\r\nContent-Type: " + type + "\r\nContent-Length: " + bytes.length
                        + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
    }

    /** By the fifth version of the protocol: each binary message has a channel's number before its bytes. */
    private void exec(Request request, OutputStream out) throws IOException, InterruptedException {
        out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Protocol: " + EXEC_PROTOCOL + "\r\nSec-WebSocket-Accept: "
                        + accepted(request.headers().get("sec-websocket-key")) + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        List<String> command = Stream.of(request.query().split("&", -1))
                .filter(p -> p.startsWith("command="))
                .map(p -> URLDecoder.decode(p.substring("command=".length()), StandardCharsets.UTF_8))
                .toList();
        Process process = exec.start(command);
        byte[] buffer = new byte[4096];
        for (int n = process.getInputStream().read(buffer);
                n >= 0;
                n = process.getInputStream().read(buffer)) {
            message(out, 1, Arrays.copyOf(buffer, n));
        }
        message(out, 2, process.getErrorStream().readAllBytes());
        int code = process.waitFor();
        message(out, 3, ended(code).getBytes(StandardCharsets.UTF_8));
        out.write(new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8}); // close, code 1000
    }

    private static String ended(int code) {
        return code == 0 ? "{\"metadata\":{},\"status\":\"Success\"}" : """
                  {"metadata":{},"status":"Failure","reason":"NonZeroExitCode","message":"exit code %1$d",
                   "details":{"causes":[{"reason":"ExitCode","message":"%1$d"}]}}""".formatted(code);
    }

    private static void message(OutputStream out, int channel, byte[] bytes) throws IOException {
        int length = bytes.length + 1;
        out.write(0x82); // the one and last frame of a binary message
        if (length < 126) {
            out.write(length);
        } else {
            out.write(new byte[] {126, (byte) (length >> 8), (byte) length});
        }
        out.write(channel);
        out.write(bytes);
    }

    private static String accepted(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + WEB_SOCKET).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
