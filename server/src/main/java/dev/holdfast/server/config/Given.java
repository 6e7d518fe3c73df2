package dev.holdfast.server.config;

/** A source gives a value for a setting. */
record Given(Setting<?> setting, Value value, Origin origin) {
    /** Never the value: it may be a secret. */
    @Override
    public String toString() {
        return setting + " from " + origin;
    }
}
