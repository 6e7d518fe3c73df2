package dev.holdfast.server.config.values;

import java.util.List;
import java.util.Optional;

/** Structured values, which a flag or a variable gives as text in JSON or YAML. */
final class Trees {
    private Trees() {}

    /** The structure: as it came from a file, or parsed from text. */
    static Value unfolded(Value value) throws ValueRefusal {
        if (!(value instanceof Value.Text text)) {
            return value;
        }
        try {
            return YamlText.parse(text.text());
        } catch (YamlText.Malformed e) {
            throw new ValueRefusal(
                    List.of(new ValueRefusal.Detail("", e.getMessage() + " (" + e.where() + ")", Optional.empty())));
        }
    }

    /** The structure on one line, for people; of a value that was read before. */
    static String shown(Value value) {
        try {
            return unfolded(value).written();
        } catch (ValueRefusal e) {
            return value.written(); // never: it was read before
        }
    }
}
