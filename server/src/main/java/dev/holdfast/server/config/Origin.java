package dev.holdfast.server.config;

/** Where a value came from. */
public record Origin(Level level, String where) {
    static final Origin DEFAULT = new Origin(Level.DEFAULT, "default");

    /** A source of settings; an earlier one wins over a later one. */
    public enum Level {
        FLAG,
        ENVIRONMENT,
        FILE,
        DEFAULT
    }

    static Origin flag(String spelled) {
        return new Origin(Level.FLAG, "flag --" + spelled);
    }

    static Origin environment(String variable) {
        return new Origin(Level.ENVIRONMENT, "environment " + variable);
    }

    static Origin file(String file, int line) {
        return new Origin(Level.FILE, file + ":" + line);
    }

    /** For people: {@code default}, {@code flag --server.port}, {@code environment SERVER_PORT}, {@code holdfast.yaml:12}. */
    @Override
    public String toString() {
        return where;
    }
}
