package dev.holdfast.server.config.values;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A kind whose values are written as one piece of text.
 *
 * @param allowed completes "must be …"
 * @param reader the value, of text without the blanks around it
 * @param repeatable which values may be repeated in a message though they are refused
 */
public record TextKind<T>(String allowed, Reader<T> reader, UnaryOperator<String> mask, Predicate<String> repeatable)
        implements ValueKind<T> {
    static <T> TextKind<T> of(String allowed, Reader<T> reader) {
        return new TextKind<>(allowed, reader, UnaryOperator.identity(), text -> true);
    }

    /** The same, shown in another way, and in messages only if this says so. */
    TextKind<T> shownAs(UnaryOperator<String> how, Predicate<String> repeated) {
        return new TextKind<>(allowed, reader, how, repeated);
    }

    @Override
    public T read(Value value) throws ValueRefusal {
        if (value instanceof Value.Text text) {
            return reader.read(text.text().strip());
        }
        throw ValueRefusal.mustBe(allowed);
    }

    @Override
    public String shown(Value value, T read) {
        return mask.apply(value.written());
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return !(value instanceof Value.Text text) || repeatable.test(text.text());
    }

    public interface Reader<T> {
        T read(String text) throws ValueRefusal;
    }
}
