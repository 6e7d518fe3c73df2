package dev.holdfast.bench.peers.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** Everything as JSON: each run of each number, medians, goals, and what was left out. */
public record JsonReport(Results results, List<Goals.Verdict> verdicts) {
    private static final int VERSION = 1;

    /** The text, with what is to be known of the run, such as the machine. */
    public String text(Map<String, String> about) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeObjectFieldStart("about");
            for (Map.Entry<String, String> one : about.entrySet()) {
                json.writeStringField(one.getKey(), one.getValue());
            }
            json.writeEndObject();
            rows(json);
            goals(json);
            skipped(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException(e); // text in memory does not fail
        }
        return text + "\n";
    }

    private void rows(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("rows");
        for (Part part : Part.values()) {
            for (Results.Row row : results.rows(part)) {
                json.writeStartObject();
                json.writeStringField("part", part.letter());
                json.writeStringField("setting", row.setting());
                json.writeStringField("who", row.who());
                json.writeBooleanField("ours", row.ours());
                json.writeObjectFieldStart("figures");
                for (String name : results.names(row)) {
                    figure(json, name, results.values(row, name));
                }
                json.writeEndObject();
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void figure(JsonGenerator json, String name, List<Double> values) throws IOException {
        if (values.isEmpty()) {
            return; // not known on this machine
        }
        Spread spread = Spread.of(values);
        json.writeObjectFieldStart(name);
        json.writeNumberField("median", spread.median());
        json.writeNumberField("lowest", spread.lowest());
        json.writeNumberField("highest", spread.highest());
        json.writeFieldName("runs");
        json.writeArray(values.stream().mapToDouble(Double::doubleValue).toArray(), 0, values.size());
        json.writeEndObject();
    }

    private void goals(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("goals");
        for (Goals.Verdict verdict : verdicts) {
            json.writeStartObject();
            json.writeStringField("what", verdict.what());
            if (verdict.measured().isPresent()) {
                json.writeNumberField("measured", verdict.measured().get());
            } else {
                json.writeNullField("measured");
            }
            json.writeNumberField(verdict.side() == Goals.Side.AT_LEAST ? "at_least" : "at_most", verdict.goal());
            json.writeStringField("verdict", verdict.word());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void skipped(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("skipped");
        for (Results.Skipped one : results.skipped()) {
            json.writeStartObject();
            json.writeStringField("part", one.part().letter());
            json.writeStringField("what", one.what());
            json.writeStringField("reason", one.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
