package dev.holdfast.server.config.values;

import java.util.Optional;

/** A kind whose empty text means: not set. */
public record OptionalKind<T>(Kind<T> kind) implements Kind<Optional<T>> {
    @Override
    public Optional<T> read(Value value) throws ValueRefusal {
        if (value instanceof Value.Text text && text.text().isBlank()) {
            return Optional.empty();
        }
        return Optional.of(kind.read(value));
    }

    @Override
    public String allowed() {
        return kind.allowed() + ", or empty";
    }

    @Override
    public String shown(Value value) {
        return kind.shown(value);
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return kind.mayBeRepeated(value);
    }
}
