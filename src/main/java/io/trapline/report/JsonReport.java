package io.trapline.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.trapline.analysis.CellResult;
import io.trapline.analysis.Comparison;
import io.trapline.analysis.Estimate;
import io.trapline.analysis.GateResult;
import io.trapline.analysis.JointResult;
import io.trapline.analysis.Results;
import io.trapline.analysis.Scaling;
import io.trapline.analysis.Summary;
import io.trapline.analysis.TrialResult;
import io.trapline.campaign.Cell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * For programs: everything, every trial included, at full precision. Rates are in operations a second, times in the
 * unit that the field names. A value that there is none of is left out.
 * Where instructions are counted there are no rates: the clock behind them is a count. Ratios are of instructions then.
 */
public final class JsonReport implements ReportFormat {
    private static final int FORMAT = 1;

    /** Java's own way to write a double differs between versions; this one is always the shortest. */
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                    .build())
            .addModule(new Jdk8Module())
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
            .build();

    @Override
    public String fileName() {
        return "report.json";
    }

    @Override
    public byte[] render(Report report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        try (JsonGenerator out = MAPPER.createGenerator(bytes)) {
            out.setPrettyPrinter(
                    new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines));
            new Writing(out).report(report.results(), report.answers());
            out.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("memory can't be written to", e);
        }
        return bytes.toByteArray();
    }

    /** One report being written. */
    private record Writing(JsonGenerator out) {

        void report(Results results, List<String> answers) throws IOException {
            out.writeStartObject();
            out.writeNumberField("format", FORMAT);
            out.writeStringField("campaign", results.run().campaign());
            if (results.run().question().isPresent()) {
                out.writeStringField("question", results.run().question().get());
            }
            out.writeStringField("verdict", results.outcome().verdict().name());
            out.writeNumberField("exitCode", results.outcome().exitCode());
            out.writePOJOField("reasons", results.outcome().reasons());
            list("marks", Marks.all(results));
            out.writePOJOField("answers", answers);
            if (results.run().gate().isPresent()) {
                out.writeObjectFieldStart("gate");
                out.writeNumberField("slower", results.run().gate().get());
                text("result", results.outcome().gate().map(GateResult::words).orElse(""));
                out.writeEndObject();
            }
            run(results);
            out.writeArrayFieldStart("cells");
            for (CellResult cell : results.cells()) {
                cell(results, cell);
            }
            out.writeEndArray();
            out.writeArrayFieldStart("comparisons");
            for (Comparison comparison : results.comparisons()) {
                comparison(results, comparison);
            }
            out.writeEndArray();
            if (!results.joints().isEmpty()) {
                out.writeArrayFieldStart("together");
                for (JointResult joint : results.joints()) {
                    joint(results, joint);
                }
                out.writeEndArray();
            }
            out.writeArrayFieldStart("scalings");
            for (Scaling scaling : results.scalings()) {
                scaling(scaling);
            }
            out.writeEndArray();
            out.writeEndObject();
        }

        private void run(Results results) throws IOException {
            out.writeObjectFieldStart("run");
            out.writeStringField("id", results.run().run());
            out.writeStringField("begun", results.run().at().toString());
            out.writeStringField("trapline", results.run().version());
            out.writeStringField("sha256", results.run().sha256());
            out.writeNumberField("rounds", results.run().rounds());
            out.writeNumberField("intervals", results.run().timing().intervals());
            out.writeNumberField("intervalNs", results.run().timing().interval().toNanos());
            out.writeNumberField("warmupNs", results.run().timing().warmup().toNanos());
            if (results.economy().isPresent()) {
                out.writeNumberField("wallMs", results.economy().get().wallMs());
                out.writeNumberField("measuringMs", results.economy().get().measuringMs());
            }
            out.writePOJOField("remarks", results.remarks());
            out.writeEndObject();
            out.writeStringField("method", results.method());
            out.writePOJOField("paths", results.run().paths());
            out.writePOJOField("hosts", results.hosts());
        }

        private void cell(Results report, CellResult result) throws IOException {
            out.writeStartObject();
            names(result.cell());
            out.writeStringField("verdict", result.verdict().name());
            if (result.notMeasured().isPresent()) {
                out.writeStringField("notMeasured", result.notMeasured().get());
            }
            marks(report, result.cell());
            list("notes", Marks.advice(report, result.cell()).stream().toList());
            if (result.instructions().isPresent()) {
                out.writeNumberField(
                        "instructionsPerOperation", result.instructions().getAsDouble());
            }
            if (result.rates().isPresent() && !report.counted(result.cell())) {
                summary("rates", result.rates().get());
                out.writeNumberField(
                        "perCpu",
                        result.rates().get().mean() / result.cell().cpus().size());
            }
            out.writeArrayFieldStart("trials");
            for (TrialResult trial : result.trials()) {
                trial(report, result.cell(), trial);
            }
            out.writeEndArray();
            out.writeEndObject();
        }

        private void joint(Results results, JointResult joint) throws IOException {
            out.writeStartObject();
            out.writeStringField("path", joint.path());
            out.writeStringField("workload", joint.workload().name());
            out.writeStringField("model", joint.model().spelling());
            out.writeNumberField("cpus", joint.cpus());
            out.writeStringField("verdict", joint.verdict().name());
            list(
                    "marks",
                    Togethers.mark(results, joint).map(Enum::name).stream().toList());
            out.writeNumberField("skewLimitNs", joint.skewLimitNs());
            out.writeStringField("onLoss", joint.onLoss());
            if (joint.rates().isPresent()) {
                summary("rates", joint.rates().get());
            }
            if (joint.toFirst().isPresent()) {
                estimate(joint.toFirst().get());
            }
            out.writePOJOField("shares", joint.shares());
            out.writePOJOField("rounds", joint.rounds());
            out.writeEndObject();
        }

        private void names(Cell cell) throws IOException {
            out.writeStringField("host", cell.host());
            out.writeStringField("model", cell.model().spelling());
            out.writeStringField("path", cell.path());
            out.writeStringField("workload", cell.workload().name());
            out.writeNumberField("cpus", cell.cpus().size());
            out.writeStringField("cpuList", cell.cpus().toString());
        }

        private void summary(String name, Summary summary) throws IOException {
            out.writeObjectFieldStart(name);
            out.writeNumberField("n", summary.n());
            out.writeNumberField("mean", summary.mean());
            out.writeNumberField("sd", summary.sd());
            out.writeEndObject();
        }

        private void trial(Results report, Cell cell, TrialResult trial) throws IOException {
            out.writeStartObject();
            out.writeStringField("id", trial.planned().trial());
            out.writeNumberField("round", trial.planned().round());
            out.writeStringField("verdict", trial.verdict().name());
            list("reasons", trial.reasons());
            list("discarded", trial.discarded());
            if (trial.measured().isPresent()) {
                figures(report, cell, trial.measured().get());
                measured(trial.measured().get());
            }
            out.writeEndObject();
        }

        /** Its path length, or else its rates. */
        private void figures(Results report, Cell cell, TrialResult.Measured trial) throws IOException {
            OptionalDouble instructions = report.host(cell.host())
                    .map(host -> host.instructionsPerOperation(trial.rate()))
                    .orElse(OptionalDouble.empty());
            if (instructions.isPresent()) {
                out.writeNumberField("instructionsPerOperation", instructions.getAsDouble());
            } else {
                out.writeNumberField("rate", trial.rate());
                summary("intervals", trial.intervals());
            }
        }

        private void marks(Results report, Cell cell) throws IOException {
            list("marks", Marks.of(report, cell).stream().toList());
        }

        private void list(String name, List<String> texts) throws IOException {
            if (!texts.isEmpty()) {
                out.writePOJOField(name, texts);
            }
        }

        private void measured(TrialResult.Measured trial) throws IOException {
            out.writeNumberField("attempt", trial.attempt());
            out.writeNumberField("operations", trial.done().operations());
            number("hits", trial.done().hits());
            out.writeNumberField("inFlight", trial.done().inFlight());
            text("bytes", trial.ready().bytes().orElse(""));
            text("attached", trial.ready().attached().orElse(""));
            text("instruction", trial.ready().instruction().orElse(""));
            if (trial.ready().consumers().isPresent()) {
                out.writeNumberField("consumers", trial.ready().consumers().getAsInt());
            }
            number("startNs", trial.startNs());
            out.writeNumberField("slowestReadNs", trial.slowestReadNs());
            number("voluntarySwitches", trial.done().voluntarySwitches());
            number("involuntarySwitches", trial.done().involuntarySwitches());
            number("migrations", trial.done().migrations());
            number("stealMs", trial.done().stealMs());
            out.writeNumberField("overruns", trial.done().overruns());
        }

        private void number(String name, OptionalLong value) throws IOException {
            if (value.isPresent()) {
                out.writeNumberField(name, value.getAsLong());
            }
        }

        private void text(String name, String value) throws IOException {
            if (!value.isEmpty()) {
                out.writeStringField(name, value);
            }
        }

        private void scaling(Scaling scaling) throws IOException {
            out.writeStartObject();
            names(scaling.to());
            out.writeNumberField("fromCpus", scaling.from().cpus().size());
            estimate(scaling.change());
            out.writeStringField("finding", scaling.finding().words());
            out.writeBooleanField("sameConsumers", scaling.sameConsumers());
            if (scaling.peak().isPresent()) {
                Scaling.Peak peak = scaling.peak().get();
                out.writeObjectFieldStart("peak");
                out.writeNumberField("cpus", peak.cell().cpus().size());
                out.writeNumberField("rate", peak.rate());
                out.writeObjectFieldStart("last");
                estimate(peak.last());
                out.writeEndObject();
                out.writeEndObject();
            }
            out.writeEndObject();
        }

        private void estimate(Estimate estimate) throws IOException {
            out.writeNumberField("ratio", estimate.ratio());
            if (estimate.interval().isPresent()) {
                out.writeNumberField("low", estimate.interval().get().low());
                out.writeNumberField("high", estimate.interval().get().high());
            }
            out.writeStringField("basis", estimate.basis());
        }

        private void comparison(Results report, Comparison comparison) throws IOException {
            out.writeStartObject();
            names(comparison.cell());
            out.writeStringField("baseline", comparison.baseline());
            text("baselineHost", comparison.baselineHost().orElse(""));
            out.writeBooleanField("toFirst", comparison.toFirst());
            marks(report, comparison.cell());
            if (comparison.estimate().isPresent()) {
                estimate(comparison.estimate().get());
            }
            out.writeStringField("finding", comparison.finding().words());
            list("notes", comparison.notes());
            text("gate", comparison.gate().map(GateResult::words).orElse(""));
            out.writeEndObject();
        }
    }
}
