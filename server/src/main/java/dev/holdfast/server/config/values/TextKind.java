package dev.holdfast.server.config.values;

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A kind whose values are written as one piece of text. */
public final class TextKind<T> implements Kind<T> {
    private final String allowed;
    private final Reader<T> reader;
    private final UnaryOperator<String> shown;
    private final Predicate<String> mayBeRepeated;

    private TextKind(String allowed, Reader<T> reader, UnaryOperator<String> shown, Predicate<String> mayBeRepeated) {
        this.allowed = allowed;
        this.reader = reader;
        this.shown = shown;
        this.mayBeRepeated = mayBeRepeated;
    }

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
    public String allowed() {
        return allowed;
    }

    @Override
    public String shown(Value value) {
        return shown.apply(value.written());
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return !(value instanceof Value.Text text) || mayBeRepeated.test(text.text());
    }

    interface Reader<T> {
        T read(String text) throws ValueRefusal;
    }
}
