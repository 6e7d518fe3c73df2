package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.values.Value;

/** A source gives a value for a setting. */
record SourceValue(Setting<?> setting, Value value, Origin origin) {
    /** Never the value: it may be a secret. */
    @Override
    public String toString() {
        return setting + " from " + origin;
    }
}
