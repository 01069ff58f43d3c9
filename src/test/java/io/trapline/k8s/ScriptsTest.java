package io.trapline.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** k8s/wait-campaign and k8s/fetch-report with the real kubectl, against an API server that replays. */
@Timeout(120)
class ScriptsTest {
    private static final String RUNNING = job("");
    private static final String COMPLETE = job(condition("Complete", "CompletionsReached"));

    @TempDir
    private Path directory;

    private final AtomicInteger truncated = new AtomicInteger();
    private StubApiServer server;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void start() throws IOException {
        Manifests.requireKubectl();
        server = new StubApiServer(this::inPod);
        Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    /** The pod's /data is a directory here. */
    private Process inPod(List<String> command) throws IOException {
        String data = directory.resolve("data").toString();
        if (command.get(0).equals("cat")
                && command.get(2).endsWith("journal.jsonl")
                && truncated.getAndDecrement() > 0) {
            return new ProcessBuilder("head", "-c", "7", command.get(2).replace("/data", data)).start();
        }
        List<String> here =
                command.stream().map(word -> word.replaceFirst("^/data", data)).toList();
        String script = "exec 3>&1; \"$@\" | sed \"s|  $DATA|  /data|\"; exit \"${PIPESTATUS[0]}\"";
        ProcessBuilder builder = command.get(0).equals("find")
                ? new ProcessBuilder(Stream.concat(Stream.of("bash", "-c", script, "pod"), here.stream())
                        .toList())
                : new ProcessBuilder(here);
        builder.environment().put("DATA", data);
        return builder.start();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0 | Complete | CompletionsReached | 0   | Completed | -
                    1 | Failed | PodFailurePolicy | 1   | Error     | -
                    2 | Failed | PodFailurePolicy | 2   | Error     | -
                    3 | Failed | PodFailurePolicy | 3   | Error     | -
                    4 | Failed | PodFailurePolicy | 4   | Error     | -
                    5 | Failed | BackoffLimitExceeded | 5   | Error     | -
                    2 | Failed | DeadlineExceeded | 143 | Error     | the Job's deadline passed
                    5 | Failed | PodFailurePolicy | 137 | OOMKilled | its pod was lost: OOMKilled (exit code 137)
                    """)
    void theEndIsTheCampaigns(int code, String type, String why, int exit, String reason, String said)
            throws Exception {
        server.jobs(RUNNING, RUNNING, job(condition(type, why)));
        server.pods("trial 1/4\nthe report\n", pod("p-1", exit, reason, "VALID: all is well"));

        Ended ended = run("wait-campaign", "two");

        assertThat(ended.code()).as(ended.err()).isEqualTo(code);
        assertThat(ended.out()).isEqualTo("trial 1/4\nthe report\n");
        assertThat(ended.err()).contains("VALID: all is well");
        if (!said.equals("-")) {
            assertThat(ended.err()).contains(said);
        }
    }

    @Test
    void aPodThatWasEvictedIsNamedAsLost() throws Exception {
        server.jobs(RUNNING, job(condition("Failed", "BackoffLimitExceeded")));
        server.pods("", """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p-1","namespace":"trapline",
                  "creationTimestamp":"2026-11-30T12:00:00Z"},"status":{"phase":"Failed","reason":"Evicted"}}""");
        Ended ended = run("wait-campaign", "two");

        assertThat(ended.code()).isEqualTo(5);
        assertThat(ended.err()).contains("its pod was lost: Evicted", "the run goes on at the coordinator");
    }

    @Test
    void aPodThatTookTheDisruptedOnesPlaceHasTheLastWord() throws Exception {
        server.jobs(RUNNING, job(condition("Failed", "PodFailurePolicy")));
        server.pods("log\n", pod("p-1", 143, "Error", ""), pod("p-2", 3, "Error", "slower"));

        Ended ended = run("wait-campaign", "two");
        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).contains("slower");
    }

    @Test
    void aCampaignThatWasOverBeforeAnybodyAskedIsNotMissed() throws Exception {
        server.jobs(COMPLETE);
        server.pods("all at once\n", pod("p-1", 0, "Completed", "VALID"));
        Ended ended = run("wait-campaign", "two");

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.out()).isEqualTo("all at once\n");
    }

    @Test
    void aJobWithoutAPodYetIsWaitedFor() throws Exception {
        server.jobs(RUNNING, RUNNING, COMPLETE);
        assertThat(run("wait-campaign", "two").code()).isZero();
    }

    @Test
    void errorsOfTheApiServerPass() throws Exception {
        server.jobs(RUNNING, COMPLETE);
        server.pods("", pod("p-1", 0, "Completed", ""));
        server.fail(3);
        assertThat(run("wait-campaign", "two").code()).isZero();
    }

    @Test
    void anApiServerThatStaysAwayEndsTheWait() throws Exception {
        server.jobs(RUNNING);
        server.fail(Integer.MAX_VALUE);
        Ended ended = run("wait-campaign", "two");

        assertThat(ended.code()).isEqualTo(5);
        assertThat(ended.err()).contains("etcdserver: request timed out", "kubectl get job two");
    }

    @Test
    void aJobThatIsNotThereIsNotWaitedFor() throws Exception {
        Ended ended = run("wait-campaign", "two");

        assertThat(ended.code()).isEqualTo(5);
        assertThat(ended.err()).contains("not found");
    }

    @Test
    void aReportArrivesByteForByteEvenWhenAConnectionEndsEarly() throws Exception {
        Path run = someRun("two-7");
        server.jobs(COMPLETE);
        truncated.set(2);
        Ended ended = run("fetch-report", "two", "out");

        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err()).contains("did not arrive whole (2 of 3)");
        for (String file : List.of("campaign.yaml", "journal.jsonl", "plots/one.svg")) {
            assertThat(directory.resolve("out").resolve(file)).hasSameBinaryContentAs(run.resolve(file));
        }
        assertThat(run("fetch-report", "two", "out").err()).contains("nothing is overwritten");
    }

    @Test
    void aFileThatDoesNotArriveWholeIsNotKept() throws Exception {
        someRun("two-7");
        server.jobs(COMPLETE);
        truncated.set(3);
        Ended ended = run("fetch-report", "two", "out");

        assertThat(ended.code()).isEqualTo(4);
        try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
            assertThat(files.map(f -> f.getFileName().toString())).noneMatch(name -> name.startsWith("journal"));
        }
    }

    @Test
    void aRunIsFetchedByItsIdWhenItsJobIsGone() throws Exception {
        someRun("gone");
        assertThat(run("fetch-report", "gone", "out").code()).isZero();

        Ended unknown = run("fetch-report", "nope", "other");
        assertThat(unknown.code()).isEqualTo(5);
        assertThat(unknown.err()).contains("the coordinator has no run nope");
    }

    private Path someRun(String id) throws IOException {
        Path run = Files.createDirectories(directory.resolve("data/runs/" + id + "/plots"))
                .getParent();
        byte[] bytes = new byte[100_000];
        new Random(7).nextBytes(bytes);
        Files.write(run.resolve("journal.jsonl"), bytes);
        Files.writeString(run.resolve("campaign.yaml"), "kind: Campaign\n");
        Files.writeString(run.resolve("plots/one.svg"), "<svg/>");
        return run;
    }

    private Ended run(String script, String... args) throws Exception {
        Path out = directory.resolve("stdout");
        Path err = directory.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(
                                Stream.of(
                                        Path.of("k8s", script).toAbsolutePath().toString()),
                                Stream.of(args))
                        .toList())
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment()
                .putAll(Map.of(
                        "KUBECONFIG",
                        directory.resolve("kubeconfig").toString(),
                        "HOME",
                        directory.toString(),
                        "TRAPLINE_POLL",
                        "0.1",
                        "TRAPLINE_PATIENCE",
                        "5"));
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(script + " ends").isTrue();
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    private static String job(String conditions) {
        return """
                {"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"two","namespace":"trapline",
                 "labels":{"trapline.io/run-id":"two-7"}},"spec":{},"status":{"conditions":[%s]}}""".formatted(conditions);
    }

    /** What a Job says before its end does not count. */
    private static String condition(String type, String reason) {
        return """
                {"type":"FailureTarget","status":"True","reason":"early"},
                {"type":"Suspended","status":"False","reason":"no"},
                {"type":"%s","status":"True","reason":"%s"}""".formatted(type, reason);
    }

    private static String pod(String name, int exit, String reason, String message) {
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"trapline",
                 "creationTimestamp":"2026-11-30T12:00:0%sZ"},"spec":{"containers":[{"name":"submit"}]},
                 "status":{"phase":"%s","containerStatuses":[{"name":"submit","state":{"terminated":
                  {"exitCode":%d,"reason":"%s","message":"%s"}}}]}}""".formatted(
                name, name.substring(name.length() - 1), exit == 0 ? "Succeeded" : "Failed", exit, reason, message);
    }
}
