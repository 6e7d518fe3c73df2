package dev.holdfast.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.emitter.Emitter;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/**
 * JSON written as YAML blocks, so that fields are named in one place only. A text that any version of YAML could take for a
 * number, a date or a truth value is quoted.
 */
public final class Yaml {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");
    private static final Set<String> NOT_TEXT = Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private static final DumpSettings BLOCKS = DumpSettings.builder()
            .setIndicatorIndent(2)
            .setIndentWithIndicator(true)
            .setSplitLines(false)
            .setMaxSimpleKeyLength(1024) // as long as a key may be; beyond that it needs a line of its own
            .build();

    private Yaml() {}

    /** The same value as YAML, with a line end. */
    public static String ofJson(String value) {
        Text text = new Text();
        Emitter yaml = new Emitter(BLOCKS, text);
        yaml.emit(new StreamStartEvent());
        yaml.emit(new DocumentStartEvent(false, Optional.empty(), Map.of()));
        try (JsonParser json = new JsonFactory().createParser(value)) {
            while (json.nextToken() != null) {
                yaml.emit(event(json));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it was written a moment ago
        }
        yaml.emit(new DocumentEndEvent(false));
        yaml.emit(new StreamEndEvent());
        return text.toString();
    }

    private static Event event(JsonParser json) throws IOException {
        Optional<String> noTag = Optional.empty();
        JsonToken token = json.currentToken();
        return switch (token) {
            case START_OBJECT -> new MappingStartEvent(Optional.empty(), noTag, true, FlowStyle.BLOCK);
            case END_OBJECT -> new MappingEndEvent();
            case START_ARRAY -> new SequenceStartEvent(Optional.empty(), noTag, true, FlowStyle.BLOCK);
            case END_ARRAY -> new SequenceEndEvent();
            default -> {
                boolean quoted =
                        (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) && !isPlain(json.getText());
                yield new ScalarEvent(
                        Optional.empty(),
                        noTag,
                        new ImplicitTuple(true, true),
                        json.getText(),
                        quoted ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN);
            }
        };
    }

    private static boolean isPlain(String value) {
        return PLAIN.matcher(value).matches() && !NOT_TEXT.contains(value.toLowerCase(Locale.ROOT));
    }

    private static final class Text extends StringWriter implements StreamDataWriter {}
}
