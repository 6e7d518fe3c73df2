package dev.holdfast.cli.state.access;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.cli.text.Screen;
import java.io.IOException;
import java.util.Optional;

/**
 * What a document says about itself, read without keeping the rest.
 *
 * @param serial its number among the versions of its lineage
 * @param lineage which line of versions it belongs to
 */
public record StateHead(Optional<Long> serial, Optional<String> lineage) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Reads all of it; {@code source} is where it comes from, for messages. */
    public static StateHead of(String source, byte[] bytes) {
        Optional<Long> serial = Optional.empty();
        Optional<String> lineage = Optional.empty();
        try (JsonParser parser = JSON.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException(
                        source + " is not a state: a state is a JSON object. Nothing was saved");
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("serial") && value == JsonToken.VALUE_NUMBER_INT) {
                    serial = Optional.of(parser.getLongValue());
                } else if (name.equals("lineage") && value == JsonToken.VALUE_STRING) {
                    lineage = Optional.of(parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException(
                        source + " is not a state: more follows after its end. Nothing was saved");
            }
            return new StateHead(serial, lineage);
        } catch (IOException e) { // without the text around it, which may be a secret
            throw new IllegalArgumentException(source + " is not a state: it is not valid JSON. Nothing was saved", e);
        }
    }

    /** Why it must not follow this version, as terraform judges it; empty if it may. */
    public Optional<String> objection(dev.holdfast.state.versions.StateVersion current, boolean same) {
        if (lineage.isPresent() && current.lineage().isPresent() && !lineage.equals(current.lineage())) {
            return Optional.of("it is of another lineage ('" + Screen.clean(lineage.get()) + "', current is '"
                    + Screen.clean(current.lineage().get()) + "'): it began as the state of something else");
        }
        if (serial.isPresent() && serial.get() < current.serial()) {
            return Optional.of("its serial " + serial.get() + " is below the current " + current.serial()
                    + ": others saved after it was pulled");
        }
        if (serial.isPresent() && serial.get() == current.serial() && !same) {
            return Optional.of("the current state has the same serial " + serial.get()
                    + " and differs: raise the serial of what you changed");
        }
        return Optional.empty();
    }
}
