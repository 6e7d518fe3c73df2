package dev.holdfast.model;

/**
 * A fencing token: of two acquisitions of one record the later has the greater token, whatever happened in between
 * (release, expiry, force, purge, restart, restore, move to another store).
 *
 * @param value a positive number; {@link #NONE} before the first grant
 */
public record Token(long value) implements Comparable<Token> {
    /** The fence of a record nobody has held yet. */
    public static final Token NONE = new Token(0);

    /** Refuses negative numbers. */
    public Token {
        if (value < 0) {
            throw Names.refused("fencing token", Long.toString(value), "must not be negative");
        }
    }

    /** The first token of a grant at this time: after every earlier token, and after every clock that is not ahead. */
    public Token next(long latestMicros) {
        return new Token(Math.max(value + 1, latestMicros));
    }

    @Override
    public int compareTo(Token other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
