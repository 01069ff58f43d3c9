package io.trapline.http;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.trapline.cluster.Campaigns;
import io.trapline.cluster.RunEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** What Prometheus is told. */
final class Metrics {
    /** What {@link #text} is written in. */
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Counter requests = Counter.builder()
            .name("trapline_http_requests_total")
            .help("Requests answered, refused ones too.")
            .labelNames("method", "route", "status")
            .register(registry);
    private final Counter noRequest = Counter.builder()
            .name("trapline_http_connections_without_request_total")
            .help("Connections on which no HTTP request could be read: random bytes, half-open ones, failed TLS.")
            .register(registry);
    private final Gauge streams = Gauge.builder()
            .name("trapline_http_event_streams")
            .help("Server-sent event streams that are open.")
            .register(registry);
    private final Gauge hosts = Gauge.builder()
            .name("trapline_hosts")
            .help("Hosts that said hello since the coordinator's start.")
            .labelNames("state")
            .register(registry);
    private final Gauge runs = Gauge.builder()
            .name("trapline_runs")
            .help("Runs that are kept.")
            .labelNames("state")
            .register(registry);
    private final Counter trials = Counter.builder()
            .name("trapline_trials_ended_total")
            .help("Attempts at trials that ended, as the API's server heard of them.")
            .labelNames("result")
            .register(registry);
    private final Counter ended = Counter.builder()
            .name("trapline_runs_ended_total")
            .help("Runs that ended, as the API's server heard of them.")
            .labelNames("ending")
            .register(registry);

    /** @param callers who came to the workers' port */
    Metrics(Supplier<Campaigns.Callers> callers) {
        CounterWithCallback.builder()
                .name("trapline_cluster_connections_total")
                .help("Connections that came in at the workers' port, where it has TLS; members are those of members.")
                .labelNames("from")
                .callback(told -> {
                    told.call((double) callers.get().members(), "member");
                    told.call((double) callers.get().strangers(), "stranger");
                })
                .register(registry);
        CounterWithCallback.builder()
                .name("trapline_workers_refused_total")
                .help("Workers turned away because they speak another version of the protocol.")
                .callback(told -> told.call((double) callers.get().refusedWorkers()))
                .register(registry);
    }

    /** A request was answered. */
    void answered(String method, String route, int status) {
        requests.labelValues(method, route, Integer.toString(status)).inc();
    }

    /** A connection ended on which nothing was asked. */
    void noRequest() {
        noRequest.inc();
    }

    void streamOpened() {
        streams.inc();
    }

    void streamClosed() {
        streams.dec();
    }

    /** Something happened in a run. */
    void count(RunEvent event) {
        if (event instanceof RunEvent.TrialEnded trial) {
            trials.labelValues(trial.failure().isPresent() ? "failed" : "ok").inc();
        } else if (event instanceof RunEvent.Finished finished) {
            ended.labelValues(lower(finished.ending())).inc();
        } else if (event instanceof RunEvent.Refused) {
            ended.labelValues("refused").inc();
        }
    }

    /** All figures, with hosts and runs as they are now. */
    byte[] text(List<HostView> hostsNow, List<Campaigns.Run> runsNow) {
        for (HostView.State state : HostView.State.values()) {
            hosts.labelValues(lower(state)).set((double)
                    hostsNow.stream().filter(h -> h.state() == state).count());
        }
        for (Campaigns.State state : Campaigns.State.values()) {
            runs.labelValues(lower(state)).set((double)
                    runsNow.stream().filter(r -> r.state() == state).count());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(bytes, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("memory can't be written to", e);
        }
        return bytes.toByteArray();
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
