package dev.holdfast.server.config.values;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads the part of YAML a configuration needs: maps, lists and scalars in one document.
 *
 * <p>Anchors, aliases and tags are refused: the first two can make a small file huge, the last would name types. A key
 * that stands twice in a map is refused. No message repeats a value, which may be a secret.
 */
public final class YamlText {
    /** Deeper than any setting, and far from exhausting the stack. */
    private static final int DEPTH = 20;

    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

    private final Iterator<Event> events;

    private YamlText(Iterator<Event> events) {
        this.events = events;
    }

    /** The document; {@link Value.Nothing} if the text has none. */
    public static Value parse(String text) throws Malformed {
        LoadSettings settings = LoadSettings.builder().setParseComments(false).build();
        try {
            return new YamlText(
                            new Parse(settings).parseReader(new Pieces(text)).iterator())
                    .document();
        } catch (MarkedYamlEngineException e) {
            throw new Malformed(told(e), e.getProblemMark().or(e::getContextMark));
        } catch (YamlEngineException e) {
            throw new Malformed("is not YAML: it has a character that YAML does not allow", Optional.empty());
        }
    }

    /** A structured value: as it came from a file, or parsed from the text of a flag or variable, which is JSON or YAML. */
    static Value unfolded(Value value) throws ValueRefusal {
        if (!(value instanceof Value.Text text)) {
            return value;
        }
        try {
            return parse(text.text());
        } catch (Malformed e) {
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

    /**
     * Never fills the buffer of who reads it. The parser asks for one more character where a buffer ends within a surrogate pair,
     * and has no room for it in a full one.
     */
    private static final class Pieces extends StringReader {
        Pieces(String text) {
            super(text);
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            return super.read(buffer, offset, Math.max(1, length - 1));
        }
    }

    private static String told(MarkedYamlEngineException e) {
        return "is not YAML: " + String.valueOf(e.getProblem()).replaceAll("\\p{Cntrl}", "?");
    }

    private Value document() throws Malformed {
        next(); // the stream starts
        Event first = next();
        if (first.getEventId() == Event.ID.StreamEnd) {
            return new Value.Nothing(1);
        }
        Event start = next();
        Value document = value(start, 0, line(start));
        next(); // the document ends
        Event after = next();
        if (after.getEventId() != Event.ID.StreamEnd) {
            throw malformed("has a second document; put everything into one", after);
        }
        return document;
    }

    private Value value(Event event, int depth, int line) throws Malformed {
        if (depth > DEPTH) {
            throw malformed("is nested more than " + DEPTH + " levels deep", event);
        }
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) { // an alias has one too
            throw malformed("uses an anchor (& or *); write the value where it belongs", event);
        }
        if (tagged(event)) {
            throw malformed("uses a tag (!); write plain values", event);
        }
        return switch (event.getEventId()) {
            case MappingStart -> fields(depth, line);
            case SequenceStart -> items(depth, line);
            default -> scalar((ScalarEvent) event, line);
        };
    }

    private static boolean tagged(Event event) {
        Optional<String> tag = event instanceof ScalarEvent scalar
                ? scalar.getTag()
                : event instanceof CollectionStartEvent collection ? collection.getTag() : Optional.empty();
        return tag.isPresent();
    }

    private static Value scalar(ScalarEvent event, int line) {
        boolean nothing = event.isPlain() && NOTHING.contains(event.getValue());
        return nothing ? new Value.Nothing(line) : new Value.Text(event.getValue(), line);
    }

    private Value items(int depth, int line) throws Malformed {
        List<Value> items = new ArrayList<>();
        for (Event event = next(); event.getEventId() != Event.ID.SequenceEnd; event = next()) {
            items.add(value(event, depth + 1, line(event)));
        }
        return new Value.Items(items, line);
    }

    private Value fields(int depth, int line) throws Malformed {
        Map<String, Value> fields = new LinkedHashMap<>();
        for (Event event = next(); event.getEventId() != Event.ID.MappingEnd; event = next()) {
            if (!(value(event, depth + 1, line(event)) instanceof Value.Text key)) {
                throw malformed("has a key that is not text", event);
            }
            // People look for the line of the key; a value may begin lines below it.
            if (fields.putIfAbsent(key.text(), value(next(), depth + 1, key.line())) != null) {
                throw malformed("has the key " + ValueRefusal.quoted(key.text()) + " twice in one map", event);
            }
        }
        return new Value.Fields(fields, line);
    }

    private Event next() {
        return events.next();
    }

    private static int line(Event event) {
        return event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    private static Malformed malformed(String what, Event event) {
        return new Malformed(what, event.getStartMark());
    }

    /** The text cannot be used. The message completes "the file …". */
    public static final class Malformed extends Exception {
        private final int line;
        private final int column;

        public Malformed(String what, Optional<Mark> mark) {
            super(what);
            this.line = mark.map(Mark::getLine).orElse(0) + 1;
            this.column = mark.map(Mark::getColumn).orElse(0) + 1;
        }

        /** Such as {@code line 3, column 7}. */
        String where() {
            return "line " + line + ", column " + column;
        }

        public int line() {
            return line;
        }

        public int column() {
            return column;
        }
    }
}
